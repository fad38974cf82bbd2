import Kernels

/// The spectra of successive epochs of several channels, and how alike any two channels are over them.
///
/// Each epoch has its mean taken out and a periodic Hann window, as in scipy's `coherence`; mne-connectivity's mode `fourier`
/// differs by its symmetric window, which changes a value by some thousandths (docs/eeg.md).
public struct EpochCrossSpectra: Sendable {
    /// Samples of an epoch and channel.
    public let frames: Int
    /// The frequencies of the bins that are kept, in hertz.
    public let frequencies: [Double]
    /// How many epochs are held.
    public private(set) var epochs = 0
    /// How many epochs can be held.
    public let capacity: Int
    private let channels: Int
    private let bins: Range<Int>
    private let quads: Int
    private let plan: RealFFT<Double>
    private let taper: [Double]
    /// Per four bins, channel and epoch: real and imaginary part, then those of the spectrum of unit length.
    private var spectra: [SIMD4<Double>]
    /// Per channel and epoch.
    private var usable: [Bool]
    private var rows: [Double]
    private var real: [Double]
    private var imaginary: [Double]

    /// - Parameters:
    ///   - frames: samples of an epoch and channel, at least 8.
    ///   - range: the frequencies of interest, in hertz, both ends included.
    ///   - capacity: the most epochs that are held, at least 1.
    /// - Precondition: the ranges above, at least one channel.
    public init(channels: Int, frames: Int, sampleRate: Double, range: ClosedRange<Double>, capacity: Int) {
        precondition(channels > 0 && frames >= 8 && sampleRate > 0 && capacity > 0, "room for an epoch")
        (self.channels, self.frames, self.capacity) = (channels, frames, capacity)
        plan = RealFFT(length: frames)
        taper = Window.hann.periodic(frames)
        let all = plan.frequencies(sampleRate: sampleRate)
        let margin = BandBins.slack * all[1]
        let inside = all.indices.filter { all[$0] >= range.lowerBound - margin && all[$0] <= range.upperBound + margin }
        bins = (inside.first ?? 0)..<(inside.last.map { $0 + 1 } ?? 0)
        frequencies = Array(all[bins])
        quads = (bins.count + 3) / 4
        spectra = Array(repeating: .zero, count: channels * quads * capacity * 4)
        usable = Array(repeating: false, count: channels * capacity)
        rows = Array(repeating: 0, count: channels * frames)
        real = Array(repeating: 0, count: channels * plan.bins)
        imaginary = real
    }

    /// Lets go of all epochs.
    public mutating func removeAll() { epochs = 0 }

    /// Adds an epoch of channel-major samples; what is not usable is left out of all its pairs.
    /// - Precondition: `channels` × `frames` samples, a flag per channel, fewer than `capacity` epochs held.
    public mutating func append(_ samples: Span<Float>, usable flags: [Bool]) {
        precondition(samples.count == channels * frames && flags.count == channels, "a whole epoch")
        precondition(epochs < capacity, "room for an epoch")
        for channel in 0..<channels {
            usable[channel * capacity + epochs] = flags[channel]
            Centred.copy(samples, from: channel * frames, count: frames, into: &rows, at: channel * frames)
        }
        transform()
        for channel in 0..<channels { store(channel) }
        epochs += 1
    }

    private mutating func transform() {
        // The parts leave the struct while they are written: spans of two of them would overlap.
        var parts: (re: [Double], im: [Double]) = ([], [])
        swap(&parts.re, &real)
        swap(&parts.im, &imaginary)
        Self.transform(rows, channels, plan, taper, &parts.re, &parts.im)
        swap(&parts.re, &real)
        swap(&parts.im, &imaginary)
    }

    private static func transform(
        _ rows: [Double], _ count: Int, _ plan: RealFFT<Double>, _ taper: [Double], _ re: inout [Double],
        _ im: inout [Double]
    ) {
        var re = re.mutableSpan
        var im = im.mutableSpan
        plan.forward(
            rowsOf: rows.span, count: count, stride: plan.length, taper: taper, real: &re, imaginary: &im)
    }

    private mutating func store(_ channel: Int) {
        let first = channel * plan.bins + bins.lowerBound
        for quad in 0..<quads {
            let (from, count) = (first + 4 * quad, min(4, bins.count - 4 * quad))
            let (re, im) = (Self.load(real, from, count), Self.load(imaginary, from, count))
            let size = (re * re + im * im).squareRoot()
            let scale = (1 / size).replacing(with: 0, where: size .== 0)
            let place = place(quad, channel) + 4 * epochs
            spectra[place] = re
            spectra[place + 1] = im
            spectra[place + 2] = re * scale
            spectra[place + 3] = im * scale
        }
    }

