import Foundation
import Kernels

/// A window in which a ripple was looked for.
struct RippleWindow: Sendable {
    /// The place of its middle, in samples of the run.
    var middle: Double
    /// The ripple that is taken out; nil for no ripple.
    var ripple: Ripple?
}

/// Looks for a ripple of a band in conductance, window by window.
///
/// A ripple swings below the level as far as above it, at one frequency, in window after window. A response only rises: it
/// is a pulse in the filtered signal and is left out of the fit.
struct RippleSearch: Sendable {
    /// The minimum share of the variance that a ripple explains, 0…1, next to earlier windows with the same frequency.
    private static let explained = 0.3
    /// The share of the variance by which a ripple needs no earlier window, and in the first two windows of a run.
    private static let (alone, opening) = (0.8, 0.6)
    /// The minimum share of a window that is no response.
    private static let kept = 0.4
    /// The maximum difference between frequencies of one ripple in successive windows, as a share.
    private static let nearness = 0.12
    /// The number of windows right before that must have the same frequency.
    private static let agreeing = 3
    /// The maximum power at the double and at the half of a ripple's frequency, as shares of its own.
    private static let (overtone, undertone) = (0.3, 1.0)
    /// The weight of the spectra of earlier windows in the next one.
    private static let memory = 0.6
    /// The number of peaks of the spectrum that are tried.
    private static let candidates = 3
    /// The minimum downward swing of filtered conductance with a ripple: as a multiple of that of noise, and in µS/s.
    private static let (swing, minimumSwing) = (1.6, 0.0015)
    /// The distance from the 0.4 to the 0.1 quantile of noise, in standard deviations.
    private static let noiseSwing = 1.03
    /// The minimum correlation of the signs of second differences some samples apart where there may be a pulse.
    private static let regularity = 0.35

    let band: RippleBand
    private let rate: Double
    private let largest: Double
    private let fft: RealFFT<Double>
    private let bins: ClosedRange<Int>
    private let taper: [Double]
    private var fit: RippleFit
    private var noise: NoiseLevel
    private var spectrum: [Double]
    private var row: [Double]
    private var (real, imaginary): ([Double], [Double])
    private var values: [Double]
    private var sorted: [Double] = []
    /// The downward swings of the first quarters of the next window, which are the last ones of the latest.
    private var swings: [Double] = []
    /// The latest samples, as many as the filter needs.
    private var samples: [Double] = []
    /// Filtered values, the first of them at place `start`.
    private var filtered: [Double] = []
    private var start: Int
    /// Signs of the latest filtered values, the last one in the lowest bit.
    private var signs: UInt128 = 0
    /// The waves that were found in the latest windows.
    private var latest: [Ripple?] = []
    private var searched = 0

