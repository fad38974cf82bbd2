import Kernels
import Signals

/// Says which channels of an epoch are not to be used, from the raw seconds it lies in and from its own samples.
struct EpochJudge: Sendable {
    private var seconds: [(second: EEGSecond, lasting: [[EpochReason]])] = []
    private var watch: BadChannelWatch
    private let sources: [[Int]]
    private let rebuildsBursts: Bool
    /// The level of each channel while it was not flat, over about the last ten seconds; nil before.
    private var level: [Double?]
    /// Until when seconds are known.
    private(set) var known: Seconds = 0

    /// A judge of epochs whose channel i comes from the raw channels `sources[i]`.
    /// - Parameter rebuildsBursts: whether what was too large in the raw channels is so no more.
    init(channels: Int, sources: [[Int]], rebuildsBursts: Bool = false) {
        self.rebuildsBursts = rebuildsBursts
        watch = BadChannelWatch(channels: channels)
        self.sources = sources
        level = Array(repeating: nil, count: channels)
    }

    /// A new run begins.
    mutating func reset() {
        watch.reset()
        for channel in level.indices { level[channel] = nil }
    }

    mutating func take(_ second: EEGSecond) {
        seconds.append((second, lasting(second)))
        known = max(known, second.onset + 1)
    }

    /// Adds the reasons that speak against the channels of `epoch`; what lies before it is not needed any more.
    mutating func judge(_ epoch: inout Epoch, next: Seconds) {
        let end = epoch.onset + epoch.duration
        for channel in epoch.channels.indices where epoch.frameCount > 0 {
            var found = Set(epoch.channels[channel].reasons)
            for (second, lasting) in seconds where second.onset < end && second.onset + 1 > epoch.onset {
                for source in sources[channel] where source < lasting.count { found.formUnion(lasting[source]) }
            }
            if isLarge(epoch.samples.span.extracting(epoch.range(ofChannel: channel))) { found.insert(.amplitude) }
            epoch.channels[channel].reasons = found.isEmpty ? [] : EpochReason.allCases.filter(found.contains)
        }
        seconds.removeAll { $0.second.onset + 1 <= next }
    }

    private func isLarge(_ samples: Span<Float>) -> Bool {
        let largest = Scans.largestMagnitude(samples)
        // Of what is missing in part the rest is asked.
        return largest > 600 || (largest.isNaN && samples.indices.contains { abs(samples[$0]) > 600 })
    }

    /// What a second alone, and those before it, say against each raw channel.
    private mutating func lasting(_ second: EEGSecond) -> [[EpochReason]] {
        guard second.channels.count == level.count else { return [] }
        var reasons = watch.take(second)
        for (index, channel) in second.channels.enumerated() {
            guard channel.missing == 0 else { continue }
            if channel.isFlat {
                let away = level[index].map { abs(channel.level - $0) > ChannelLimits.rail } ?? false
                reasons[index].append(away ? .railed : .flat)
            } else {
                level[index] = level[index].map { $0 + (channel.level - $0) / 10 } ?? channel.level
            }
            if channel.isClipped { reasons[index].append(.railed) }
            if channel.isFast { reasons[index].append(.muscle) }
            if channel.isHum { reasons[index].append(.mains) }
            if !rebuildsBursts, channel.isHuge || channel.isPop { reasons[index].append(.amplitude) }
        }
        return reasons
    }
}
