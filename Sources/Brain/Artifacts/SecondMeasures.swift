import Kernels

/// Computes what a second of EEG shows.
struct SecondMeasures: Sendable {
    private let frames: Int
    private let channels: Int
    private let plan: RealFFT<Float>
    private let taper: [Float]
    /// Squared spectrum to mean square, both sides of it.
    private let scale: Double
    private let eeg: Range<Int>
    private let fast: [Int]
    private let hum: [HumBand]
    /// The usual power of each channel at each frequency of `eeg`, over about the last ten seconds.
    private var usual: [Float]
    private var seen: [Int]
    /// The level of each channel while it was not flat, over about the last ten seconds; nil before.
    private var usualLevels: [Double?]
    private var rows: [Float]
    private var real: [Float]
    private var imaginary: [Float]
    private var ranks = FloatRanks()
    private var stepsOf: [Float]
    /// The usual step of each channel in the second before.
    private var usualSteps: [Float]

    /// The bins of one mains frequency and those beside it.
    private struct HumBand: Sendable {
        var tone: ClosedRange<Int>
        var beside: [Int]
    }

    init(frames: Int, channels: Int, sampleRate: Double) {
        self.frames = frames
        self.channels = channels
        plan = RealFFT<Float>(length: frames)
        let hann = Window.hann.periodic(frames)
        taper = hann.map(Float.init)
        scale = 2 / (Double(frames) * hann.reduce(0) { $0 + $1 * $1 })
        let width = sampleRate / Double(frames)
        let bins = plan.bins
        let top = bins - 2
        func bin(_ frequency: Double) -> Int { Int((frequency / width).rounded()) }
        eeg = min(bin(2), top)..<max(min(bin(30), top), min(bin(2), top))
        let highest = min(bin(95), Int(Double(bins) * 0.9))
        fast = (min(bin(35), highest)..<highest).filter { place in
            [50.0, 60, 100, 120].allSatisfy { abs(Double(place) * width - $0) > 2.5 * width }
        }
        hum = [50.0, 60].filter { bin($0) + 2 < bins }.map { frequency in
            let centre = bin(frequency)
            let beside = [-5, -4, 4, 5].map { centre + $0 }.filter { $0 < bins }
            return HumBand(tone: centre - 1...centre + 1, beside: beside)
        }
        usual = Array(repeating: 0, count: channels * eeg.count)
        seen = Array(repeating: 0, count: channels)
        usualLevels = Array(repeating: nil, count: channels)
        rows = Array(repeating: 0, count: channels * frames)
        real = Array(repeating: 0, count: channels * plan.bins)
        imaginary = real
        stepsOf = Array(repeating: 0, count: max(0, frames - 1))
        usualSteps = Array(repeating: 0, count: channels)
    }

    /// What came before a gap says nothing about what follows.
    mutating func forget() {
        for channel in seen.indices { (seen[channel], usualLevels[channel]) = (0, nil) }
    }

    mutating func measure(_ epoch: Epoch) -> EEGSecond {
        var second = EEGSecond(onset: epoch.onset, coverage: 1, channels: [], agreement: [])
        second.channels.reserveCapacity(channels)
        for channel in 0..<channels {
            second.channels.append(shape(epoch, channel))
        }
        transform()
        for channel in 0..<channels where second.channels[channel].isMeasured {
            bands(channel, &second.channels[channel])
            compareLevel(channel, &second.channels[channel])
        }
        whiten(second)
        second.agreement = agreement(second)
        return second
    }

    /// What needs no spectrum; leaves the channel without its mean in `rows`, zeros where samples are missing.
    private mutating func shape(_ epoch: Epoch, _ channel: Int) -> EEGSecond.Channel {
        var found = EEGSecond.Channel()
        let samples = epoch.samples.span.extracting(epoch.range(ofChannel: channel))
        let start = channel * frames
        guard Scans.largestMagnitude(samples).isFinite else {
            note(missingIn: samples, &found)
            if found.isMeasured {
                shape(Self.bridged(samples).span, channel, &found)
            } else {
                for index in samples.indices { rows[start + index] = 0 }
            }
            return found
        }
        shape(samples, channel, &found)
        return found
    }

