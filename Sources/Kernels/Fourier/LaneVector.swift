import CVectors

/// A hardware vector of neighbours in memory, with the shuffles the transforms need.
protocol LaneVector: Lane where Scalar: Lane, Scalar.Scalar == Scalar {
    static var width: Int { get }
    static func load(_ p: UnsafePointer<Scalar>) -> Self
    /// `width` floats in the vector's precision.
    static func load(floats p: UnsafePointer<Float>) -> Self
    func store(_ p: UnsafeMutablePointer<Scalar>)
    /// The values at even and at odd places of twice `width` neighbours.
    static func loadPairs(_ p: UnsafePointer<Scalar>) -> (Self, Self)
    /// The lanes back to front.
    var reversed: Self { get }
    /// A square of `width` vectors, rows and columns exchanged.
    static func transpose(_ p: UnsafeMutablePointer<Self>)
    /// The Fourier transform of `width` values, in place.
    static func butterfly(_ p: UnsafeMutablePointer<Pair<Self>>)
    // Transforms of twice `count` values, with the table and the work of `BinaryTransform`.
    static func realForward(_ x: Input, _ re: Output, _ im: Output, _ count: Int, _ table: Input, _ work: Output)
    static func realPower(_ x: Input, _ sums: Output, _ count: Int, _ table: Input, _ work: Output)
    static func centredPower(
        _ x: UnsafePointer<Float>, _ mean: Scalar, _ taper: Input, _ sums: Output, _ count: Int, _ table: Input,
        _ work: Output)
    static func realInverse(
        _ re: Input, _ im: Input, _ x: Output, _ begin: Int, _ count: Int, _ table: Input, _ work: Output)
}

extension LaneVector {
    typealias Input = UnsafePointer<Scalar>
    typealias Output = UnsafeMutablePointer<Scalar>
}

extension Float8: LaneVector {
    static var width: Int { 8 }

    @inline(__always) static func load(_ p: UnsafePointer<Float>) -> Float8 {
        Float8(UnsafeRawPointer(p).loadUnaligned(as: SIMD8<Float>.self))
    }
    @inline(__always) static func load(floats p: UnsafePointer<Float>) -> Float8 { load(p) }
    @inline(__always) func store(_ p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD8<Float>.self)
    }
    @inline(__always) static func loadPairs(_ p: UnsafePointer<Float>) -> (Float8, Float8) {
        let (a, b) = (load(p), load(p + width))
        return (Float8(marey_even(a.v, b.v)), Float8(marey_odd(a.v, b.v)))
    }
    @inline(__always) var reversed: Float8 {
        Float8(marey_reverse(v))
    }
    @inline(__always) static func transpose(_ p: UnsafeMutablePointer<Float8>) {
        marey_transpose(UnsafeMutableRawPointer(p).assumingMemoryBound(to: Float.self))
    }
    @inline(__always) static func butterfly(_ p: UnsafeMutablePointer<Pair<Float8>>) { Butterfly.eight(p) }
    @inline(__always)
    static func realForward(_ x: Input, _ re: Output, _ im: Output, _ count: Int, _ table: Input, _ work: Output) {
        marey_real_forward(x, re, im, count, table, work)
    }
    @inline(__always)
    static func realPower(_ x: Input, _ sums: Output, _ count: Int, _ table: Input, _ work: Output) {
        marey_real_power(x, sums, count, table, work)
    }
    @inline(__always)
    static func centredPower(
        _ x: UnsafePointer<Float>, _ mean: Scalar, _ taper: Input, _ sums: Output, _ count: Int, _ table: Input,
        _ work: Output
    ) {
        marey_centred_power(x, mean, taper, sums, count, table, work)
    }
    @inline(__always)
    static func realInverse(
        _ re: Input, _ im: Input, _ x: Output, _ begin: Int, _ count: Int, _ table: Input, _ work: Output
    ) {
        marey_real_inverse(re, im, x, begin, count, table, work)
    }
}

extension Double4: LaneVector {
    static var width: Int { 4 }

    @inline(__always) static func load(_ p: UnsafePointer<Double>) -> Double4 {
        Double4(UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Double>.self))
    }
    @inline(__always) static func load(floats p: UnsafePointer<Float>) -> Double4 {
        Double4(marey_wide(UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)))
    }
    @inline(__always) func store(_ p: UnsafeMutablePointer<Double>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD4<Double>.self)
    }
    @inline(__always) static func loadPairs(_ p: UnsafePointer<Double>) -> (Double4, Double4) {
        let (a, b) = (load(p), load(p + width))
        return (Double4(marey_even(a.v, b.v)), Double4(marey_odd(a.v, b.v)))
    }
    @inline(__always) var reversed: Double4 {
        Double4(marey_reverse(v))
    }
    @inline(__always) static func transpose(_ p: UnsafeMutablePointer<Double4>) {
        marey_transpose(UnsafeMutableRawPointer(p).assumingMemoryBound(to: Double.self))
    }
    @inline(__always) static func butterfly(_ p: UnsafeMutablePointer<Pair<Double4>>) {
        (p[0], p[1], p[2], p[3]) = Butterfly.four(p[0], p[1], p[2], p[3])
    }
    @inline(__always)
    static func realForward(_ x: Input, _ re: Output, _ im: Output, _ count: Int, _ table: Input, _ work: Output) {
        marey_real_forward(x, re, im, count, table, work)
    }
    @inline(__always)
    static func realPower(_ x: Input, _ sums: Output, _ count: Int, _ table: Input, _ work: Output) {
        marey_real_power(x, sums, count, table, work)
    }
    @inline(__always)
    static func centredPower(
        _ x: UnsafePointer<Float>, _ mean: Scalar, _ taper: Input, _ sums: Output, _ count: Int, _ table: Input,
        _ work: Output
    ) {
        marey_centred_power(x, mean, taper, sums, count, table, work)
    }
    @inline(__always)
    static func realInverse(
        _ re: Input, _ im: Input, _ x: Output, _ begin: Int, _ count: Int, _ table: Input, _ work: Output
    ) {
        marey_real_inverse(re, im, x, begin, count, table, work)
    }
}
