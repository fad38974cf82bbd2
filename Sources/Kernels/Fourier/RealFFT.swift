import CVectors

/// The Fourier transform of real signals of one length: X[k] = Σ x[t]·e^(−2πikt/length) for k = 0…length/2.
///
/// Any length; those without prime factors above 5 are fastest. A plan is immutable: make it once, share it freely.
/// Powers of two from 64 floats and 32 doubles on are the fastest, one at a time or many. Of other lengths batches run a
/// transform per SIMD lane, about four times faster than one after the other; a row's result does not depend on what other
/// rows there are.
public struct RealFFT<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
    /// How many samples are transformed.
    public let length: Int
    private let engine: any FourierEngine<Scalar>

    /// How many frequencies come out, 0 to half the sample rate.
    public var bins: Int { length / 2 + 1 }

    /// The frequencies of the bins in hertz.
    public func frequencies(sampleRate: Double) -> [Double] {
        (0..<bins).map { Double($0) * sampleRate / Double(length) }
    }

    /// Transforms `x` into `real` and `imaginary`.
    /// - Precondition: `length` samples, room for `bins` values in each output.
    public func forward(
        _ x: Span<Scalar>, real: inout MutableSpan<Scalar>, imaginary: inout MutableSpan<Scalar>
    ) {
        precondition(x.count == length && real.count == bins && imaginary.count == bins, "length samples, bins outputs")
        x.withUnsafeBufferPointer { x in
            real.withUnsafeMutableBufferPointer { real in
                imaginary.withUnsafeMutableBufferPointer { imaginary in
                    guard let x = x.baseAddress, let re = real.baseAddress, let im = imaginary.baseAddress
                    else { return }
                    engine.forward(x, re, im)
                }
            }
        }
    }

    /// The transform of `x`.
    /// - Precondition: `length` samples.
    public func forward(_ x: [Scalar]) -> Spectrum<Scalar> {
        var real = [Scalar](repeating: 0, count: bins)
        var imaginary = real
        var realSpan = real.mutableSpan
        var imaginarySpan = imaginary.mutableSpan
        forward(x.span, real: &realSpan, imaginary: &imaginarySpan)
        return Spectrum(real: real, imaginary: imaginary)
    }

    /// Transforms back: `inverse` of `forward` is the signal. The imaginary parts of the bins at 0 Hz and half the
    /// sample rate are taken as 0.
    /// - Precondition: `bins` values in each input, room for `length` samples.
    public func inverse(real: Span<Scalar>, imaginary: Span<Scalar>, into x: inout MutableSpan<Scalar>) {
        precondition(x.count == length && real.count == bins && imaginary.count == bins, "length samples, bins inputs")
        x.withUnsafeMutableBufferPointer { x in
            real.withUnsafeBufferPointer { real in
                imaginary.withUnsafeBufferPointer { imaginary in
                    guard let x = x.baseAddress, let re = real.baseAddress, let im = imaginary.baseAddress
                    else { return }
                    engine.inverse(re, im, x)
                }
            }
        }
    }

    /// The signal of a spectrum.
    /// - Precondition: `bins` values.
    public func inverse(_ spectrum: Spectrum<Scalar>) -> [Scalar] {
        var x = [Scalar](repeating: 0, count: length)
        var span = x.mutableSpan
        inverse(real: spectrum.real.span, imaginary: spectrum.imaginary.span, into: &span)
        return x
    }

    /// Transforms `count` rows of `signal`, each starting `stride` samples after the one before: windows of a signal
    /// where `stride` is below `length`, rows of a matrix where it is equal.
    /// - Parameters:
    ///   - taper: what each row is multiplied with first, `length` values; nil for nothing.
    ///   - outputStride: from a row that comes out to the next; nil where they follow one another.
    ///   - real: room for `count` rows of `bins` values.
    ///   - imaginary: likewise.
    /// - Precondition: all rows lie within the signal.
    public func forward(
        rowsOf signal: Span<Scalar>, count: Int, stride: Int, taper: [Scalar]? = nil, outputStride: Int? = nil,
        real: inout MutableSpan<Scalar>, imaginary: inout MutableSpan<Scalar>
    ) {
        let step = outputStride ?? bins
        let least = max(0, count - 1) * step + min(1, count) * bins
        precondition(step >= bins && real.count >= least && imaginary.count >= least, "room for bins outputs per row")
        withRows(signal, count, stride, taper, step) { rows in
            real.withUnsafeMutableBufferPointer { real in
                imaginary.withUnsafeMutableBufferPointer { imaginary in
                    guard let re = real.baseAddress, let im = imaginary.baseAddress else { return }
                    engine.forward(rows: rows, re, im)
                }
            }
        }
    }

    /// The squared magnitudes |X|² of `count` rows, as `forward(rowsOf:)` takes them.
    /// - Parameter power: room for `count` rows of `bins` values.
    /// - Precondition: all rows lie within the signal.
    public func power(
        rowsOf signal: Span<Scalar>, count: Int, stride: Int, taper: [Scalar]? = nil,
        into power: inout MutableSpan<Scalar>
    ) {
        precondition(power.count >= count * bins, "bins outputs per row")
        withRows(signal, count, stride, taper, bins) { rows in
            power.withUnsafeMutableBufferPointer { power in
                guard let power = power.baseAddress else { return }
                engine.power(rows: rows, power)
            }
        }
    }

    /// The squared magnitudes |X|² of rows of `signal`, each less its mean, added up over tapers that it is multiplied with.
    /// - Parameters:
    ///   - tapers: one after the other, `length` values each.
    ///   - power: room for `bins` values of each row.
    ///   - work: room to work in, made on the first call; keep it for the next.
    /// - Precondition: all rows lie within the signal; whole tapers, at least one.
    public func power(
        centredRowsOf signal: Span<Float>, at places: RowPlaces, tapers: [Scalar],
        into power: inout MutableSpan<Scalar>,
        work: inout [Scalar]
    ) {
        guard places.count > 0 else { return }
        precondition(power.count == places.count * bins, "bins outputs per row")
        precondition(places.start(places.count - 1) + length <= signal.count, "all rows within the signal")
        precondition(!tapers.isEmpty && tapers.count % length == 0, "a taper value per sample")
        // The means of the rows, then what the engine needs, from where a line of the cache begins.
        let (line, size) = (64, MemoryLayout<Scalar>.stride)
        let room = places.count + (engine.workBytes + line) / size
        if work.count < room { work = Array(repeating: 0, count: room) }
        signal.withUnsafeBufferPointer { signal in
            work.withUnsafeMutableBufferPointer { work in
                tapers.withUnsafeBufferPointer { taper in
                    power.withUnsafeMutableBufferPointer { power in
                        guard let signal = signal.baseAddress, let means = work.baseAddress,
                            let taper = taper.baseAddress, let power = power.baseAddress
                        else { return }
                        setMeans(means, signal, places)
                        let rows = CentredRows(
                            signal: signal, places: places, means: means, taper: taper, tapers: tapers.count / length)
                        let rest = UnsafeMutableRawPointer(means + places.count).alignedUp(toMultipleOf: line)
                        engine.power(centred: rows, power, work: rest)
                    }
                }
            }
        }
    }

    private func setMeans(_ means: UnsafeMutablePointer<Scalar>, _ signal: UnsafePointer<Float>, _ places: RowPlaces) {
        let last = places.count - 1
        for first in stride(from: 0, through: last, by: 4) {
            // Where there are no more, the last one once again.
            let row = { signal + places.start(min(first + $0, last)) }
            let sums = marey_four_sums(row(0), row(1), row(2), row(3), length)
            for index in first...min(first + 3, last) { means[index] = Scalar(sums[index - first] / Double(length)) }
        }
    }

    /// Transforms rows of spectra back, and keeps the latter half of each signal: what overlap-save is after.
    /// - Parameters:
    ///   - real: `count` rows of `bins` values, each starting `stride` after the one before.
    ///   - imaginary: likewise; those of the bins at 0 Hz and half the sample rate are taken as 0.
    ///   - x: room for `count` rows of `length` / 2 samples.
    /// - Precondition: an even length; all rows lie within the spectra.
    public func inverse(
        halvesOf real: Span<Scalar>, imaginary: Span<Scalar>, count: Int, stride: Int, into x: inout MutableSpan<Scalar>
    ) {
        guard count > 0 else { return }
        let least = (count - 1) * stride + bins
        precondition(length % 2 == 0 && stride >= 0 && x.count >= count * length / 2, "length / 2 outputs per row")
        precondition(real.count >= least && imaginary.count >= least, "all rows within the spectra")
        x.withUnsafeMutableBufferPointer { x in
            real.withUnsafeBufferPointer { real in
                imaginary.withUnsafeBufferPointer { imaginary in
                    guard let x = x.baseAddress, let re = real.baseAddress, let im = imaginary.baseAddress
                    else { return }
                    engine.inverse(halvesOf: SpectrumRows(real: re, imaginary: im, count: count, stride: stride), x)
                }
            }
        }
    }

    private func withRows(
        _ signal: Span<Scalar>, _ count: Int, _ stride: Int, _ taper: [Scalar]?, _ step: Int,
        _ body: (RowBatch<Scalar>) -> Void
    ) {
        guard count > 0 else { return }
        precondition(stride >= 0 && (count - 1) * stride + length <= signal.count, "all rows within the signal")
        precondition(taper.map { $0.count == length } ?? true, "a taper value per sample")
        signal.withUnsafeBufferPointer { signal in
            guard let start = signal.baseAddress else { return }
            if let taper {
                taper.withUnsafeBufferPointer {
                    body(
                        RowBatch(
                            start: start, count: count, stride: stride, taper: $0.baseAddress, outputStride: step))
                }
            } else {
                body(RowBatch(start: start, count: count, stride: stride, taper: nil, outputStride: step))
            }
        }
    }
}

