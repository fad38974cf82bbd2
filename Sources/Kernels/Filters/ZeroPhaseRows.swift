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

/// Up to four channels filtered forwards and backwards.
private struct ZeroPhaseGroup {
    /// Frames after which states that have faded away are silenced; what is between sections stays in the nearest cache.
    private static let block = 1_024

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
        let size = max(Self.block, padding)
        withUnsafeTemporaryAllocation(of: Double4.self, capacity: 2 * size) { room in
            guard let base = room.baseAddress else { return }
            let (frames, tail) = (Frames(base), Frames(base + size))
            rows.reflect(padding, atStart: true, into: frames)
            rows.reflect(padding, atStart: false, into: tail)
            settle(at: frames, 0)
            filter(frames, through: frames, padding)
            for first in stride(from: 0, to: rows.count, by: Self.block) {
                let count = min(Self.block, rows.count - first)
                rows.withRows(from: first, Forwards.self) { filter($0, through: frames, count) }
            }
            filter(tail, through: tail, padding)
            tail.reverse(padding)
            settle(at: tail, 0)
            filter(tail, through: tail, padding)
            for end in stride(from: rows.count, to: 0, by: -Self.block) {
                rows.withRows(from: end - 1, Backwards.self) { filter($0, through: frames, min(Self.block, end)) }
            }
        }
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
                    let together = ZeroPhaseKernel.together(sections[first...], count)
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
