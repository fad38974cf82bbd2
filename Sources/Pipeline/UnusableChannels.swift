import Brain
import Signals

/// The channels of an EEG that no epoch could use, and why.
struct UnusableChannels {
    private let labels: [String]
    private let runs: [Range<Seconds>]
    private let hasEpochs: Bool
    /// How many epochs have all their samples.
    private var complete = 0
    /// For each channel how many of these epochs could use it, and how many have which reason against it.
    private var channels: [(usable: Int, reasons: [EpochReason: Int])]

    init(_ result: BrainResult) {
        (labels, runs, hasEpochs) = (result.labels, result.runs, !result.epochs.isEmpty)
        channels = labels.map { _ in (0, [:]) }
        for epoch in result.epochs where !epoch.channels.contains(where: { $0.reasons.contains(.gap) }) {
            complete += 1
            for (place, state) in epoch.channels.enumerated() where place < channels.count {
                if state.isUsable { channels[place].usable += 1 }
                for reason in state.reasons { channels[place].reasons[reason, default: 0] += 1 }
            }
        }
    }

    /// Those with the same reason together, in the order of their first.
    var groups: [(labels: [String], why: String)] {
        guard complete > 0 else { return [] }
        var groups: [(labels: [String], why: String)] = []
        for (label, channel) in zip(labels, channels) where channel.usable == 0 {
            let why = Self.words(channel.reasons, of: complete)
            if let known = groups.firstIndex(where: { $0.why == why }) {
                groups[known].labels.append(label)
            } else {
                groups.append(([label], why))
            }
        }
        return groups
    }

    /// Why no epoch was usable; nil where one was, or there are none as features were not asked for.
    func absence(_ parameters: EpochParameters) -> String? {
        if complete > 0 {
            guard channels.allSatisfy({ $0.usable == 0 }) else { return nil }
            let reasons: [EpochReason: Int] = channels.reduce(into: [:]) { $0.merge($1.reasons, uniquingKeysWith: +) }
            return Self.words(reasons, of: complete * channels.count)
        }
        let length = parameters.length
        let isShort = (runs.map { $0.upperBound - $0.lowerBound }.max() ?? 0) < length
        guard isShort || hasEpochs else { return nil }
        let seconds = length == length.rounded() ? "\(Int(length)) s" : "\(length) s"
        return isShort && runs.count < 2
            ? "it is shorter than an epoch of \(seconds)" : "no stretch without a gap holds an epoch of \(seconds)"
    }

    /// The most frequent reason; of several as frequent the first.
    private static func words(_ reasons: [EpochReason: Int], of all: Int) -> String {
        guard let most = reasons.values.max(),
            let reason = EpochReason.allCases.first(where: { reasons[$0] == most })
        else { return "no reason is known" }
        return most == all ? "\(reason.explanation) in all epochs" : "most often \(reason.explanation)"
    }
}

extension UnusableChannels {
    /// What is told of an EEG among what was not computed: that no epoch was usable, and channels that none could use.
    static func leftOut(of result: BrainResult, _ parameters: Parameters) -> [(what: String, why: String)] {
        guard result.doubt == nil, parameters.wants(.eeg) else { return [] }
        let (name, found) = (result.source.name, UnusableChannels(result))
        let groups = found.groups
        let rows = groups.map { group in
            (
                what: "\(group.labels.count.word("channel")) \(group.labels.joined(separator: ", ")) of \(name)",
                why: group.why
            )
        }
        guard let absence = found.absence(parameters.eeg.epochs) else { return rows }
        let whole = [(what: "EEG of \(name)", why: "no epoch was usable: \(absence)")]
        // Where all channels share a reason, it is told with the whole.
        return groups.count > 1 ? whole + rows : whole
    }
}

extension RecordingAnalysis {
    /// Why no epoch of an EEG was usable; nil where one was, or features were not asked for.
    public func whyNoEpoch(of result: BrainResult) -> String? {
        guard result.doubt == nil, parameters.wants(.eeg) else { return nil }
        return UnusableChannels(result).absence(parameters.eeg.epochs)
    }
}
