/// The transforms of one length, by the way that is the fastest for it.
enum RealTransform<V: LaneVector>: Sendable where V: Sendable, V.Scalar: Sendable {
    case binary(BinaryTransform<V>)
    case lanes(LaneTransform<V>)

    init(length: Int) {
        self = BinaryTransform<V>(length: length).map { .binary($0) } ?? .lanes(LaneTransform(length: length))
    }

    @inline(__always)
    func forward(_ x: V.Input, _ re: V.Output, _ im: V.Output) {
        switch self {
        case .binary(let way): way.forward(x, re, im)
        case .lanes(let way): way.forward(x, re, im)
        }
    }

    @inline(__always)
    func inverse(_ re: V.Input, _ im: V.Input, _ x: V.Output) {
        switch self {
        case .binary(let way): way.inverse(re, im, x)
        case .lanes(let way): way.inverse(re, im, x)
        }
    }

    @inline(__always)
    func forward(rows: RowBatch<V.Scalar>, _ re: V.Output, _ im: V.Output) {
        switch self {
        case .binary(let way): way.forward(rows: rows, re, im)
        case .lanes(let way): way.forward(rows: rows, re, im)
        }
    }

    @inline(__always)
    func inverse(halvesOf rows: SpectrumRows<V.Scalar>, _ x: V.Output) {
        switch self {
        case .binary(let way): way.inverse(halvesOf: rows, x)
        case .lanes(let way): way.inverse(halvesOf: rows, x)
        }
    }

    @inline(__always)
    func power(rows: RowBatch<V.Scalar>, _ power: V.Output) {
        switch self {
        case .binary(let way): way.power(rows: rows, power)
        case .lanes(let way): way.power(rows: rows, power)
        }
    }

    /// How many bytes `power(centred:)` needs to work in.
    var workBytes: Int {
        switch self {
        case .binary(let way): way.workBytes
        case .lanes(let way): way.workBytes
        }
    }

    @inline(__always)
    func power(centred rows: CentredRows<V.Scalar>, _ power: V.Output, work: UnsafeMutableRawPointer) {
        switch self {
        case .binary(let way): way.power(centred: rows, power, work: work)
        case .lanes(let way): way.power(centred: rows, power, work: work)
        }
    }
}
