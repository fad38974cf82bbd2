import CVectors

extension BiquadCascade {
    /// Several channels filtered forwards and backwards in place, each as `zeroPhase` does it but for rounding to `Float`
    /// between the two passes.
    /// - Parameter samples: channel-major, all channels of one length.
    /// - Precondition: at least one channel, and as many samples in each.
    public func zeroPhase(_ samples: inout [Float], channels: Int) {
        precondition(channels > 0 && samples.count % channels == 0, "as many samples in each channel")
        let count = samples.count / channels
        guard count > 1 else {
            for channel in 0..<channels where count == 1 { samples[channel] = zeroPhase([samples[channel]])[0] }
            return
        }
        guard !sections.isEmpty else { return }
        guard sections.allSatisfy({ $0.b0.isNormal && ($0.b1 / $0.b0).isFinite && ($0.b2 / $0.b0).isFinite }) else {
            return zeroPhaseOneByOne(&samples, count)
        }
        samples.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            for first in stride(from: 0, to: channels, by: 8) {
                var group = ZeroPhaseGroup(
                    self, ChannelRows(base: base + first * count, count: count, width: min(8, channels - first)))
                group.run()
            }
        }
    }

    private func zeroPhaseOneByOne(_ samples: inout [Float], _ count: Int) {
        for first in stride(from: 0, to: samples.count, by: count) {
            samples.replaceSubrange(first..<first + count, with: zeroPhase(Array(samples[first..<first + count])))
        }
    }

    /// As in place.
    public func zeroPhase(_ samples: [Float], channels: Int) -> [Float] {
        var result = samples
        zeroPhase(&result, channels: channels)
        return result
    }
}

/// Up to eight channels filtered forwards and backwards, a block at a time that stays in the nearest cache.
private struct ZeroPhaseGroup {
    /// With leading coefficients of 1; what that takes away is the gain.
    private let sections: [Biquad]
    private let gain: Double
    private let rows: ChannelRows
    private let padding: Int
    /// A state per section.
    private var states: [State]

    /// Past input and output of a section, for channels 0 to 3, and for 4 to 7.
    struct State {
        var low = CascadeKernel.State<Double4>()
        var high = CascadeKernel.State<Double4>()
    }

    init(_ cascade: BiquadCascade, _ rows: ChannelRows) {
        sections = cascade.sections.map { Biquad(b0: 1, b1: $0.b1 / $0.b0, b2: $0.b2 / $0.b0, a1: $0.a1, a2: $0.a2) }
        gain = cascade.sections.reduce(1) { $0 * $1.b0 }
        self.rows = rows
        padding = min(cascade.zeroPhasePadding, rows.count - 1)
        states = Array(repeating: State(), count: sections.count)
    }

    mutating func run() {
        let size = max(ChannelRows.block, padding)
        withUnsafeTemporaryAllocation(of: Double4.self, capacity: 4 * size) { room in
            guard let base = room.baseAddress else { return }
            let frames = Frames(low: base, high: base + size)
            let tail = Frames(low: base + 2 * size, high: base + 3 * size)
            rows.reflect(padding, atStart: true, into: frames)
            rows.reflect(padding, atStart: false, into: tail)
            settle(at: frames, 0)
            filter(frames, padding)
            for first in stride(from: 0, to: rows.count, by: ChannelRows.block) {
                pass(first, min(ChannelRows.block, rows.count - first), backwards: false, frames)
            }
            filter(tail, padding)
            tail.reverse(padding)
            settle(at: tail, 0)
            filter(tail, padding)
            for end in stride(from: rows.count, to: 0, by: -ChannelRows.block) {
                let first = max(0, end - ChannelRows.block)
                pass(first, end - first, backwards: true, frames)
            }
        }
    }

    private mutating func pass(_ first: Int, _ count: Int, backwards: Bool, _ frames: Frames) {
        rows.load(first, count, backwards: backwards, into: frames)
        filter(frames, count)
        rows.store(frames, first, count, backwards: backwards)
    }

    private mutating func filter(_ frames: Frames, _ count: Int) {
        let gain = gain
        sections.withUnsafeBufferPointer { sections in
            states.withUnsafeMutableBufferPointer { states in
                guard let c = sections.baseAddress, let state = states.baseAddress else { return }
                for first in stride(from: 0, to: sections.count, by: 2) {
                    let scale = first == 0 ? gain : 1
                    if first + 1 < sections.count {
                        ZeroPhaseKernel.two(frames, count, scale, c[first], c[first + 1], state + first)
                    } else {
                        ZeroPhaseKernel.one(frames, count, scale, c[first], state + first)
                    }
                }
                for index in states.indices {
                    CascadeKernel.quiet(&states[index].low)
                    CascadeKernel.quiet(&states[index].high)
                }
            }
        }
    }

    /// As if each channel had had its value in this frame for ever.
    private mutating func settle(at frames: Frames, _ index: Int) {
        var (a, b) = (frames.low[index] * gain, frames.high[index] * gain)
        for (place, section) in sections.enumerated() {
            let settled = section.gainAtZero.isFinite ? section.gainAtZero : 0
            let (nextA, nextB) = (a * settled, b * settled)
            states[place].low.set(a, a, nextA, nextA)
            states[place].high.set(b, b, nextB, nextB)
            (a, b) = (nextA, nextB)
        }
    }
}

