import CVectors

/// What a kernel computes on: a number, or a vector whose lanes are independent channels or transforms.
///
/// One source then serves both, and a lane gives the same bits as the scalar.
protocol Lane: Sendable {
    associatedtype Scalar: BinaryFloatingPoint & Sendable
    init(repeating: Scalar)
    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    static func * (a: Self, b: Self) -> Self
    static func * (a: Self, b: Scalar) -> Self
}

extension Float: Lane {
    typealias Scalar = Float
    @inline(__always) init(repeating value: Float) { self = value }
}

extension Double: Lane {
    typealias Scalar = Double
    @inline(__always) init(repeating value: Double) { self = value }
}

/// Eight floats.
struct Float8: Lane {
    var v: SIMD8<Float>
    @inline(__always) init(_ v: SIMD8<Float>) { self.v = v }
    @inline(__always) init(repeating value: Float) { v = marey_all(value) }
    @inline(__always) static func + (a: Float8, b: Float8) -> Float8 { Float8(marey_add(a.v, b.v)) }
    @inline(__always) static func - (a: Float8, b: Float8) -> Float8 { Float8(marey_sub(a.v, b.v)) }
    @inline(__always) static func * (a: Float8, b: Float8) -> Float8 { Float8(marey_mul(a.v, b.v)) }
    @inline(__always) static func * (a: Float8, b: Float) -> Float8 { Float8(marey_mul(a.v, marey_all(b))) }
}

/// Four doubles.
struct Double4: Lane {
    var v: SIMD4<Double>
    @inline(__always) init(_ v: SIMD4<Double>) { self.v = v }
    @inline(__always) init(repeating value: Double) { v = marey_all(value) }
    @inline(__always) static func + (a: Double4, b: Double4) -> Double4 { Double4(marey_add(a.v, b.v)) }
    @inline(__always) static func - (a: Double4, b: Double4) -> Double4 { Double4(marey_sub(a.v, b.v)) }
    @inline(__always) static func * (a: Double4, b: Double4) -> Double4 { Double4(marey_mul(a.v, b.v)) }
    @inline(__always) static func * (a: Double4, b: Double) -> Double4 { Double4(marey_mul(a.v, marey_all(b))) }
}
