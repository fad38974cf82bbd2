import Kernels

/// The spectra of successive epochs of several channels, and how alike any two channels are over them.
///
/// Each epoch is Hann-windowed with its mean taken out, as in mne-connectivity's mode `fourier` and Welch's coherence.
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
    /// Per channel, four bins and epoch: real and imaginary part, then those of the spectrum of unit length.
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
        for bin in 0..<bins.count {
            let from = channel * plan.bins + bins.lowerBound + bin
            let place = ((channel * quads + bin / 4) * capacity + epochs) * 4
            let (re, im) = (real[from], imaginary[from])
            let size = (re * re + im * im).squareRoot()
            let scale = size > 0 ? 1 / size : 0
            spectra[place][bin % 4] = re
            spectra[place + 1][bin % 4] = im
            spectra[place + 2][bin % 4] = re * scale
            spectra[place + 3][bin % 4] = im * scale
        }
    }

    /// The epochs in which both channels are usable.
    public func commonEpochs(_ pair: ChannelPair) -> [Int] {
        (0..<epochs).filter { usable[pair.first * capacity + $0] && usable[pair.second * capacity + $0] }
    }

    /// The measures of a pair at each of `frequencies`, over the epochs in which both channels are usable.
    /// - Parameter values: set to a row per case of `ConnectivityMeasure`, of as many values as there are frequencies; not
    ///   a number where a denominator is 0.
    public func measure(_ pair: ChannelPair, into values: inout [Double]) {
        let common = commonEpochs(pair)
        let kinds = ConnectivityMeasure.allCases.count
        if values.count != kinds * bins.count { values = Array(repeating: 0, count: kinds * bins.count) }
        for quad in 0..<quads {
            let sums = sum(pair, quad, common)
            for lane in 0..<min(4, bins.count - 4 * quad) {
                let bin = 4 * quad + lane
                let power = (sums.first[lane] * sums.second[lane]).squareRoot()
                let (re, im) = (sums.real[lane], sums.imaginary[lane])
                let (unitRe, unitIm) = (sums.unitReal[lane], sums.unitImaginary[lane])
                values[bin] = (re * re + im * im).squareRoot() / power
                values[bins.count + bin] = im / power
                values[2 * bins.count + bin] = (unitRe * unitRe + unitIm * unitIm).squareRoot() / Double(common.count)
                values[3 * bins.count + bin] = abs(im) / sums.absolute[lane]
            }
        }
    }

    private struct Sums {
        var (real, imaginary, absolute) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (unitReal, unitImaginary) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var (first, second) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    }

    private func sum(_ pair: ChannelPair, _ quad: Int, _ common: [Int]) -> Sums {
        var sums = Sums()
        let size = SIMD4<UInt64>(repeating: 0x7fff_ffff_ffff_ffff)
        spectra.withUnsafeBufferPointer { spectra in
            guard let base = spectra.baseAddress else { return }
            let x = base + (pair.first * quads + quad) * capacity * 4
            let y = base + (pair.second * quads + quad) * capacity * 4
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
                sums.first += a[0] * a[0] + a[1] * a[1]
                sums.second += b[0] * b[0] + b[1] * b[1]
            }
        }
        return sums
    }
}
