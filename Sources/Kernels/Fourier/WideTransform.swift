/// A single complex transform that fills the lanes by itself.
///
/// Values a vector's width apart are transformed lane by lane, then a last pass joins the lanes: its butterflies run
/// over neighbouring results after a transposition. (The first step of Cooley & Tukey's factorisation, width first.)
final class WideTransform<V: LaneVector>: Sendable where V: Sendable {
    let length: Int
    private let rows: ComplexPlan<V.Scalar>
    /// e^(−2πi·lane·row / length), a vector of lanes per row.
    private let twiddles: [Pair<V>]

    /// Nil where the length does not fill the vectors.
    init?(length: Int) {
        guard length % V.width == 0, length / V.width >= V.width else { return nil }
        self.length = length
        rows = ComplexPlan(length: length / V.width)
        var values: [V.Scalar] = []
        for row in 0..<length / V.width {
            let angles = (0..<V.width).map { -2 * Double.pi * Double($0 * row) / Double(length) }
            values += angles.map { V.Scalar(Complex.unit($0).real) }
            values += angles.map { V.Scalar(Complex.unit($0).imaginary) }
        }
        twiddles = values.withUnsafeBufferPointer { values in
            (0..<length / V.width).compactMap { row in
                values.baseAddress.map { base in
                    Pair(V.load(base + 2 * V.width * row), V.load(base + 2 * V.width * row + V.width))
                }
            }
        }
    }

    private var count: Int { length / V.width }

    /// How many values `run` needs to work in, its input included.
    var workCount: Int { 2 * count + V.width + max(rows.workCount, 2 * V.width) }

    /// Transforms the rows at the start of `work` into `re` and `im`.
    @inline(never)
    func run(
        _ re: UnsafeMutablePointer<V.Scalar>, _ im: UnsafeMutablePointer<V.Scalar>, work: UnsafeMutablePointer<Pair<V>>
    ) {
        let (y, rest) = (work + count, work + 2 * count + V.width)
        rows.run(UnsafePointer(work), y, work: rest)
        twiddles.withUnsafeBufferPointer { twiddles in
            for row in 0..<count {
                let (a, w) = (y[row], twiddles[row])
                y[row] = Pair(a.re * w.re - a.im * w.im, a.re * w.im + a.im * w.re)
            }
        }
        for first in stride(from: 0, to: count, by: V.width) {
            // The last square may reach beyond the rows: what it holds there is not kept.
            join(UnsafePointer(y + first), first, rest, re, im)
        }
    }

    @inline(__always)
    private func join(
        _ y: UnsafePointer<Pair<V>>, _ first: Int, _ pairs: UnsafeMutablePointer<Pair<V>>,
        _ re: UnsafeMutablePointer<V.Scalar>, _ im: UnsafeMutablePointer<V.Scalar>
    ) {
        let square = UnsafeMutableRawPointer(pairs + V.width).assumingMemoryBound(to: V.self)
        for row in 0..<V.width {
            square[row] = y[row].re
            square[V.width + row] = y[row].im
        }
        V.transpose(square)
        V.transpose(square + V.width)
        for lane in 0..<V.width { pairs[lane] = Pair(square[lane], square[V.width + lane]) }
        V.butterfly(pairs)
        for block in 0..<V.width {
            let place = block * count + first
            if first + V.width <= count {
                pairs[block].re.store(re + place)
                pairs[block].im.store(im + place)
            } else {
                let values = UnsafeRawPointer(pairs + block).assumingMemoryBound(to: V.Scalar.self)
                (re + place).update(from: values, count: count - first)
                (im + place).update(from: values + V.width, count: count - first)
            }
        }
    }
}