    private mutating func shape(_ samples: Span<Float>, _ channel: Int, _ found: inout EEGSecond.Channel) {
        let start = channel * frames
        found.level = Scans.doubleSum(samples) / Double(frames)
        let level = Float(found.level)
        for index in samples.indices { rows[start + index] = samples[index] - level }
        guard frames > 1 else { return }
        steps(channel, &found)
        stillness(samples, &found)
        removeLine(channel)
    }

    /// Straight lines where samples are missing: to judge the others by, never to compute from.
    private static func bridged(_ samples: Span<Float>) -> [Float] {
        var whole = samples.indices.map { samples[$0] }
        var before: Int?
        for index in samples.indices where samples[index].isFinite {
            let (first, value) = (before ?? -1, samples[index])
            let from = before.map { samples[$0] } ?? value
            for hole in first + 1..<index {
                whole[hole] = from + (value - from) * Float(hole - first) / Float(index - first)
            }
            before = index
        }
        if let before { for hole in before + 1..<whole.count { whole[hole] = samples[before] } }
        return whole
    }

    private func note(missingIn samples: Span<Float>, _ found: inout EEGSecond.Channel) {
        var (missing, sum) = (0, 0.0)
        for index in samples.indices {
            if samples[index].isFinite { sum += Double(samples[index]) } else { missing += 1 }
        }
        found.missing = Double(missing) / Double(frames)
        found.level = missing < frames ? sum / Double(frames - missing) : .nan
    }

    /// A drift that goes on beyond the second would leak into all its frequencies.
    private mutating func removeLine(_ channel: Int) {
        let frames = frames
        let base = channel * frames
        let middle = Double(frames - 1) / 2
        let product = Scans.firstMoment(rows.span.extracting(base..<base + frames))
        let slope = product * 12 / (Double(frames) * (Double(frames) * Double(frames) - 1))
        rows.withUnsafeMutableBufferPointer { rows in
            let row = UnsafeMutableBufferPointer(rebasing: rows[base..<base + frames])
            for index in row.indices {
                row[index] -= Float(slope * (Double(Int32(truncatingIfNeeded: index)) - middle))
            }
        }
    }

    private mutating func steps(_ channel: Int, _ found: inout EEGSecond.Channel) {
        let start = channel * frames
        for index in stepsOf.indices { stepsOf[index] = rows[start + index + 1] - rows[start + index] }
        let steps = stepsOf
        ranks.load(magnitudesOf: steps.span)
        let before = usualSteps[channel]
        let usual = ranks.value(at: steps.count / 2, expected: before > 0 ? 0.9 * before...1.1 * before : nil)
        usualSteps[channel] = usual
        found.jump = Double(ranks.largest)
        found.usualStep = Double(usual)
        found.peak = Double(Scans.largestMagnitude(rows.span.extracting(start..<start + frames)))
    }

    private func stillness(_ x: Span<Float>, _ found: inout EEGSecond.Channel) {
        guard Scans.hasThreeEqual(x) else { return }
        let long = max(4, frames / 20)
        var (low, high) = (x[0], x[0])
        for index in x.indices { (low, high) = (min(low, x[index]), max(high, x[index])) }
        var (flat, clipped, begun) = (0, 0, 0)
        for index in 1...x.count where index == x.count || x[index] != x[begun] {
            let length = index - begun
            if length >= long { flat += length }
            if length >= 3, x[begun] == low || x[begun] == high { clipped += length }
            begun = index
        }
        found.flat = Double(flat) / Double(x.count)
        // A small EEG of few steps is at its extremes for a while, too; a flat line is told as such.
        let share = Double(clipped) / Double(x.count)
        let isRail = high - low > 50 || (share > 0.2 && found.flat <= ChannelLimits.flat)
        found.clipped = isRail ? share : 0
    }