    /// The first `count` of four values; the others are 0.
    @inline(__always)
    private static func load(_ values: [Double], _ from: Int, _ count: Int) -> SIMD4<Double> {
        if count == 4 { return SIMD4(values[from], values[from + 1], values[from + 2], values[from + 3]) }
        var four = SIMD4<Double>.zero
        for lane in 0..<count { four[lane] = values[from + lane] }
        return four
    }

    /// The epochs in which both channels are usable.
    public func commonEpochs(_ pair: ChannelPair) -> [Int] {
        (0..<epochs).filter { usable[pair.first * capacity + $0] && usable[pair.second * capacity + $0] }
    }

    /// Where the epochs of a channel begin for four bins: those of all channels lie together, since pairs are gone through
    /// bin by bin.
    private func place(_ quad: Int, _ channel: Int) -> Int { (quad * channels + channel) * capacity * 4 }

    /// How many values `measure` gives for a pair.
    public var valuesPerPair: Int { ConnectivityMeasure.allCases.count * bins.count }

    /// The measures of pairs at each of `frequencies`, over the epochs in which both channels are usable.
    /// - Parameter values: set, for each pair, to a row per case of `ConnectivityMeasure`, of as many values as there are
    ///   frequencies; not a number where a denominator is 0.
    public func measure(_ pairs: ArraySlice<ChannelPair>, into values: inout [Double]) {
        let size = valuesPerPair
        if values.count != pairs.count * size { values = Array(repeating: 0, count: pairs.count * size) }
        let common = pairs.map(commonEpochs)
        for quad in 0..<quads {
            let powers = (0..<channels).map { power($0, quad) }
            for (index, pair) in pairs.enumerated() {
                let epochs = common[index]
                var sums: Sums
                if epochs.count == self.epochs {
                    sums = sum(pair, quad, 0..<self.epochs)
                    (sums.first, sums.second) = (powers[pair.first], powers[pair.second])
                } else {
                    sums = sum(pair, quad, epochs)
                    (sums.first, sums.second) = (power(pair.first, quad, epochs), power(pair.second, quad, epochs))
                }
                for lane in 0..<min(4, bins.count - 4 * quad) {
                    sums.measures(lane, of: epochs.count, to: &values, at: index * size + 4 * quad + lane, bins.count)
                }
            }
        }
    }

    private struct Sums {
        var (real, imaginary, absolute) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (unitReal, unitImaginary) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (first, second) = (SIMD4<Double>.zero, SIMD4<Double>.zero)

        /// Writes the measures at one frequency, `stride` apart from `place` on.
        func measures(_ lane: Int, of epochs: Int, to values: inout [Double], at place: Int, _ stride: Int) {
            let power = (first[lane] * second[lane]).squareRoot()
            let (re, im) = (real[lane], imaginary[lane])
            let (unitRe, unitIm) = (unitReal[lane], unitImaginary[lane])
            values[place] = (re * re + im * im).squareRoot() / power
            values[place + stride] = im / power
            values[place + 2 * stride] = (unitRe * unitRe + unitIm * unitIm).squareRoot() / Double(epochs)
            values[place + 3 * stride] = abs(im) / absolute[lane]
        }
    }

    /// The sums over epochs that both channels enter.
    @inline(__always)
    private func sum(_ pair: ChannelPair, _ quad: Int, _ common: some Collection<Int>) -> Sums {
        var sums = Sums()
        let size = SIMD4<UInt64>(repeating: 0x7fff_ffff_ffff_ffff)
        spectra.withUnsafeBufferPointer { spectra in
            guard let base = spectra.baseAddress else { return }
            let (x, y) = (base + place(quad, pair.first), base + place(quad, pair.second))
            for epoch in common {
                let (a, b) = (x + 4 * epoch, y + 4 * epoch)
                let imaginary = a[1] * b[0] - a[0] * b[1]
                sums.real += a[0] * b[0] + a[1] * b[1]
                sums.imaginary += imaginary
                // Without the sign's bit.
                let bits = unsafeBitCast(imaginary, to: SIMD4<UInt64>.self) & size
                sums.absolute += unsafeBitCast(bits, to: SIMD4<Double>.self)
                sums.unitReal += a[2] * b[2] + a[3] * b[3]
                sums.unitImaginary += a[3] * b[2] - a[2] * b[3]
            }
        }
        return sums
    }

    /// A channel's power over some epochs, all of them unless told.
    private func power(_ channel: Int, _ quad: Int, _ common: [Int]? = nil) -> SIMD4<Double> {
        var sum = SIMD4<Double>.zero
        spectra.withUnsafeBufferPointer { spectra in
            guard let base = spectra.baseAddress else { return }
            let x = base + place(quad, channel)
            func add(_ epoch: Int) { sum += x[4 * epoch] * x[4 * epoch] + x[4 * epoch + 1] * x[4 * epoch + 1] }
            if let common {
                for epoch in common { add(epoch) }
            } else {
                for epoch in 0..<epochs { add(epoch) }
            }
        }
        return sum
    }
}
