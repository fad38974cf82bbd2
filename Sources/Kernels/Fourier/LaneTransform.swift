/// Real transforms of one length on vectors of type `V`: single ones, and batches with a transform per lane.
final class LaneTransform<V: LaneVector>: Sendable where V: Sendable, V.Scalar: Sendable {
    typealias Scalar = V.Scalar
    private let plan: RealPlan<Scalar>
    private let wide: WideTransform<V>?

    init(length: Int) {
        plan = RealPlan(length: length)
        wide = length % 2 == 0 ? WideTransform(length: length / 2) : nil
    }

    // MARK: One transform

    @inline(__always)
    func forward(_ x: UnsafePointer<Scalar>, _ re: UnsafeMutablePointer<Scalar>, _ im: UnsafeMutablePointer<Scalar>) {
        guard let wide else {
            scratch(Pair<Scalar>.self, plan.workCount) { plan.forward(x, re, im, work: $0) }
            return
        }
        scratch(Pair<V>.self, wide.workCount) { work in
            Self.unzip(x, work, wide.length / V.width)
            wide.run(re, im, work: work)
        }
        splitForward(re, im, wide.length)
    }

    @inline(__always)
    func inverse(_ re: UnsafePointer<Scalar>, _ im: UnsafePointer<Scalar>, _ x: UnsafeMutablePointer<Scalar>) {
        guard let wide else {
            scratch(Pair<Scalar>.self, plan.workCount) { plan.inverse(re, im, x, work: $0) }
            return
        }
        let m = wide.length
        scratch(Scalar.self, 2 * m) { z in
            splitInverse(re, im, z, z + m, m)
            scratch(Pair<V>.self, wide.workCount) { work in
                for row in 0..<m / V.width {
                    work[row] = Pair(V.load(z + V.width * row), V.load(z + m + V.width * row))
                }
                wide.run(z, z + m, work: work)
            }
            for t in 0..<m { (x[2 * t], x[2 * t + 1]) = (z[m + t], z[t]) }
        }
    }

    /// The latter halves of what rows are transformed back to.
    @inline(__always)
    func inverse(halvesOf rows: SpectrumRows<Scalar>, _ x: UnsafeMutablePointer<Scalar>) {
        let (length, kept) = (plan.length, plan.length - plan.length / 2)
        scratch(Scalar.self, length) { whole in
            for row in 0..<rows.count {
                inverse(rows.real + row * rows.stride, rows.imaginary + row * rows.stride, whole)
                (x + row * kept).update(from: whole + length / 2, count: kept)
            }
        }
    }

    // Vector code stays in functions without stack buffers of their own: into those that have some, and so are
    // protected, clang's vector functions are not inlined.

    @inline(never)
    private static func unzip(_ x: UnsafePointer<Scalar>, _ rows: UnsafeMutablePointer<Pair<V>>, _ count: Int) {
        for row in 0..<count {
            let (even, odd) = V.loadPairs(x + 2 * V.width * row)
            rows[row] = Pair(even, odd)
        }
    }

    /// As in `RealPlan`, in place on arrays of real and imaginary parts, the front half against the back.
    @inline(never)
    private func splitForward(_ re: UnsafeMutablePointer<Scalar>, _ im: UnsafeMutablePointer<Scalar>, _ m: Int) {
        let first = Pair(re[0], im[0])
        (re[0], im[0], re[m], im[m]) = (first.re + first.im, 0, first.re - first.im, 0)
        plan.split.withUnsafeBufferPointer { split in
            guard let split = split.baseAddress else { return }
            var k = 1
            // Front and back blocks must not overlap.
            while k + V.width <= m - k - V.width + 1 {
                let back = m - k - V.width + 1
                let a = Pair(V.load(re + k), V.load(im + k))
                let b = Pair(V.load(re + back).reversed, V.load(im + back).reversed)
                let (wr, wi) = V.loadPairs(UnsafeRawPointer(split + k).assumingMemoryBound(to: Scalar.self))
                let even = Pair(a.re + b.re, a.im - b.im) * Scalar(0.5)
                let o = Pair(a.im + b.im, b.re - a.re) * Scalar(0.5)
                let odd = Pair(o.re * wr - o.im * wi, o.re * wi + o.im * wr)
                (even.re + odd.re).store(re + k)
                (even.im + odd.im).store(im + k)
                (even.re - odd.re).reversed.store(re + back)
                (odd.im - even.im).reversed.store(im + back)
                k += V.width
            }
            while k <= m - k {
                let (a, b) = (Pair(re[k], im[k]), Pair(re[m - k], im[m - k]))
                let even = Pair(a.re + b.re, a.im - b.im) * Scalar(0.5)
                let odd = Pair(a.im + b.im, b.re - a.re) * Scalar(0.5) * split[k]
                (re[k], im[k]) = (even.re + odd.re, even.im + odd.im)
                (re[m - k], im[m - k]) = (even.re - odd.re, odd.im - even.im)
                k += 1
            }
        }
    }