    private mutating func transform() {
        let (plan, taper, frames, channels) = (plan, taper, frames, channels)
        let input = rows
        var (re, im): ([Float], [Float]) = ([], [])
        swap(&re, &real)
        swap(&im, &imaginary)
        Self.transform(input, plan, taper, frames, channels, &re, &im)
        swap(&re, &real)
        swap(&im, &imaginary)
    }

    private static func transform(
        _ rows: [Float], _ plan: RealFFT<Float>, _ taper: [Float], _ frames: Int, _ channels: Int,
        _ real: inout [Float], _ imaginary: inout [Float]
    ) {
        var realSpan = real.mutableSpan
        var imaginarySpan = imaginary.mutableSpan
        plan.forward(
            rowsOf: rows.span, count: channels, stride: frames, taper: taper, real: &realSpan,
            imaginary: &imaginarySpan)
    }

    private func bands(_ channel: Int, _ found: inout EEGSecond.Channel) {
        let row = channel * plan.bins
        func power(_ bin: Int) -> Double {
            let (re, im) = (Double(real[row + bin]), Double(imaginary[row + bin]))
            return (re * re + im * im) * scale
        }
        func root(_ sum: Double) -> Double { max(0, sum).squareRoot() }
        found.eeg = root(eeg.reduce(0) { $0 + power($1) })
        found.fast = root(fast.reduce(0) { $0 + power($1) })
        found.hum =
            hum.map { band in
                let tone = band.tone.reduce(0) { $0 + power($1) }
                let beside = band.beside.reduce(0) { $0 + power($1) } / Double(band.beside.count)
                return root(tone - beside * Double(band.tone.count))
            }.max() ?? 0
    }

    private mutating func compareLevel(_ channel: Int, _ found: inout EEGSecond.Channel) {
        let usual = usualLevels[channel]
        if found.isFlat {
            found.isAtRail = usual.map { abs(found.level - $0) > ChannelLimits.rail } ?? false
        } else {
            usualLevels[channel] = usual.map { $0 + (found.level - $0) / 10 } ?? found.level
        }
    }

    /// Divides the spectra by the channels' usual ones.
    private mutating func whiten(_ second: EEGSecond) {
        for channel in 0..<channels where second.channels[channel].isMeasured {
            seen[channel] = min(seen[channel] + 1, 10)
            let share = 1 / Float(seen[channel])
            for (index, bin) in eeg.enumerated() {
                let place = channel * plan.bins + bin
                let power = real[place] * real[place] + imaginary[place] * imaginary[place]
                let at = channel * eeg.count + index
                usual[at] += (power - usual[at]) * share
                let factor = usual[at] > 0 ? 1 / usual[at].squareRoot() : 0
                real[place] *= factor
                imaginary[place] *= factor
            }
        }
    }

    private func agreement(_ second: EEGSecond) -> [Float] {
        guard channels > 1, !eeg.isEmpty else { return [] }
        var found = [Float](repeating: 0, count: channels * (channels - 1) / 2)
        let powers = (0..<channels).map { channel in
            eeg.reduce(Float(0)) { sum, bin in
                let place = channel * plan.bins + bin
                return sum + real[place] * real[place] + imaginary[place] * imaginary[place]
            }
        }
        for i in 0..<channels - 1 {
            for j in i + 1..<channels {
                let (a, b) = (i * plan.bins, j * plan.bins)
                var sum: Float = 0
                for bin in eeg {
                    sum += real[a + bin] * real[b + bin] + imaginary[a + bin] * imaginary[b + bin]
                }
                let size = (powers[i] * powers[j]).squareRoot()
                let isThere = second.channels[i].isMeasured && second.channels[j].isMeasured
                found[EEGSecond.pair(i, j, of: channels)] = isThere && size > 0 ? sum / size : 0
            }
        }
        return found
    }
}
