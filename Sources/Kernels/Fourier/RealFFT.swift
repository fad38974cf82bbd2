/// The Fourier transform of real signals of one length: X[k] = Σ x[t]·e^(−2πikt/length) for k = 0…length/2.
///
/// Any length; those without prime factors above 5 are fastest. A plan is immutable: make it once, share it freely.
/// Batches run a transform per SIMD lane, about four times faster than one after the other; a row's result does not
/// depend on what other rows there are.
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
    ///   - real: room for `count` rows of `bins` values.
    ///   - imaginary: likewise.
    /// - Precondition: all rows lie within the signal.
    public func forward(
        rowsOf signal: Span<Scalar>, count: Int, stride: Int, taper: [Scalar]? = nil,
        real: inout MutableSpan<Scalar>, imaginary: inout MutableSpan<Scalar>
    ) {
        precondition(real.count >= count * bins && imaginary.count >= count * bins, "room for bins outputs per row")
        withRows(signal, count, stride, taper) { rows in
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
        precondition(power.count == count * bins, "bins outputs per row")
        withRows(signal, count, stride, taper) { rows in
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
                        for row in 0..<places.count {
                            let values = UnsafeBufferPointer(start: signal + places.start(row), count: length)
                            means[row] = Scalar(Statistics.mean(values.span))
                        }
                        let rows = CentredRows(
                            signal: signal, places: places, means: means, taper: taper, tapers: tapers.count / length)
                        let rest = UnsafeMutableRawPointer(means + places.count).alignedUp(toMultipleOf: line)
                        engine.power(centred: rows, power, work: rest)
                    }
                }
            }
        }
    }

    /// Transforms all channels of sample-major frames `[time][channel]` into spectra `[bin][channel]`.
    /// - Precondition: `length` frames of `channels` values, room for `bins` × `channels` values.
    public func forward(
        frames: Span<Scalar>, channels: Int, real: inout MutableSpan<Scalar>, imaginary: inout MutableSpan<Scalar>
    ) {
        precondition(channels > 0 && frames.count == length * channels, "length frames")
        precondition(real.count == bins * channels && imaginary.count == bins * channels, "bins outputs per channel")
        frames.withUnsafeBufferPointer { frames in
            real.withUnsafeMutableBufferPointer { real in
                imaginary.withUnsafeMutableBufferPointer { imaginary in
                    guard let x = frames.baseAddress, let re = real.baseAddress, let im = imaginary.baseAddress
                    else { return }
                    engine.forward(frames: x, channels: channels, re, im)
                }
            }
        }
    }

    private func withRows(
        _ signal: Span<Scalar>, _ count: Int, _ stride: Int, _ taper: [Scalar]?, _ body: (RowBatch<Scalar>) -> Void
    ) {
        guard count > 0 else { return }
        precondition(stride >= 0 && (count - 1) * stride + length <= signal.count, "all rows within the signal")
        precondition(taper.map { $0.count == length } ?? true, "a taper value per sample")
        signal.withUnsafeBufferPointer { signal in
            guard let start = signal.baseAddress else { return }
            if let taper {
                taper.withUnsafeBufferPointer {
                    body(RowBatch(start: start, count: count, stride: stride, taper: $0.baseAddress))
                }
            } else {
                body(RowBatch(start: start, count: count, stride: stride, taper: nil))
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
        engine = FloatEngine(length: length)
    }
}

extension RealFFT where Scalar == Double {
    /// The plan for `length` doubles.
    /// - Precondition: at least 1.
    public init(length: Int) {
        precondition(length > 0, "a transform has a sample")
        self.length = length
        engine = DoubleEngine(length: length)
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
