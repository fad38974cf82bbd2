import Foundation

/// A real Fourier transform of one length in lanes, forward unscaled, inverse exact.
///
/// An even length is transformed as half as many complex values and then split (Press et al., Numerical Recipes,
/// section 12.3); an odd one as complex values without imaginary part.
final class RealPlan<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
    let length: Int
    let complex: ComplexPlan<Scalar>
    /// e^(−2πik/length) for k up to a quarter of the length.
    let split: [Twiddle<Scalar>]

    init(length: Int) {
        self.length = length
        complex = ComplexPlan(length: length % 2 == 0 ? length / 2 : length)
        let angle = -2 * Double.pi / Double(length)
        split = length % 2 == 0 ? (0...length / 4).map { Twiddle(Complex.unit(angle * Double($0))) } : []
    }

    var isEven: Bool { length % 2 == 0 }
    var bins: Int { length / 2 + 1 }

    /// How many complex values `forward` and `inverse` need to work in.
    var workCount: Int { complex.workCount + 2 * complex.length }

    /// Transforms `length` rows of `x` into `bins` rows each of `re` and `im`.
    @inline(__always)
    func forward<V: Lane>(
        _ x: UnsafePointer<V>, _ re: UnsafeMutablePointer<V>, _ im: UnsafeMutablePointer<V>,
        work: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        let z = transform(x, work: work)
        if isEven {
            splitForward(z, re, im)
        } else {
            for k in 0..<bins { (re[k], im[k]) = (z[k].re, z[k].im) }
        }
    }

    /// Adds the squared magnitudes of the transform of `length` rows of `x` to `bins` rows of `sum`.
    @inline(__always)
    func addPower<V: Lane>(
        _ x: UnsafePointer<V>, to sum: UnsafeMutablePointer<V>, work: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        let z = transform(x, work: work)
        if isEven {
            addSplitPower(z, sum)
        } else {
            for k in 0..<bins { sum[k] = sum[k] + (z[k].re * z[k].re + z[k].im * z[k].im) }
        }
    }

    /// The complex transform behind that of `length` rows of `x`, at the beginning of `work`.
    @inline(__always)
    private func transform<V: Lane>(
        _ x: UnsafePointer<V>, work: UnsafeMutablePointer<Pair<V>>
    ) -> UnsafePointer<Pair<V>> where V.Scalar == Scalar {
        let (z, rest) = (work, work + complex.length)
        if isEven {
            // Neighbours in time are real and imaginary part: the input is already in place.
            complex.run(UnsafeRawPointer(x).assumingMemoryBound(to: Pair<V>.self), z, work: rest)
        } else {
            for t in 0..<length { rest[t] = Pair(x[t], V(repeating: 0)) }
            complex.run(UnsafePointer(rest), z, work: rest + complex.length)
        }
        return UnsafePointer(z)
    }

    /// Transforms `bins` rows each of `re` and `im` back into `length` rows of `x`. What the imaginary part of the
    /// first bin holds, and of the last for an even length, is taken as 0.
    @inline(__always)
    func inverse<V: Lane>(
        _ re: UnsafePointer<V>, _ im: UnsafePointer<V>, _ x: UnsafeMutablePointer<V>,
        work: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        let (z, y, rest) = (work, work + complex.length, work + 2 * complex.length)
        if isEven {
            splitInverse(re, im, z)
            complex.run(UnsafePointer(z), y, work: rest)
            for t in 0..<length / 2 { (x[2 * t], x[2 * t + 1]) = (y[t].im, y[t].re) }
        } else {
            let scale = 1 / Scalar(length)
            let zero = V(repeating: 0)
            z[0] = Pair(zero, re[0] * scale)
            for k in 1..<max(1, bins) {
                // Swapped, and the mirror image conjugated.
                z[k] = Pair(im[k] * scale, re[k] * scale)
                z[length - k] = Pair((zero - im[k]) * scale, re[k] * scale)
            }
            complex.run(UnsafePointer(z), y, work: rest)
            for t in 0..<length { x[t] = y[t].im }
        }
    }

    /// X[k] = E + w·O from Z[k] = E + i·O and its mirror image.
    @inline(__always)
    private func splitForward<V: Lane>(
        _ z: UnsafePointer<Pair<V>>, _ re: UnsafeMutablePointer<V>, _ im: UnsafeMutablePointer<V>
    ) where V.Scalar == Scalar {
        let m = length / 2
        let half = Scalar(0.5)
        (re[0], im[0]) = (z[0].re + z[0].im, V(repeating: 0))
        (re[m], im[m]) = (z[0].re - z[0].im, V(repeating: 0))
        split.withUnsafeBufferPointer { split in
            var (k, back) = (1, m - 1)
            while k <= back {
                let (a, b) = (z[k], z[back])
                let even = Pair(a.re + b.re, a.im - b.im) * half
                let odd = Pair(a.im + b.im, b.re - a.re) * half * split[k]
                (re[k], im[k]) = (even.re + odd.re, even.im + odd.im)
                (re[back], im[back]) = (even.re - odd.re, odd.im - even.im)
                (k, back) = (k &+ 1, back &- 1)
            }
        }
    }

    /// As `splitForward`, of which only the squared magnitudes are kept.
    @inline(never)
    private func addSplitPower<V: Lane>(_ z: UnsafePointer<Pair<V>>, _ sum: UnsafeMutablePointer<V>)
    where V.Scalar == Scalar {
        let m = length / 2
        let half = Scalar(0.5)
        let (first, last) = (z[0].re + z[0].im, z[0].re - z[0].im)
        (sum[0], sum[m]) = (sum[0] + first * first, sum[m] + last * last)
        split.withUnsafeBufferPointer { split in
            var (k, mirror) = (1, m - 1)
            while k <= mirror {
                let (a, b) = (z[k], z[mirror])
                let even = Pair(a.re + b.re, a.im - b.im) * half
                let odd = Pair(a.im + b.im, b.re - a.re) * half * split[k]
                let (front, back) = (even + odd, Pair(even.re - odd.re, odd.im - even.im))
                // The one in the middle is its own mirror image.
                if k < mirror { sum[k] = sum[k] + (front.re * front.re + front.im * front.im) }
                sum[mirror] = sum[mirror] + (back.re * back.re + back.im * back.im)
                (k, mirror) = (k &+ 1, mirror &- 1)
            }
        }
    }

    /// The way back, scaled by 1/length and swapped for the forward transform that follows.
    @inline(__always)
    private func splitInverse<V: Lane>(
        _ re: UnsafePointer<V>, _ im: UnsafePointer<V>, _ z: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        let m = length / 2
        let scale = 1 / Scalar(length)
        z[0] = Pair(re[0] - re[m], re[0] + re[m]) * scale
        split.withUnsafeBufferPointer { split in
            for k in 1..<max(1, m / 2 + 1) {
                let even = Pair(re[k] + re[m - k], im[k] - im[m - k]) * scale
                let turned = Pair(re[k] - re[m - k], im[k] + im[m - k]) * scale
                var w = split[k]
                w.im = -w.im
                let odd = turned * w
                z[k] = Pair(even.im + odd.re, even.re - odd.im)
                z[m - k] = Pair(odd.re - even.im, even.re + odd.im)
            }
        }
    }
}