extension RealFFT where Scalar == Float {
    /// The plan for `length` floats.
    /// - Precondition: at least 1.
    public init(length: Int) {
        precondition(length > 0, "a transform has a sample")
        self.length = length
        engine = keptFloatEngines.engine(length, FloatEngine.init)
    }
}

extension RealFFT where Scalar == Double {
    /// The plan for `length` doubles.
    /// - Precondition: at least 1.
    public init(length: Int) {
        precondition(length > 0, "a transform has a sample")
        self.length = length
        engine = keptDoubleEngines.engine(length, DoubleEngine.init)
    }
}

/// The non-negative frequencies of a real signal's Fourier transform.
public struct Spectrum<Scalar: BinaryFloatingPoint & Sendable>: Sendable, Hashable {
    /// Real part per bin.
    public var real: [Scalar]
    /// Imaginary part per bin.
    public var imaginary: [Scalar]

    /// The spectrum with these parts.
    /// - Precondition: as many real as imaginary ones.
    public init(real: [Scalar], imaginary: [Scalar]) {
        precondition(real.count == imaginary.count, "two parts per bin")
        self.real = real
        self.imaginary = imaginary
    }

    /// |X|² per bin.
    public var power: [Scalar] { zip(real, imaginary).map { $0 * $0 + $1 * $1 } }
}
