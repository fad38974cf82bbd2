import Foundation

/// A complex Fourier transform of one length, forward and unscaled: factors and twiddles, no data.
///
/// Stockham's self-sorting passes (van Loan, Computational Frameworks for the FFT, section 1.7) of radix 4, 2, 3 and 5;
/// lengths with another prime factor go by Bluestein's chirp.
final class ComplexPlan<Scalar: BinaryFloatingPoint & Sendable>: Sendable {
    let length: Int
    private let passes: [Pass]
    private let chirp: Chirp<Scalar>?

    /// A pass of `radix` over `groups` groups of columns `stride` wide.
    struct Pass: Sendable {
        var radix: Int
        var groups: Int
        var stride: Int
        /// e^(−2πi·k·p / (radix·groups)) for each p, k = 1..<radix.
        var twiddles: [Twiddle<Scalar>]
    }

    init(length: Int) {
        self.length = length
        guard let factors = Self.factors(length) else {
            passes = []
            chirp = Chirp(length: length)
            return
        }
        chirp = nil
        var (rest, stride) = (length, 1)
        passes = factors.map { radix in
            let groups = rest / radix
            let angle = -2 * Double.pi / Double(rest)
            let twiddles = (0..<groups).flatMap { p in
                (1..<radix).map { Twiddle<Scalar>(Complex.unit(angle * Double(p * $0 % (radix * groups)))) }
            }
            defer { (rest, stride) = (groups, stride * radix) }
            return Pass(radix: radix, groups: groups, stride: stride, twiddles: twiddles)
        }
    }

    /// The length as a product of 4, 2, 3 and 5, or nil when it is none.
    static func factors(_ length: Int) -> [Int]? {
        var (rest, factors) = (length, [Int]())
        for radix in [4, 2, 3, 5] {
            while rest % radix == 0 {
                factors.append(radix)
                rest /= radix
            }
        }
        return rest == 1 ? factors : nil
    }

    /// How many values `run` needs to work in.
    var workCount: Int { chirp.map(\.workCount) ?? length }

    /// Transforms `x` into `y`; the three do not overlap.
    @inline(__always)
    func run<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, work: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        if let chirp { return chirp.run(x, y, work: work) }
        runPasses(x, y, work: work)
    }

    /// As `run`, for a length known to have small factors.
    @inline(never)
    func runPasses<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, work: UnsafeMutablePointer<Pair<V>>
    ) where V.Scalar == Scalar {
        guard !passes.isEmpty else {
            y.update(from: x, count: length)
            return
        }
        var source = x
        for (index, pass) in passes.enumerated() {
            let target = (passes.count - index) % 2 == 1 ? y : work
            pass.twiddles.withUnsafeBufferPointer { twiddles in
                guard let w = twiddles.baseAddress else { return }
                switch pass.radix {
                case 4: FourierPass.four(source, target, pass.groups, pass.stride, w)
                case 2: FourierPass.two(source, target, pass.groups, pass.stride, w)
                case 3: FourierPass.three(source, target, pass.groups, pass.stride, w)
                default: FourierPass.five(source, target, pass.groups, pass.stride, w)
                }
            }
            source = UnsafePointer(target)
        }
    }
}

/// One pass: columns `s` wide; group p of the input meets its partners `m` groups further on.
enum FourierPass {
    @inline(__always)
    static func two<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, _ m: Int, _ s: Int,
        _ w: UnsafePointer<Twiddle<V.Scalar>>
    ) {
        // Places are added up without a look at overflow, which took as long as the arithmetic.
        for p in 0..<m {
            let (from, to) = (x + s * p, y + 2 * s * p)
            let (from1, to1) = (from + s * m, to + s)
            let w1 = w[p]
            var q = 0
            while q < s {
                let (a, b) = Butterfly.two(from[q], from1[q])
                to[q] = a
                to1[q] = p == 0 ? b : b * w1
                q &+= 1
            }
        }
    }

    @inline(__always)
    static func three<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, _ m: Int, _ s: Int,
        _ w: UnsafePointer<Twiddle<V.Scalar>>
    ) {
        for p in 0..<m {
            let (from, to) = (x + s * p, y + 3 * s * p)
            let (w1, w2) = (w[2 * p], w[2 * p + 1])
            for q in 0..<s {
                let (a, b, c) = Butterfly.three(from[q], from[q + s * m], from[q + 2 * s * m])
                to[q] = a
                to[q + s] = b * w1
                to[q + 2 * s] = c * w2
            }
        }
    }

    @inline(__always)
    static func four<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, _ m: Int, _ s: Int,
        _ w: UnsafePointer<Twiddle<V.Scalar>>
    ) {
        let j = s * m
        for p in 0..<m {
            let (from, to) = (x + s * p, y + 4 * s * p)
            let (from1, from2, from3) = (from + j, from + 2 * j, from + 3 * j)
            let (to1, to2, to3) = (to + s, to + 2 * s, to + 3 * s)
            var q = 0
            // The first group's twiddles are 1.
            if p == 0 {
                while q < s {
                    (to[q], to1[q], to2[q], to3[q]) = Butterfly.four(from[q], from1[q], from2[q], from3[q])
                    q &+= 1
                }
                continue
            }
            let (w1, w2, w3) = (w[3 * p], w[3 * p + 1], w[3 * p + 2])
            while q < s {
                let (a, b, c, d) = Butterfly.four(from[q], from1[q], from2[q], from3[q])
                to[q] = a
                to1[q] = b * w1
                to2[q] = c * w2
                to3[q] = d * w3
                q &+= 1
            }
        }
    }

    @inline(__always)
    static func five<V: Lane>(
        _ x: UnsafePointer<Pair<V>>, _ y: UnsafeMutablePointer<Pair<V>>, _ m: Int, _ s: Int,
        _ w: UnsafePointer<Twiddle<V.Scalar>>
    ) {
        let j = s * m
        for p in 0..<m {
            let (from, to) = (x + s * p, y + 5 * s * p)
            let (w1, w2, w3, w4) = (w[4 * p], w[4 * p + 1], w[4 * p + 2], w[4 * p + 3])
            for q in 0..<s {
                let (a, b, c, d, e) = Butterfly.five(
                    from[q], from[q + j], from[q + 2 * j], from[q + 3 * j], from[q + 4 * j])
                to[q] = a
                to[q + s] = b * w1
                to[q + 2 * s] = c * w2
                to[q + 3 * s] = d * w3
                to[q + 4 * s] = e * w4
            }
        }
    }
}
