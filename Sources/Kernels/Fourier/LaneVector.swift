/// A hardware vector of neighbours in memory, with the shuffles the transforms need.
protocol LaneVector: Lane where Scalar: Lane, Scalar.Scalar == Scalar {
    static var width: Int { get }
    static func load(_ p: UnsafePointer<Scalar>) -> Self
    func store(_ p: UnsafeMutablePointer<Scalar>)
    /// The values at even and at odd places of twice `width` neighbours.
    static func loadPairs(_ p: UnsafePointer<Scalar>) -> (Self, Self)
    /// The lanes back to front.
    var reversed: Self { get }
    /// A square of `width` vectors, rows and columns exchanged.
    static func transpose(_ p: UnsafeMutablePointer<Self>)
    /// The Fourier transform of `width` values, in place.
    static func butterfly(_ p: UnsafeMutablePointer<Pair<Self>>)
}

extension Float8: LaneVector {
    static var width: Int { 8 }

    @inline(__always) static func load(_ p: UnsafePointer<Float>) -> Float8 {
        Float8(UnsafeRawPointer(p).loadUnaligned(as: SIMD8<Float>.self))
    }
    @inline(__always) func store(_ p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD8<Float>.self)
    }
    @inline(__always) static func loadPairs(_ p: UnsafePointer<Float>) -> (Float8, Float8) {
        let all = UnsafeRawPointer(p).loadUnaligned(as: SIMD16<Float>.self)
        return (Float8(all.evenHalf), Float8(all.oddHalf))
    }
    @inline(__always) var reversed: Float8 {
        Float8(SIMD8(v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0]))
    }
    @inline(__always) static func transpose(_ p: UnsafeMutablePointer<Float8>) {
        // Three perfect unshuffles of the 64 values exchange rows and columns.
        for _ in 0..<3 {
            let (a, b) = (SIMD16(lowHalf: p[0].v, highHalf: p[1].v), SIMD16(lowHalf: p[2].v, highHalf: p[3].v))
            let (c, d) = (SIMD16(lowHalf: p[4].v, highHalf: p[5].v), SIMD16(lowHalf: p[6].v, highHalf: p[7].v))
            (p[0].v, p[1].v, p[2].v, p[3].v) = (a.evenHalf, b.evenHalf, c.evenHalf, d.evenHalf)
            (p[4].v, p[5].v, p[6].v, p[7].v) = (a.oddHalf, b.oddHalf, c.oddHalf, d.oddHalf)
        }
    }
    @inline(__always) static func butterfly(_ p: UnsafeMutablePointer<Pair<Float8>>) { Butterfly.eight(p) }
}

extension Double4: LaneVector {
    static var width: Int { 4 }

    @inline(__always) static func load(_ p: UnsafePointer<Double>) -> Double4 {
        Double4(UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Double>.self))
    }
    @inline(__always) func store(_ p: UnsafeMutablePointer<Double>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD4<Double>.self)
    }
    @inline(__always) static func loadPairs(_ p: UnsafePointer<Double>) -> (Double4, Double4) {
        let all = UnsafeRawPointer(p).loadUnaligned(as: SIMD8<Double>.self)
        return (Double4(all.evenHalf), Double4(all.oddHalf))
    }
    @inline(__always) var reversed: Double4 {
        Double4(SIMD4(v[3], v[2], v[1], v[0]))
    }
    @inline(__always) static func transpose(_ p: UnsafeMutablePointer<Double4>) {
        for _ in 0..<2 {
            let (a, b) = (SIMD8(lowHalf: p[0].v, highHalf: p[1].v), SIMD8(lowHalf: p[2].v, highHalf: p[3].v))
            (p[0].v, p[1].v, p[2].v, p[3].v) = (a.evenHalf, b.evenHalf, a.oddHalf, b.oddHalf)
        }
    }
    @inline(__always) static func butterfly(_ p: UnsafeMutablePointer<Pair<Double4>>) {
        (p[0], p[1], p[2], p[3]) = Butterfly.four(p[0], p[1], p[2], p[3])
    }
}
