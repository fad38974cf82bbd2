import Kernels
import Signals

/// Says which channels of an epoch are not to be used, from the raw seconds it lies in and from its own samples.
struct EpochJudge: Sendable {
    /// The raw seconds that epochs to come may lie in, in order of time, and what speaks against each raw channel; empty
    /// where nothing does.
    private var seconds: [(onset: Seconds, reasons: [[EpochReason]], fast: [Double])] = []
    private var watch: BadChannelWatch
    private let channels: Int
    private let sources: [[Int]]
    private let references: [Bool]
    private let isAverage: Bool
    private let rebuildsBursts: Bool
    /// Until when seconds are known.
    private(set) var known: Seconds = 0

    /// A judge of epochs whose channel i comes from the raw channels `sources[i]`.
    /// - Parameters:
    ///   - comparable: of each raw channel whether it has its reference in common with others; nil where all have.
    ///   - hasNeighbor: of each raw channel whether another comparable one is near; nil where all have one.
    ///   - references: of each of these channels whether it is its own reference.
    ///   - isAverage: whether all are measured against the average of all.
    ///   - rebuildsBursts: whether what was too large in the raw channels is so no more.
    init(
        channels: Int, comparable: [Bool]? = nil, hasNeighbor: [Bool]? = nil, sources: [[Int]], references: [Bool],
        isAverage: Bool = false,
        rebuildsBursts: Bool = false
    ) {
        (self.channels, self.references, self.isAverage) = (channels, references, isAverage)
        self.rebuildsBursts = rebuildsBursts
        watch = BadChannelWatch(channels: channels, comparable: comparable, hasNeighbor: hasNeighbor)
        self.sources = sources
    }

    /// A new run begins.
    mutating func reset() {
        watch.reset()
    }

    mutating func take(_ second: EEGSecond) {
        let reasons = lasting(second)
        let fast = second.channels.map { $0.isMeasured ? $0.fast : .nan }
        seconds.append((second.onset, reasons.allSatisfy { $0.isEmpty } ? [] : reasons, fast))
        known = max(known, second.onset + 1)
    }

    /// Adds the reasons that speak against the channels of `epoch`, and takes those that are not to be used out of an
    /// average; what lies before the epoch is not needed any more.
    mutating func judge(_ epoch: inout Epoch, next: Seconds) {
        if epoch.frameCount > 0 {
            let against = against(epoch)
            for channel in epoch.channels.indices {
                var found: Set<EpochReason> = references[channel] ? [.reference] : []
                for reasons in against {
                    for source in sources[channel] where source < reasons.count { found.formUnion(reasons[source]) }
                }
                epoch.channels[channel].add(found)
            }
            epoch.fast = fast(epoch)
            leaveOutUnusable(&epoch)
            let large = epoch.channels.indices.filter {
                isLarge(epoch.samples.span.extracting(epoch.range(ofChannel: $0)))
            }
            for channel in large { epoch.channels[channel].add([.amplitude]) }
            if !large.isEmpty { leaveOutUnusable(&epoch) }
        }
        seconds.removeFirst(seconds.firstIndex { $0.onset + 1 > next } ?? seconds.count)
    }

    /// Measures the channels of an epoch against the average of those that may be used; where these are too few none may.
    private func leaveOutUnusable(_ epoch: inout Epoch) {
        guard isAverage, !EpochAverage.leaveOut(epoch.channels.map { !$0.isUsable }, of: &epoch) else { return }
        for channel in epoch.channels.indices { epoch.channels[channel].add([.reference]) }
    }

    /// The root mean square above 35 Hz of the raw channel that each channel comes from, over the seconds of `epoch`.
    private func fast(_ epoch: Epoch) -> [Double?] {
        let end = epoch.onset + epoch.duration
        let within = seconds.filter { $0.onset < end && $0.onset + 1 > epoch.onset }
        return sources.map { sources in
            let known = within.compactMap { second in
                sources.first.flatMap { $0 < second.fast.count && second.fast[$0].isFinite ? second.fast[$0] : nil }
            }
            guard !known.isEmpty else { return nil }
            return (known.reduce(0) { $0 + $1 * $1 } / Double(known.count)).squareRoot()
        }
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
