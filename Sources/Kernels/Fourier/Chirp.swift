import Foundation

/// A transform of any length as a convolution with a chirp, done by transforms of a length with small factors.
/// Bluestein 1970.
final class Chirp<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
    private let length: Int
    /// e^(−iπk²/length).
    private let factors: [Twiddle<Scalar>]
    /// The transform of the inverse chirp over the padded length, which it also divides by.
    private let kernel: [Twiddle<Scalar>]
    private let padded: ComplexPlan<Scalar>

    init(length: Int) {
        self.length = length
        var size = 2 * length - 1
        while ComplexPlan<Scalar>.factors(size) == nil { size += 1 }
        padded = ComplexPlan(length: size)
        // k² modulo 2·length keeps the angle exact for long transforms.
        let chirp = (0..<length).map { k in
            let square = UInt64(k).multipliedFullWidth(by: UInt64(k))
            let residue = UInt64(2 * length).dividingFullWidth(square).remainder
            return Complex.unit(-Double.pi * Double(residue) / Double(length))
        }
        factors = chirp.map(Twiddle.init)
        kernel = Self.transformed(chirp, size)
    }

    /// In doubles, whatever the precision of the plan.
    private static func transformed(_ chirp: [Complex], _ size: Int) -> [Twiddle<Scalar>] {
        let plan = ComplexPlan<Double>(length: size)
        let zero = Pair<Double>(0, 0)
        var (x, y, work) = (
            Array(repeating: zero, count: size), Array(repeating: zero, count: size),
            Array(repeating: zero, count: plan.workCount)
        )
        for (k, value) in chirp.enumerated() {
            x[k] = Pair(value.real, -value.imaginary)
            if k > 0 { x[size - k] = x[k] }
        }
        x.withUnsafeBufferPointer { x in
            y.withUnsafeMutableBufferPointer { y in
                work.withUnsafeMutableBufferPointer { work in
                    guard let x = x.baseAddress, let y = y.baseAddress, let work = work.baseAddress else { return }
                    plan.runPasses(x, y, work: work)
                }
            }
        }
        return y.map { Twiddle(Complex($0.re / Double(size), $0.im / Double(size))) }
    }

    var workCount: Int { 3 * padded.length }

    @inline(never)
    func run<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, work: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        let size = padded.length
        let (a, b, rest) = (work, work + size, work + 2 * size)
        factors.withUnsafeBufferPointer { factors in
            for k in 0..<length { a[k] = x[k] * factors[k] }
        }
        (a + length).update(repeating: Pair(V(repeating: 0), V(repeating: 0)), count: size - length)
        padded.runPasses(UnsafePointer(a), b, work: rest)
        kernel.withUnsafeBufferPointer { kernel in
            for k in 0..<size { b[k] = (b[k] * kernel[k]).swapped }
        }
        padded.runPasses(UnsafePointer(b), a, work: rest)
        factors.withUnsafeBufferPointer { factors in
            for k in 0..<length { y[k] = a[k].swapped * factors[k] }
        }
    }
}
