import Kernels
import Signals

/// Says which channels of an epoch are not to be used, from the raw seconds it lies in and from its own samples.
struct EpochJudge: Sendable {
    /// The raw seconds that epochs to come may lie in, in order of time, and what speaks against each raw channel; empty
    /// where nothing does.
    private var seconds: [(onset: Seconds, reasons: [[EpochReason]])] = []
    private var watch: BadChannelWatch
    private let channels: Int
    private let sources: [[Int]]
    private let references: [Bool]
    private let rebuildsBursts: Bool
    /// Until when seconds are known.
    private(set) var known: Seconds = 0

    /// A judge of epochs whose channel i comes from the raw channels `sources[i]`.
    /// - Parameters:
    ///   - references: of each of these channels whether it is its own reference.
    ///   - rebuildsBursts: whether what was too large in the raw channels is so no more.
    init(channels: Int, sources: [[Int]], references: [Bool], rebuildsBursts: Bool = false) {
        (self.channels, self.references) = (channels, references)
        self.rebuildsBursts = rebuildsBursts
        watch = BadChannelWatch(channels: channels)
        self.sources = sources
    }

    /// A new run begins.
    mutating func reset() {
        watch.reset()
    }

    mutating func take(_ second: EEGSecond) {
        let reasons = lasting(second)
        seconds.append((second.onset, reasons.allSatisfy { $0.isEmpty } ? [] : reasons))
        known = max(known, second.onset + 1)
    }

    /// Adds the reasons that speak against the channels of `epoch`; what lies before it is not needed any more.
    mutating func judge(_ epoch: inout Epoch, next: Seconds) {
        let against = against(epoch)
        for channel in epoch.channels.indices where epoch.frameCount > 0 {
            var found: Set<EpochReason> = references[channel] ? [.reference] : []
            for reasons in against {
                for source in sources[channel] where source < reasons.count { found.formUnion(reasons[source]) }
            }
            if isLarge(epoch.samples.span.extracting(epoch.range(ofChannel: channel))) { found.insert(.amplitude) }
            guard !found.isEmpty else { continue }
            found.formUnion(epoch.channels[channel].reasons)
            epoch.channels[channel].reasons = EpochReason.allCases.filter(found.contains)
        }
        seconds.removeFirst(seconds.firstIndex { $0.onset + 1 > next } ?? seconds.count)
    }

    /// What the seconds that `epoch` lies in have against raw channels, those without anything left out.
    private func against(_ epoch: Epoch) -> [[[EpochReason]]] {
        let end = epoch.onset + epoch.duration
        var found: [[[EpochReason]]] = []
        for place in seconds.indices {
            guard seconds[place].onset < end else { break }
            if seconds[place].onset + 1 > epoch.onset, !seconds[place].reasons.isEmpty {
                found.append(seconds[place].reasons)
            }
        }
        return found
    }

    private func isLarge(_ samples: Span<Float>) -> Bool {
        let largest = Scans.largestMagnitude(samples)
        // Of what is missing in part the rest is asked.
        return largest > 600 || (largest.isNaN && samples.indices.contains { abs(samples[$0]) > 600 })
    }

    /// What a second alone, and those before it, say against each raw channel.
    private mutating func lasting(_ second: EEGSecond) -> [[EpochReason]] {
        guard second.channels.count == channels else { return [] }
        var reasons = watch.take(second)
        for (index, channel) in second.channels.enumerated() {
            guard channel.missing == 0 else { continue }
            if channel.isFlat { reasons[index].append(channel.isAtRail ? .railed : .flat) }
            if channel.isClipped, !channel.isAtRail { reasons[index].append(.railed) }
            if channel.isFast { reasons[index].append(.muscle) }
            if channel.isHum { reasons[index].append(.mains) }
            if !rebuildsBursts, channel.isHuge || channel.isPop { reasons[index].append(.amplitude) }
        }
        return reasons
    }
}