    /// As in `RealPlan`: scaled, real and imaginary part exchanged.
    @inline(never)
    private func splitInverse(
        _ re: UnsafePointer<Scalar>, _ im: UnsafePointer<Scalar>, _ zr: UnsafeMutablePointer<Scalar>,
        _ zi: UnsafeMutablePointer<Scalar>, _ m: Int
    ) {
        let scale = 1 / Scalar(2 * m)
        (zr[0], zi[0]) = ((re[0] - re[m]) * scale, (re[0] + re[m]) * scale)
        plan.split.withUnsafeBufferPointer { split in
            for k in 1...m / 2 {
                let even = Pair(re[k] + re[m - k], im[k] - im[m - k]) * scale
                let turned = Pair(re[k] - re[m - k], im[k] + im[m - k]) * scale
                let (wr, wi) = (split[k].re, split[k].im)
                let odd = Pair(turned.re * wr + turned.im * wi, turned.im * wr - turned.re * wi)
                (zr[k], zi[k]) = (even.im + odd.re, even.re - odd.im)
                (zr[m - k], zi[m - k]) = (odd.re - even.im, even.re + odd.im)
            }
        }
    }

    // MARK: Batches

    /// Space for the lanes of one batch: `length` rows of input, `bins` of each part of the output.
    @inline(__always)
    private func lanes(
        _ body: (
            _ x: UnsafeMutablePointer<V>, _ re: UnsafeMutablePointer<V>, _ im: UnsafeMutablePointer<V>,
            _ work: UnsafeMutablePointer<Pair<V>>
        ) -> Void
    ) {
        // Rows beyond the last fill the last square of a transposition.
        let (rows, bins) = (plan.length + V.width, plan.bins + V.width)
        scratch(V.self, rows + 2 * bins) { space in
            scratch(Pair<V>.self, plan.workCount) { work in
                body(space, space + rows, space + rows + bins, work)
            }
        }
    }

    @inline(__always)
    func forward(rows: RowBatch<Scalar>, _ re: UnsafeMutablePointer<Scalar>, _ im: UnsafeMutablePointer<Scalar>) {
        lanes { x, lanesRe, lanesIm, work in
            for first in stride(from: 0, to: rows.count, by: V.width) {
                let count = min(V.width, rows.count - first)
                load(rows, first, count, x)
                plan.forward(x, lanesRe, lanesIm, work: work)
                store(lanesRe, re + first * rows.outputStride, count, rows.outputStride)
                store(lanesIm, im + first * rows.outputStride, count, rows.outputStride)
            }
        }
    }

    @inline(__always)
    func power(rows: RowBatch<Scalar>, _ power: UnsafeMutablePointer<Scalar>) {
        lanes { x, lanesRe, lanesIm, work in
            for first in stride(from: 0, to: rows.count, by: V.width) {
                let count = min(V.width, rows.count - first)
                load(rows, first, count, x)
                plan.forward(x, lanesRe, lanesIm, work: work)
                for bin in 0..<plan.bins {
                    lanesRe[bin] = lanesRe[bin] * lanesRe[bin] + lanesIm[bin] * lanesIm[bin]
                }
                store(lanesRe, power + first * plan.bins, count, plan.bins)
            }
        }
    }

    /// How many bytes `power(centred:)` needs to work in.
    var workBytes: Int {
        (2 * (plan.length + V.width) + plan.bins + V.width + 2 * plan.workCount) * MemoryLayout<V>.stride
    }

    @inline(__always)
    func power(
        centred rows: CentredRows<Scalar>, _ power: UnsafeMutablePointer<Scalar>, work: UnsafeMutableRawPointer
    ) {
        let (length, room) = (plan.length, plan.length + V.width)
        let x = work.assumingMemoryBound(to: V.self)
        let (tapered, sum) = (x + room, x + 2 * room)
        let rest = UnsafeMutableRawPointer(sum + plan.bins + V.width).assumingMemoryBound(to: Pair<V>.self)
        for first in stride(from: 0, to: rows.count, by: V.width) {
            let count = min(V.width, rows.count - first)
            load(rows, first, count, x)
            for bin in 0..<plan.bins { sum[bin] = V(repeating: 0) }
            // The last taper may overwrite the row.
            for taper in 0..<rows.tapers {
                let product = taper == rows.tapers - 1 ? x : tapered
                Self.multiply(x, rows.taper + taper * length, product, length)
                plan.addPower(product, to: sum, work: rest)
            }
            store(sum, power + first * plan.bins, count, plan.bins)
        }
    }

