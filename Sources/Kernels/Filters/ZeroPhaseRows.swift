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
            for first in stride(from: 0, to: channels, by: 4) {
                var group = ZeroPhaseGroup(
                    self, ChannelRows(base: base + first * count, count: count, width: min(4, channels - first)))
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

/// Up to four channels filtered forwards and backwards, a block at a time that stays in the nearest cache.
private struct ZeroPhaseGroup {
    /// With leading coefficients of 1; what that takes away is the gain.
    private let biquads: [Biquad]
    private let sections: [ZeroPhaseKernel.Section]
    private let gain: Double
    private let rows: ChannelRows
    private let padding: Int
    /// A state per section.
    private var states: [ZeroPhaseKernel.State]

    init(_ cascade: BiquadCascade, _ rows: ChannelRows) {
        biquads = cascade.sections.map { Biquad(b0: 1, b1: $0.b1 / $0.b0, b2: $0.b2 / $0.b0, a1: $0.a1, a2: $0.a2) }
        sections = biquads.map(ZeroPhaseKernel.Section.init)
        gain = cascade.sections.reduce(1) { $0 * $1.b0 }
        self.rows = rows
        padding = min(cascade.zeroPhasePadding, rows.count - 1)
        states = Array(repeating: .init(), count: sections.count)
    }

    mutating func run() {
        let size = max(ChannelRows.block, padding)
        withUnsafeTemporaryAllocation(of: Double4.self, capacity: 3 * size) { room in
            guard let base = room.baseAddress else { return }
            let (frames, tail) = (Frames(base), Frames(base + size))
            let samples = UnsafeMutableRawPointer(base + 2 * size).bindMemory(to: Float.self, capacity: 4 * size)
            let narrow = NarrowFrames(samples)
            rows.reflect(padding, atStart: true, into: frames)
            rows.reflect(padding, atStart: false, into: tail)
            settle(at: frames, 0)
            filter(frames, through: frames, padding)
            for first in stride(from: 0, to: rows.count, by: ChannelRows.block) {
                pass(first, min(ChannelRows.block, rows.count - first), backwards: false, narrow, through: frames)
            }
            filter(tail, through: tail, padding)
            tail.reverse(padding)
            settle(at: tail, 0)
            filter(tail, through: tail, padding)
            for end in stride(from: rows.count, to: 0, by: -ChannelRows.block) {
                let first = max(0, end - ChannelRows.block)
                pass(first, end - first, backwards: true, narrow, through: frames)
            }
        }
    }

    private mutating func pass(
        _ first: Int, _ count: Int, backwards: Bool, _ samples: NarrowFrames, through frames: Frames
    ) {
        rows.load(first, count, backwards: backwards, into: samples)
        filter(samples, through: frames, count)
        rows.store(samples, first, count, backwards: backwards)
    }

    /// Filters frames in place; from some sections to the next they are in `between`.
    @inline(__always)
    private mutating func filter<F: FourChannels>(_ frames: F, through between: Frames, _ count: Int) {
        let gain = gain
        sections.withUnsafeBufferPointer { sections in
            states.withUnsafeMutableBufferPointer { states in
                guard let state = states.baseAddress else { return }
                var first = 0
                while first < sections.count {
                    let together = Self.together(sections[first...])
                    let kernel = ZeroPhaseKernel(
                        scale: first == 0 ? gain : 1,
                        sections: UnsafeBufferPointer(rebasing: sections[first..<first + together]), count: count)
                    switch (first == 0, first + together == sections.count) {
                    case (true, true): kernel.run(frames, frames, state + first)
                    case (true, false): kernel.run(frames, between, state + first)
                    case (false, true): kernel.run(between, frames, state + first)
                    case (false, false): kernel.run(between, between, state + first)
                    }
                    first += together
                }
                for index in states.indices { CascadeKernel.quiet(&states[index]) }
            }
        }
    }

    /// How many of the sections left run at once.
    private static func together(_ left: Slice<UnsafeBufferPointer<ZeroPhaseKernel.Section>>) -> Int {
        left.count >= 4 && left.prefix(4).allSatisfy(\.isOfBand) ? 4 : min(left.count, 2)
    }

    /// As if each channel had had its value in this frame for ever.
    private mutating func settle(at frames: Frames, _ index: Int) {
        var value = frames.read(index) * gain
        for (place, biquad) in biquads.enumerated() {
            let settled = biquad.gainAtZero.isFinite ? biquad.gainAtZero : 0
            let next = value * settled
            states[place].set(value, value, next, next)
            value = next
        }
    }
}

/// Up to four channels one after another in memory; the last one stands for those that are not there.
private struct ChannelRows {
    /// Frames that are filtered together.
    static let block = 256

    let base: UnsafeMutablePointer<Float>
    let count: Int
    let width: Int

    private func row(_ lane: Int) -> UnsafeMutablePointer<Float> { base + min(lane, width - 1) * count }

    /// Frames of a point reflection beyond the start or the end, in order of time.
    func reflect(_ padding: Int, atStart: Bool, into frames: Frames) {
        for lane in 0..<4 {
            let row = row(lane)
            let edge = Double(row[atStart ? 0 : count - 1])
            for index in 0..<padding {
                let value = 2 * edge - Double(row[atStart ? padding - index : count - 2 - index])
                frames.set(index, lane, value)
            }
        }
    }

    /// The frames from `first`, or from the last of them back to it.
    func load(_ first: Int, _ size: Int, backwards: Bool, into frames: NarrowFrames) {
        let step = backwards ? -4 : 4
        let start = frames.base + (backwards ? 4 * (size - 1) : 0)
        for place in stride(from: 0, to: size - 3, by: 4) {
            marey_frames_of(base + first + place, count, Int32(width - 1), start + step * place, step)
        }
        for place in size / 4 * 4..<size {
            for lane in 0..<4 { start[step * place + lane] = row(lane)[first + place] }
        }
    }

    /// The reverse of `load`.
    func store(_ frames: NarrowFrames, _ first: Int, _ size: Int, backwards: Bool) {
        let step = backwards ? -4 : 4
        let start = frames.base + (backwards ? 4 * (size - 1) : 0)
        for place in stride(from: 0, to: size - 3, by: 4) {
            marey_channels_of(start + step * place, step, base + first + place, count, Int32(width))
        }
        for place in size / 4 * 4..<size {
            for lane in 0..<width { row(lane)[first + place] = start[step * place + lane] }
        }
    }
}
