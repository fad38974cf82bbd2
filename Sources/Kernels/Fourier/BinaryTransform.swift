import CVectors

/// Real transforms of a power of two, one at a time: a single one fills the lanes by itself, without the transpositions
/// that a transform per lane needs before and behind it.
final class BinaryTransform<V: LaneVector>: Sendable where V: Sendable, V.Scalar: Sendable {
    typealias Scalar = V.Scalar
    typealias Input = V.Input
    typealias Output = V.Output
    /// Half as many complex values as there are real ones.
    let count: Int
    /// What makes the spectrum of the real values from that of their pairs, then what the passes multiply with, in the order
    /// in which they ask for it: a vector of real parts and one of imaginary ones in turn, or a number of each.
    let table: [Scalar]

    /// Nil where the length is no power of two, or too short to fill the lanes.
    init?(length: Int) {
        guard length >= 8 * V.width, length & (length - 1) == 0 else { return nil }
        count = length / 2
        let split = stride(from: 0, to: count / 2, by: V.width).flatMap { first in
            Self.vectors((0..<V.width).map { (first + $0, length) })
        }
        table = split + Self.factors(count)
    }

    private var length: Int { 2 * count }
    private var bins: Int { count + 1 }
    /// How many values a transform needs to work in.
    var workCount: Int { 6 * (count + V.width) }

    func forward(_ x: Input, _ re: Output, _ im: Output) {
        aligned(workCount) { V.realForward(x, re, im, count, table, $0) }
    }

    func inverse(_ re: Input, _ im: Input, _ x: Output) {
        aligned(workCount) { V.realInverse(re, im, x, 0, count, table, $0) }
    }

    func forward(rows: RowBatch<Scalar>, _ re: Output, _ im: Output) {
        forEach(rows) { row, x, work in
            V.realForward(x, re + row * rows.outputStride, im + row * rows.outputStride, count, table, work)
        }
    }

    func power(rows: RowBatch<Scalar>, _ power: Output) {
        power.update(repeating: 0, count: rows.count * bins)
        forEach(rows) { row, x, work in V.realPower(x, power + row * bins, count, table, work) }
    }

    func inverse(halvesOf rows: SpectrumRows<Scalar>, _ x: Output) {
        aligned(workCount) { work in
            for row in 0..<rows.count {
                let place = row * rows.stride
                V.realInverse(rows.real + place, rows.imaginary + place, x + row * count, count, count, table, work)
            }
        }
    }

    /// How many bytes `power(centred:)` needs to work in.
    var workBytes: Int { workCount * MemoryLayout<Scalar>.stride }

    func power(centred rows: CentredRows<Scalar>, _ power: Output, work: UnsafeMutableRawPointer) {
        let work = work.assumingMemoryBound(to: Scalar.self)
        power.update(repeating: 0, count: rows.count * bins)
        for row in 0..<rows.count {
            let (start, mean, sums) = (rows.start(row), rows.means[row], power + row * bins)
            for taper in 0..<rows.tapers {
                V.centredPower(start, mean, rows.taper + taper * length, sums, count, table, work)
            }
        }
    }

    /// Each row, times the taper if there is one, and room to work in.
    @inline(__always)
    private func forEach(_ rows: RowBatch<Scalar>, _ body: (Int, Input, Output) -> Void) {
        aligned(length + workCount) { x in
            for row in 0..<rows.count {
                let start = rows.start + row * rows.stride
                if let taper = rows.taper { Self.multiply(start, taper, x, length) }
                body(row, rows.taper == nil ? start : Input(x), x + length)
            }
        }
    }

    // Vector code stays in functions without stack buffers of their own, as in `LaneTransform`.

    @inline(never)
    private static func multiply(_ a: Input, _ b: Input, _ product: Output, _ count: Int) {
        var t = 0
        while t < count {
            (V.load(a + t) * V.load(b + t)).store(product + t)
            t &+= V.width
        }
    }

    /// Room for `count` values from where a line of the cache begins.
    @inline(__always)
    private func aligned(_ count: Int, _ body: (Output) -> Void) {
        let line = 64
        let size = count * MemoryLayout<Scalar>.stride + line
        withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<Scalar>.alignment) { buffer in
            guard let base = buffer.baseAddress else { return }
            body(base.alignedUp(toMultipleOf: line).assumingMemoryBound(to: Scalar.self))
        }
    }

    /// A pass of radix 4 over n values in groups of as many as there were passes to choose from multiplies the k-th of four
    /// with e^(−2πi·k·p/n): for each place of a vector where a group is shorter than one, else for all places of a group.
    private static func factors(_ count: Int) -> [Scalar] {
        var (found, group) = ([Scalar](), 1)
        while group < V.width {
            for first in stride(from: 0, to: count / 4, by: V.width) {
                for k in 1..<4 { found += vectors((0..<V.width).map { (k * ((first + $0) / group), count / group) }) }
            }
            group *= 4
        }
        while 4 * group < count {
            for place in 0..<count / group / 4 {
                for k in 1..<4 {
                    let factor = Complex.unit(-2 * Double.pi * Double(k * place) / Double(count / group))
                    found += [Scalar(factor.real), Scalar(factor.imaginary)]
                }
            }
            group *= 4
        }
        return found
    }

    /// e^(−2πi·a/b) of pairs of a and b: the real parts, then the imaginary ones.
    private static func vectors(_ turns: [(Int, Int)]) -> [Scalar] {
        let units = turns.map { Complex.unit(-2 * Double.pi * Double($0.0) / Double($0.1)) }
        return units.map { Scalar($0.real) } + units.map { Scalar($0.imaginary) }
    }
}