    /// A search in a run at `sampleRate` Hz for ripples of up to `largest` µS; nil where the rate is too low for the band.
    init?(_ cause: RippleBand.Cause, largest: Double, responses: ResponseParameters, sampleRate: Double) {
        guard let band = RippleBand(cause, responses: responses, sampleRate: sampleRate) else { return nil }
        (self.band, self.largest, rate) = (band, largest, sampleRate)
        var length = 64
        while length < 4 * band.window { length *= 2 }
        fft = RealFFT(length: length)
        let step = sampleRate / Double(length)
        let low = Int((band.frequencies.lowerBound / step).rounded(.up))
        let high = Int((band.frequencies.upperBound / step).rounded(.down))
        guard low > 0, high - low >= 4, high + 1 < fft.bins else { return nil }
        bins = low...high
        taper = (1...band.window).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(band.window + 1)) }
        fit = RippleFit(taper: taper, frequencies: band.frequencies, sampleRate: sampleRate)
        noise = NoiseLevel(guess: 0.1 * responses.leastAmplitude)
        spectrum = Array(repeating: 0, count: fft.bins)
        (real, imaginary) = (spectrum, spectrum)
        row = Array(repeating: 0, count: length)
        values = Array(repeating: 0, count: band.window)
        start = band.reach
    }

    /// Takes the next sample; returns the window that it completes.
    mutating func take(_ sample: Double) -> RippleWindow? {
        noise.take(sample)
        samples.append(sample)
        guard samples.count >= band.weights.count else { return nil }
        var value = 0.0
        let first = samples.count - band.weights.count
        for index in band.weights.indices { value += band.weights[index] * samples[first + index] }
        if samples.count >= 256 { samples.removeFirst(samples.count - band.weights.count + 1) }
        filtered.append(value)
        signs = signs << 1 | (value > 0 ? 1 : 0)
        guard filtered.count == band.window + (searched == 0 ? 0 : band.hop) else { return nil }
        if searched > 0 { drop(band.hop) }
        return search()
    }

    /// The window that ends with the run; nil where that was searched already, or the run is shorter than a window.
    mutating func finish() -> RippleWindow? {
        guard searched > 0, filtered.count > band.window else { return nil }
        drop(filtered.count - band.window)
        swings.removeAll(keepingCapacity: true)
        return search()
    }

    private mutating func drop(_ count: Int) {
        filtered.removeFirst(count)
        start += count
    }

    private mutating func search() -> RippleWindow {
        defer { searched += 1 }
        let middle = Double(start) + Double(band.window - 1) / 2
        var found: Ripple?
        if mayHoldRipple {
            found = best()
            found?.middle = middle
        } else {
            for bin in spectrum.indices { spectrum[bin] *= Self.memory }
        }
        let isConfirmed = found.map(isConfirmed) ?? false
        latest.append(found)
        if latest.count > Self.agreeing { latest.removeFirst() }
        return RippleWindow(middle: middle, ripple: isConfirmed ? found : nil)
    }

    /// True for a window that may hold a ripple: a quick check, as most windows hold none.
    private var mayHoldRipple: Bool {
        mutating get {
            switch band.cause {
            case .breathing:
                for quarter in swings.count..<RippleBand.overlap { swings.append(downwardSwing(ofQuarter: quarter)) }
                let swing = swings.reduce(0, +)
                swings.removeFirst()
                let limit = Self.swing * Self.noiseSwing * band.noiseGain * noise.deviation
                return swing / Double(RippleBand.overlap) >= max(limit, Self.minimumSwing)
            case .pulse:
                return (3..<3 + Int(2 * rate)).contains { abs(correlation(ofSigns: $0)) >= Self.regularity }
            }
        }
    }

    /// The distance of the lowest values of a quarter of the window from its level.
    private mutating func downwardSwing(ofQuarter quarter: Int) -> Double {
        sort(filtered[quarter * band.hop..<(quarter + 1) * band.hop])
        return quantile(0.4) - quantile(0.1)
    }

    private mutating func sort(_ values: ArraySlice<Double>) {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: values)
        sorted.sort()
    }

    private func quantile(_ share: Double) -> Double { sorted[Int(share * Double(sorted.count))] }

    /// The correlation of the signs of the window's values with those this many samples before.
    private func correlation(ofSigns lag: Int) -> Double {
        let count = min(band.window, UInt128.bitWidth) - lag
        let differing = ((signs ^ (signs >> UInt128(lag))) & ((1 << UInt128(count)) - 1)).nonzeroBitCount
        return 1 - 2 * Double(differing) / Double(count)
    }

    /// The wave that explains the window best, at a peak of the spectrum of this window and those before; nil where the
    /// spectrum has no peak.
    private mutating func best() -> Ripple? {
        sort(filtered[...].prefix(band.window))
        let level = quantile(0.4)
        let limit = 1.5 * (level - quantile(0.1))
        for index in values.indices { values[index] = filtered[index] - level }
        addSpectrum(limit)
        let step = rate / Double(fft.length)
        var best: Ripple?
        var highest = -Double.infinity
        for peak in peaks() where !isOfTrain(peak) {
            let ripple = fit.wave(near: Double(peak) * step, in: values, limit: limit)
            let score = ripple.explained * min(1, ripple.kept / 0.5)
            if score > highest { (best, highest) = (ripple, score) }
        }
        return best.map(inConductance)
    }

    /// True for a line of a train of responses: a ripple is close to a sine, and a train has power at the double or the half of a
    /// frequency.
    private func isOfTrain(_ peak: Int) -> Bool {
        func power(near bin: Int) -> Double {
            let range = max(1, bin - 1)...min(spectrum.count - 1, bin + 1)
            return range.reduce(0) { max($0, spectrum[$1]) }
        }
        guard 2 * peak < spectrum.count else { return false }
        return power(near: 2 * peak) > Self.overtone * spectrum[peak]
            || (peak >= 4 && power(near: peak / 2) > Self.undertone * spectrum[peak])
    }

    /// Adds the spectrum of the window, in which what exceeds the limit is cut off.
    private mutating func addSpectrum(_ limit: Double) {
        var mean = 0.0
        for index in values.indices {
            row[index] = min(max(values[index], -2 * limit), limit)
            mean += row[index]
        }
        mean /= Double(values.count)
        for index in values.indices { row[index] = (row[index] - mean) * taper[index] }
        Self.transform(row, fft, &real, &imaginary)
        var total = 0.0
        for bin in bins { total += real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }
        let factor = total > 0 ? 1 / total : 0
        for bin in spectrum.indices {
            let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
            spectrum[bin] = Self.memory * spectrum[bin] + factor * power
        }
    }

    private static func transform(
        _ row: [Double], _ fft: RealFFT<Double>, _ real: inout [Double], _ imaginary: inout [Double]
    ) {
        var reals = real.mutableSpan
        var imaginaries = imaginary.mutableSpan
        fft.forward(row.span, real: &reals, imaginary: &imaginaries)
    }

    /// The highest peaks of the spectrum within the band, the highest first.
    private func peaks() -> [Int] {
        let all = bins.filter { spectrum[$0] > spectrum[$0 - 1] && spectrum[$0] >= spectrum[$0 + 1] }
        return Array(all.sorted { (spectrum[$0], $1) > (spectrum[$1], $0) }.prefix(Self.candidates))
    }

    /// The wave in conductance that the filter turns into this one.
    private func inConductance(_ ripple: Ripple) -> Ripple {
        let (real, imaginary) = band.response(at: ripple.frequency, sampleRate: rate)
        let power = max(real * real + imaginary * imaginary, 1e-30)
        var wave = ripple
        // (cosine − i·sine) over the filter's response.
        wave.cosine = (ripple.cosine * real - ripple.sine * imaginary) / power
        wave.sine = (ripple.sine * real + ripple.cosine * imaginary) / power
        return wave
    }

    private func isConfirmed(_ ripple: Ripple) -> Bool {
        guard ripple.kept >= Self.kept, ripple.explained >= Self.explained, ripple.amplitude <= largest else {
            return false
        }
        if ripple.explained >= (searched < 2 ? Self.opening : Self.alone) { return true }
        let alike = latest.count {
            guard let other = $0 else { return false }
            return other.explained >= Self.explained
                && abs(other.frequency - ripple.frequency) <= Self.nearness * ripple.frequency
        }
        return alike >= Self.agreeing
    }
}
