/// Discrete Fourier transforms of 2, 3, 4, 5 and 8 values.
enum Butterfly {
    @inline(__always)
    static func two<V: Lane>(_ a: Pair<V>, _ b: Pair<V>) -> (Pair<V>, Pair<V>) {
        (a + b, a - b)
    }

    @inline(__always)
    static func three<V: Lane>(_ a: Pair<V>, _ b: Pair<V>, _ c: Pair<V>) -> (Pair<V>, Pair<V>, Pair<V>) {
        let sine = V.Scalar(0.866_025_403_784_438_6)
        let sum = b + c
        let middle = a - sum * V.Scalar(0.5)
        let turned = ((b - c) * sine).turned
        return (a + sum, middle + turned, middle - turned)
    }

    @inline(__always)
    static func four<V: Lane>(
        _ a: Pair<V>, _ b: Pair<V>, _ c: Pair<V>, _ d: Pair<V>
    ) -> (Pair<V>, Pair<V>, Pair<V>, Pair<V>) {
        let (s0, d0) = two(a, c)
        let (s1, d1) = two(b, d)
        // ±(−i)·d1 without a negation.
        return (
            s0 + s1, Pair(d0.re + d1.im, d0.im - d1.re), s0 - s1, Pair(d0.re - d1.im, d0.im + d1.re)
        )
    }

    @inline(__always)
    static func five<V: Lane>(
        _ a: Pair<V>, _ b: Pair<V>, _ c: Pair<V>, _ d: Pair<V>, _ e: Pair<V>
    ) -> (Pair<V>, Pair<V>, Pair<V>, Pair<V>, Pair<V>) {
        let (cos1, cos2) = (V.Scalar(0.309_016_994_374_947_45), V.Scalar(-0.809_016_994_374_947_5))
        let (sin1, sin2) = (V.Scalar(0.951_056_516_295_153_5), V.Scalar(0.587_785_252_292_473_1))
        let (be, cd) = (b + e, c + d)
        let (bme, cmd) = (b - e, c - d)
        let m1 = a + be * cos1 + cd * cos2
        let m2 = a + be * cos2 + cd * cos1
        let t1 = (bme * sin1 + cmd * sin2).turned
        let t2 = (bme * sin2 - cmd * sin1).turned
        return (a + be + cd, m1 + t1, m2 + t2, m2 - t2, m1 - t1)
    }

    /// In place.
    @inline(__always)
    static func eight<V: Lane>(_ x: UnsafeMutablePointer<Pair<V>>) {
        let half = V.Scalar(0.707_106_781_186_547_6)
        let (e0, e1, e2, e3) = four(x[0], x[2], x[4], x[6])
        let (o0, o1, o2, o3) = four(x[1], x[3], x[5], x[7])
        // o·e^(−iπ/4), o·(−i), o·e^(−3iπ/4).
        let p1 = Pair(o1.re + o1.im, o1.im - o1.re) * half
        let p3 = Pair(o3.im - o3.re, V(repeating: 0) - (o3.re + o3.im)) * half
        let p2 = Pair(o2.im, V(repeating: 0) - o2.re)
        (x[0], x[4]) = two(e0, o0)
        (x[1], x[5]) = two(e1, p1)
        (x[2], x[6]) = two(e2, p2)
        (x[3], x[7]) = two(e3, p3)
    }
}