/// The inner loops: both halves of the channels and two sections at once are enough work for the processor while it
/// waits for a recursion, and few enough for its registers.
private enum ZeroPhaseKernel {
    /// One section whose leading coefficient is 1; what is waited for enters last.
    @inline(__always)
    private static func next(
        _ x: Double4, _ x1: Double4, _ x2: Double4, _ y1: Double4, _ y2: Double4, _ c: Biquad
    ) -> Double4 {
        let past = (x1 * c.b1 + x2 * c.b2) - y2 * c.a2
        return (x + past) - y1 * c.a1
    }

    static func one(
        _ frames: Frames, _ count: Int, _ scale: Double, _ c: Biquad,
        _ state: UnsafeMutablePointer<ZeroPhaseGroup.State>
    ) {
        var (a, b) = (state[0].low, state[0].high)
        for index in 0..<count {
            let (x, u) = (frames.low[index] * scale, frames.high[index] * scale)
            let (y, v) = (next(x, a.x1, a.x2, a.y1, a.y2, c), next(u, b.x1, b.x2, b.y1, b.y2, c))
            (frames.low[index], frames.high[index]) = (y, v)
            a.set(x, a.x1, y, a.y1)
            b.set(u, b.x1, v, b.y1)
        }
        (state[0].low, state[0].high) = (a, b)
    }

    static func two(
        _ frames: Frames, _ count: Int, _ scale: Double, _ c: Biquad, _ d: Biquad,
        _ state: UnsafeMutablePointer<ZeroPhaseGroup.State>
    ) {
        var (a, b) = (state[0].low, state[0].high)
        var (y1, y2, v1, v2) = (state[1].low.y1, state[1].low.y2, state[1].high.y1, state[1].high.y2)
        for index in 0..<count {
            let (x, u) = (frames.low[index] * scale, frames.high[index] * scale)
            let (m, n) = (next(x, a.x1, a.x2, a.y1, a.y2, c), next(u, b.x1, b.x2, b.y1, b.y2, c))
            let (y, v) = (next(m, a.y1, a.y2, y1, y2, d), next(n, b.y1, b.y2, v1, v2, d))
            (frames.low[index], frames.high[index]) = (y, v)
            a.set(x, a.x1, m, a.y1)
            b.set(u, b.x1, n, b.y1)
            (y2, y1, v2, v1) = (y1, y, v1, v)
        }
        (state[0].low, state[0].high) = (a, b)
        state[1].low.set(a.y1, a.y2, y1, y2)
        state[1].high.set(b.y1, b.y2, v1, v2)
    }
}

/// Successive instants of eight channels, in two vectors each.
private struct Frames {
    let low: UnsafeMutablePointer<Double4>
    let high: UnsafeMutablePointer<Double4>

    func reverse(_ count: Int) {
        for half in [low, high] {
            for index in 0..<count / 2 {
                (half[index], half[count - 1 - index]) = (half[count - 1 - index], half[index])
            }
        }
    }
}

/// Up to eight channels one after another in memory; the last one stands for those that are not there.
private struct ChannelRows {
    /// Frames that are filtered together.
    static let block = 256

    let base: UnsafeMutablePointer<Float>
    let count: Int
    let width: Int

    private func row(_ lane: Int) -> UnsafeMutablePointer<Float> { base + min(lane, width - 1) * count }

    /// Frames of a point reflection beyond the start or the end, in order of time.
    func reflect(_ padding: Int, atStart: Bool, into frames: Frames) {
        for lane in 0..<8 {
            let row = row(lane)
            let edge = Double(row[atStart ? 0 : count - 1])
            for index in 0..<padding {
                let value = 2 * edge - Double(row[atStart ? padding - index : count - 2 - index])
                if lane < 4 { frames.low[index].v[lane] = value } else { frames.high[index].v[lane - 4] = value }
            }
        }
    }

    /// The frames from `first`: squares of eight channels and eight instants, turned.
    func load(_ first: Int, _ size: Int, backwards: Bool, into frames: Frames) {
        withUnsafeTemporaryAllocation(of: Float8.self, capacity: 8) { square in
            guard let tile = square.baseAddress else { return }
            for start in stride(from: 0, to: size, by: 8) {
                let width = min(8, size - start)
                for lane in 0..<8 {
                    let from = row(lane) + first + start
                    if width == 8 {
                        tile[lane] = Float8.load(from)
                    } else {
                        for index in 0..<width { tile[lane].v[index] = from[index] }
                    }
                }
                Float8.transpose(tile)
                for index in 0..<width {
                    let place = backwards ? size - 1 - start - index : start + index
                    frames.low[place] = Double4(marey_wide_low(tile[index].v))
                    frames.high[place] = Double4(marey_wide_high(tile[index].v))
                }
            }
        }
    }

    /// The reverse of `load`.
    func store(_ frames: Frames, _ first: Int, _ size: Int, backwards: Bool) {
        withUnsafeTemporaryAllocation(of: Float8.self, capacity: 8) { square in
            guard let tile = square.baseAddress else { return }
            for start in stride(from: 0, to: size, by: 8) {
                let width = min(8, size - start)
                for index in 0..<width {
                    let place = backwards ? size - 1 - start - index : start + index
                    tile[index] = Float8(marey_narrow(frames.low[place].v, frames.high[place].v))
                }
                Float8.transpose(tile)
                for lane in 0..<self.width {
                    let to = row(lane) + first + start
                    if width == 8 {
                        tile[lane].store(to)
                    } else {
                        for index in 0..<width { to[index] = tile[lane].v[index] }
                    }
                }
            }
        }
    }
}
