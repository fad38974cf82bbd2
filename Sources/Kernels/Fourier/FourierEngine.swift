/// The transforms of one length and precision.
protocol FourierEngine<Scalar>: Sendable {
    associatedtype Scalar: BinaryFloatingPoint & Sendable
    func forward(_ x: UnsafePointer<Scalar>, _ re: UnsafeMutablePointer<Scalar>, _ im: UnsafeMutablePointer<Scalar>)
    func inverse(_ re: UnsafePointer<Scalar>, _ im: UnsafePointer<Scalar>, _ x: UnsafeMutablePointer<Scalar>)
    func forward(rows: RowBatch<Scalar>, _ re: UnsafeMutablePointer<Scalar>, _ im: UnsafeMutablePointer<Scalar>)
    func inverse(halvesOf rows: SpectrumRows<Scalar>, _ x: UnsafeMutablePointer<Scalar>)
    func power(rows: RowBatch<Scalar>, _ power: UnsafeMutablePointer<Scalar>)
    var workBytes: Int { get }
    func power(
        centred rows: CentredRows<Scalar>, _ power: UnsafeMutablePointer<Scalar>, work: UnsafeMutableRawPointer)
}

/// `count` rows of a signal, the first of each `stride` after that of the row before, with a taper or none.
struct RowBatch<Scalar> {
    var start: UnsafePointer<Scalar>
    var count: Int
    var stride: Int
    var taper: UnsafePointer<Scalar>?
    /// From a row that comes out to the next.
    var outputStride: Int
}

/// `count` rows of the real and imaginary parts of spectra, each `stride` after the one before.
struct SpectrumRows<Scalar> {
    var real: UnsafePointer<Scalar>
    var imaginary: UnsafePointer<Scalar>
    var count: Int
    var stride: Int
}

/// Rows of floats, each less its mean and times every one of some tapers.
struct CentredRows<Scalar> {
    var signal: UnsafePointer<Float>
    var places: RowPlaces
    /// A value per row.
    var means: UnsafePointer<Scalar>
    var taper: UnsafePointer<Scalar>
    var tapers: Int

    var count: Int { places.count }

    @inline(__always)
    func start(_ row: Int) -> UnsafePointer<Float> { signal + places.start(row) }
}

// Generic methods reached through a protocol are not specialised; these two name the types.

/// Floats, eight lanes.
struct FloatEngine: FourierEngine {
    private let transform: RealTransform<Float8>

    init(length: Int) { transform = RealTransform(length: length) }

    /// The transform of a power of two, nil where that is not the way.
    var binary: BinaryTransform<Float8>? {
        if case .binary(let way) = transform { way } else { nil }
    }

    func forward(_ x: UnsafePointer<Float>, _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>) {
        transform.forward(x, re, im)
    }
    func inverse(_ re: UnsafePointer<Float>, _ im: UnsafePointer<Float>, _ x: UnsafeMutablePointer<Float>) {
        transform.inverse(re, im, x)
    }
    func forward(rows: RowBatch<Float>, _ re: UnsafeMutablePointer<Float>, _ im: UnsafeMutablePointer<Float>) {
        transform.forward(rows: rows, re, im)
    }
    func inverse(halvesOf rows: SpectrumRows<Float>, _ x: UnsafeMutablePointer<Float>) {
        transform.inverse(halvesOf: rows, x)
    }
    func power(rows: RowBatch<Float>, _ power: UnsafeMutablePointer<Float>) {
        transform.power(rows: rows, power)
    }
    var workBytes: Int { transform.workBytes }
    func power(
        centred rows: CentredRows<Float>, _ power: UnsafeMutablePointer<Float>, work: UnsafeMutableRawPointer
    ) {
        transform.power(centred: rows, power, work: work)
    }
}

/// Doubles, four lanes.
struct DoubleEngine: FourierEngine {
    private let transform: RealTransform<Double4>

    init(length: Int) { transform = RealTransform(length: length) }

    func forward(_ x: UnsafePointer<Double>, _ re: UnsafeMutablePointer<Double>, _ im: UnsafeMutablePointer<Double>) {
        transform.forward(x, re, im)
    }
    func inverse(_ re: UnsafePointer<Double>, _ im: UnsafePointer<Double>, _ x: UnsafeMutablePointer<Double>) {
        transform.inverse(re, im, x)
    }
    func forward(rows: RowBatch<Double>, _ re: UnsafeMutablePointer<Double>, _ im: UnsafeMutablePointer<Double>) {
        transform.forward(rows: rows, re, im)
    }
    func inverse(halvesOf rows: SpectrumRows<Double>, _ x: UnsafeMutablePointer<Double>) {
        transform.inverse(halvesOf: rows, x)
    }
    func power(rows: RowBatch<Double>, _ power: UnsafeMutablePointer<Double>) {
        transform.power(rows: rows, power)
    }
    var workBytes: Int { transform.workBytes }
    func power(
        centred rows: CentredRows<Double>, _ power: UnsafeMutablePointer<Double>, work: UnsafeMutableRawPointer
    ) {
        transform.power(centred: rows, power, work: work)
    }
}
