import Foundation
public import Signals

/// Takes the mains' hum and its harmonics out, adaptively and without delay.
///
/// In windows of two seconds, each half overlapping the next, the hum's frequency is measured over all channels
/// together from how its phase advances between the window's halves, and every channel's sine at it and at its
/// harmonics is fitted and subtracted where it stands out of its surroundings; the windows' sines are joined by
/// squared-sine weights. What is no hum stays: nothing is filtered. After Mitra & Bokil 2008, section 7.3.3, with
/// one taper.
public struct LineNoiseRemoval: BlockStage, Sendable {
    private var window: HumWindow
    private let sampleRate: Double
    private let hop: Int
    /// The current window's samples, an array per channel.
    private var pending: [[Float]]
    private var previous: Hum?
    private let rising: [Float]

    /// Removal of hum near one of `frequencies` Hz, whichever is there, from `channels` channels.
    /// - Parameter highest: the highest frequency of interest in hertz; harmonics beyond are left alone.
    public init(frequencies: [Double] = [50, 60], highest: Double, channels: Int, sampleRate: Double) {
        self.sampleRate = sampleRate
        let hop = max(8, Int(min(max(sampleRate, 8), 1e5).rounded()))
        self.hop = hop
        let top = min(highest, sampleRate / 2 - 5)
        window = HumWindow(half: hop, frequencies: frequencies, highest: top, sampleRate: sampleRate)
        pending = Array(repeating: [], count: max(1, channels))
        rising = (0..<hop).map {
            let sine = sin(Double.pi * (Double($0) + 0.5) / Double(2 * hop))
            return Float(sine * sine)
        }
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { Double(2 * hop) / sampleRate }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
    }

    /// The next frames of the run.
    /// - Precondition: all samples finite, as many channels as were said.
    public mutating func push(_ block: SampleBlock, into outputs: inout [SampleBlock]) {
        precondition(block.channelCount == pending.count, "as many channels")
        var first = 0
        while first < block.frameCount {
            let count = min(2 * hop - pending[0].count, block.frameCount - first)
            for channel in pending.indices {
                let start = channel * block.frameCount + first
                pending[channel] += block.samples[start..<start + count]
            }
            first += count
            if pending[0].count == 2 * hop { advance(into: &outputs) }
        }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
    }

    /// A window is full: its first half is done.
    private mutating func advance(into outputs: inout [SampleBlock]) {
        let hum = window.fit(pending)
        outputs.append(subtract(hum, count: hop))
        for channel in pending.indices { pending[channel].removeFirst(hop) }
        previous = hum
    }

    /// What is left of a run goes on with the last window's hum; a run shorter than a window stays as it is.
    private mutating func endRun(into outputs: inout [SampleBlock]) {
        let count = pending[0].count
        if count > 0 {
            if let previous {
                var rest = pending
                for channel in rest.indices {
                    for index in 0..<count { rest[channel][index] -= previous.value(channel, at: hop + index) }
                }
                outputs.append(SampleBlock(channelCount: rest.count, samples: rest.flatMap { $0 }))
            } else {
                outputs.append(SampleBlock(channelCount: pending.count, samples: pending.flatMap { $0 }))
            }
        }
        for channel in pending.indices { pending[channel].removeAll(keepingCapacity: true) }
        previous = nil
    }

    private func subtract(_ hum: Hum, count: Int) -> SampleBlock {
        var samples: [Float] = []
        samples.reserveCapacity(count * pending.count)
        for channel in pending.indices {
            let now = hum.wave(channel, from: 0, count: count)
            let before = previous?.wave(channel, from: hop, count: count) ?? now
            for index in 0..<count {
                let weight = rising[index]
                samples.append(pending[channel][index] - (weight * now[index] + (1 - weight) * before[index]))
            }
        }
        return SampleBlock(channelCount: pending.count, samples: samples)
    }
}
