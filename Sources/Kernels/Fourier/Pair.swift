/// A complex value per lane.
struct Pair<V: Lane> {
    var re: V
    var im: V

    @inline(__always) init(_ re: V, _ im: V) {
        self.re = re
        self.im = im
    }
    @inline(__always) static func + (a: Pair, b: Pair) -> Pair { Pair(a.re + b.re, a.im + b.im) }
    @inline(__always) static func - (a: Pair, b: Pair) -> Pair { Pair(a.re - b.re, a.im - b.im) }
    @inline(__always) static func * (a: Pair, b: V.Scalar) -> Pair { Pair(a.re * b, a.im * b) }
    @inline(__always) static func * (a: Pair, w: Twiddle<V.Scalar>) -> Pair {
        Pair(a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re)
    }
    /// Times −i.
    @inline(__always) var turned: Pair { Pair(im, V(repeating: 0) - re) }
    /// Real and imaginary part exchanged: before and after a forward transform it makes the inverse one.
    @inline(__always) var swapped: Pair { Pair(im, re) }
}

/// A complex factor common to all lanes.
struct Twiddle<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
    var re: Scalar
    var im: Scalar

    init(_ value: Complex) {
        re = Scalar(value.real)
        im = Scalar(value.imaginary)
    }
}
