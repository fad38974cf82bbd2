import Brain
public import Signals

/// The fate of the blocks of a calibration, and advice where too few are left.
public struct CalibrationDiagnosis: Sendable {
    /// The fate of the blocks of one state.
    public struct Fate: Hashable, Sendable {
        /// Rows or markers of blocks.
        public var spans = 0
        /// Blocks with at least one usable epoch.
        public var blocks = 0
        /// Onsets in seconds of spans that were joined with the one before, of the same state.
        public var joined: [Seconds] = []
        /// Onsets of spans in which no epoch fits behind the margin.
        public var tooShort: [Seconds] = []
        /// Onsets of spans whose epochs were all rejected.
        public var rejected: [Seconds] = []
        /// Epochs within the blocks.
        public var epochs = 0
        /// Those of them that are usable.
        public var usableEpochs = 0
    }

    /// By state; states without blocks are absent.
    public private(set) var states: [DecodedState: Fate] = [:]
    /// Channels by the share of the blocks' epochs that their most frequent reason is against, the worst first.
    private var channels: [(label: String, share: Double, reason: EpochReason)] = []
    private let pause: Seconds
    private let shortest: Seconds

    /// The fate of `spans`, as `CalibrationSpan.separated` leaves them, in a recording with these epochs.
    /// - Parameters:
    ///   - margin: seconds left out at the beginning of each span.
    ///   - pause: spans of one state with a shorter pause between them were joined, in seconds.
    public init(
        _ spans: [CalibrationSpan], _ epochs: [DecodableEpoch], labels: [String],
        margin: Seconds = CalibrationBlock.margin, joining pause: Seconds
    ) {
        self.pause = pause
        shortest = margin + (epochs.first?.duration ?? 0)
        var last: (state: DecodedState, end: Seconds)?
        var unusable = labels.map { _ in [EpochReason: Int]() }
        var count = 0
        for (span, block) in zip(spans, CalibrationBlock.blocks(epochs, spans: spans, margin: margin)) {
            var fate = states[span.state] ?? Fate()
            fate.spans += 1
            if let last, last.state == span.state, span.time.lowerBound - last.end < pause {
                fate.joined.append(span.time.lowerBound)
            }
            last = (span.state, span.time.upperBound)
            let usable = block.epochs.count { $0.features != nil }
            fate.epochs += block.epochs.count
            fate.usableEpochs += usable
            if block.epochs.isEmpty { fate.tooShort.append(span.time.lowerBound) }
            if usable == 0, !block.epochs.isEmpty { fate.rejected.append(span.time.lowerBound) }
            states[span.state] = fate
            count += block.epochs.count
            for epoch in block.epochs {
                for (channel, reasons) in epoch.reasons.enumerated() where channel < labels.count {
                    for reason in reasons { unusable[channel][reason, default: 0] += 1 }
                }
            }
        }
        for block in CalibrationBlock.blocks(epochs, spans: spans, margin: margin, joining: pause)
        where block.epochs.contains(where: { $0.features != nil }) {
            states[block.state]?.blocks += 1
        }
        channels = labels.indices.compactMap { channel in
            let order = EpochReason.allCases
            guard let worst = order.max(by: { unusable[channel][$0, default: 0] < unusable[channel][$1, default: 0] }),
                let times = unusable[channel][worst], times > 0
            else { return nil }
            return (labels[channel], Double(times) / Double(max(1, count)), worst)
        }.sorted { $0.share > $1.share }
    }

    /// The fate of the blocks of a state and advice, in sentences; empty where there are no such blocks.
    public func explanation(_ state: DecodedState) -> String {
        guard let fate = states[state] else { return "" }
        var sentences: [String] = []
        if !fate.joined.isEmpty {
            sentences.append(
                "\(fate.joined.count) of \(fate.spans) \(state.rawValue) blocks begin less than \(Self.text(pause)) s after another "
                    + "of their state and were joined with it (at \(Self.list(fate.joined))). Let the states alternate, or leave "
                    + "\(Self.text(pause)) s or more between blocks of one state; repeating the same order cannot help")
        }
        if !fate.tooShort.isEmpty {
            sentences.append(
                "\(fate.tooShort.count) of \(fate.spans) \(state.rawValue) blocks hold no epoch (at \(Self.list(fate.tooShort))): "
                    + "give blocks of \(Self.text(shortest)) s or more, within the EEG")
        }
        if !fate.rejected.isEmpty || fate.usableEpochs < fate.epochs, let worst = channels.first {
            let all = channels.prefix(3).map {
                "\($0.label) (\($0.reason.explanation)) in \(Scores.percent($0.share))"
            }
            sentences.append(
                "\(fate.epochs - fate.usableEpochs) of \(fate.epochs) \(state.rawValue) epochs were rejected"
                    + (fate.rejected.isEmpty ? "" : ", all of those of the blocks at \(Self.list(fate.rejected))")
                    + "; unusable in the blocks' epochs: \(all.joined(separator: ", ")). Check \(worst.label), or leave it out "
                    + "(--leave-out \(worst.label))")
        }
        if sentences.isEmpty {
            sentences.append("All \(fate.spans) \(state.rawValue) blocks were clean: record more of them")
        }
        return sentences.joined(separator: ". ")
    }

    private static func list(_ onsets: [Seconds]) -> String {
        let told = onsets.prefix(5).map(text).joined(separator: ", ")
        return told + (onsets.count > 5 ? ", …" : "") + " s"
    }

    private static func text(_ value: Seconds) -> String {
        let value = (value * 10).rounded() / 10
        return value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }
}