    @inline(never)
    private static func multiply(
        _ x: UnsafePointer<V>, _ factors: UnsafePointer<Scalar>, _ y: UnsafeMutablePointer<V>, _ count: Int
    ) {
        for t in 0..<count { y[t] = x[t] * factors[t] }
    }

    /// Rows `first`… less their means into the lanes; lanes without a row repeat the last.
    @inline(never)
    private func load(_ rows: CentredRows<Scalar>, _ first: Int, _ count: Int, _ x: UnsafeMutablePointer<V>) {
        let whole = plan.length / V.width * V.width
        for lane in 0..<V.width {
            let row = first + min(lane, count - 1)
            let (start, mean) = (rows.start(row), V(repeating: rows.means[row]))
            for t in stride(from: 0, to: whole, by: V.width) { x[t + lane] = V.load(floats: start + t) - mean }
        }
        for t in stride(from: 0, to: whole, by: V.width) { V.transpose(x + t) }
        for t in whole..<plan.length {
            for lane in 0..<V.width {
                let row = first + min(lane, count - 1)
                let scalars = UnsafeMutableRawPointer(x + t).assumingMemoryBound(to: Scalar.self)
                scalars[lane] = Scalar(rows.start(row)[t]) - rows.means[row]
            }
        }
    }

    /// Rows `first`… into the lanes; lanes without a row repeat the last.
    @inline(__always)
    private func load(_ rows: RowBatch<Scalar>, _ first: Int, _ count: Int, _ x: UnsafeMutablePointer<V>) {
        let (length, width) = (plan.length, V.width)
        let whole = length / width * width
        for lane in 0..<width {
            let row = rows.start + (first + min(lane, count - 1)) * rows.stride
            var t = 0
            while t < whole {
                x[t &+ lane] = V.load(row + t)
                t &+= width
            }
        }
        var t = 0
        while t < whole {
            V.transpose(x + t)
            t &+= width
        }
        for t in whole..<length {
            withUnsafeTemporaryAllocation(of: Scalar.self, capacity: width) { values in
                guard let base = values.baseAddress else { return }
                for lane in 0..<width { base[lane] = rows.start[(first + min(lane, count - 1)) * rows.stride + t] }
                x[t] = V.load(base)
            }
        }
        if let taper = rows.taper {
            for t in 0..<length { x[t] = x[t] * taper[t] }
        }
    }

    /// The bins in lanes to `count` rows `stride` apart.
    @inline(__always)
    private func store(
        _ lanes: UnsafeMutablePointer<V>, _ rows: UnsafeMutablePointer<Scalar>, _ count: Int, _ stride: Int
    ) {
        let (bins, width) = (plan.bins, V.width)
        let whole = bins / width * width
        var first = 0
        while first < whole {
            V.transpose(lanes + first)
            var row = rows + first
            for lane in 0..<count {
                lanes[first &+ lane].store(row)
                row += stride
            }
            first &+= width
        }
        // Of an even length one bin is left over.
        if bins &- whole == 1 {
            Self.scatter(lanes[whole], rows + whole, stride, count)
        } else if whole < bins {
            V.transpose(lanes + whole)
            for lane in 0..<count { Self.store(lanes[whole + lane], rows + lane * stride + whole, bins - whole) }
        }
    }

    /// The first lanes to places `stride` apart.
    @inline(__always)
    private static func scatter(_ value: V, _ p: UnsafeMutablePointer<Scalar>, _ stride: Int, _ count: Int) {
        withUnsafeTemporaryAllocation(of: Scalar.self, capacity: V.width) { values in
            guard let base = values.baseAddress else { return }
            value.store(base)
            for lane in 0..<count { p[lane * stride] = base[lane] }
        }
    }

    @inline(__always)
    private static func store(_ value: V, _ p: UnsafeMutablePointer<Scalar>, _ count: Int) {
        if count == V.width { return value.store(p) }
        withUnsafeTemporaryAllocation(of: Scalar.self, capacity: V.width) { values in
            guard let base = values.baseAddress else { return }
            value.store(base)
            p.update(from: base, count: count)
        }
    }
}

/// Room for `count` values, on the stack when small.
@inline(__always)
func scratch<T>(_ type: T.Type, _ count: Int, _ body: (UnsafeMutablePointer<T>) -> Void) {
    withUnsafeTemporaryAllocation(of: T.self, capacity: max(1, count)) { buffer in
        if let base = buffer.baseAddress { body(base) }
    }
}
