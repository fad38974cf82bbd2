import Brain

/// Which channel of a calibration is better left out.
public enum ChannelChoice {
    /// The fewest channels that are left.
    private static let fewest = 2
    /// A channel that is unusable in a larger share of the blocks' epochs is left out.
    private static let largestShare = 0.5
    /// Where epochs are too few, a channel that alone costs a larger share of them is left out.
    private static let largestCost = 0.1

    /// The channel that is unusable in most of the low and high epochs, or, where these are too few, that alone costs most of
    /// them, with its most frequent reason; nil where all are better kept. Epochs in which no channel is usable count for none.
    public static func worst(
        _ blocks: [CalibrationBlock], labels: [String]
    ) -> (label: String, share: Double, why: String)? {
        guard labels.count > fewest else { return nil }
        let both = blocks.filter { $0.state != .neutral }
        let epochs = both.flatMap(\.epochs)
        guard !epochs.isEmpty else { return nil }
        var (bad, alone) = ([Int](repeating: 0, count: labels.count), [Int](repeating: 0, count: labels.count))
        var reasons = labels.map { _ in [EpochReason: Int]() }
        for epoch in epochs where epoch.reasons.count == labels.count && !epoch.reasons.allSatisfy({ !$0.isEmpty }) {
            let unusable = labels.indices.filter { !epoch.reasons[$0].isEmpty }
            for channel in unusable {
                bad[channel] += 1
                if unusable.count == 1 { alone[channel] += 1 }
                for reason in epoch.reasons[channel] { reasons[channel][reason, default: 0] += 1 }
            }
        }
        func worst(_ counts: [Int], above share: Double) -> Int? {
            labels.indices.max { counts[$0] < counts[$1] }.flatMap { channel in
                Double(counts[channel]) > share * Double(epochs.count) ? channel : nil
            }
        }
        let isTooLittle = [DecodedState.low, .high].contains { state in
            let own = both.filter { $0.state == state }
            let usable = own.map { $0.epochs.count { $0.features != nil } }
            return usable.reduce(0, +) < ModelFitting().leastEpochs
                || usable.count { $0 > 0 } < ModelFitting.leastBlocks
        }
        guard let channel = worst(bad, above: largestShare) ?? (isTooLittle ? worst(alone, above: largestCost) : nil),
            let reason = EpochReason.allCases.max(by: {
                reasons[channel][$0, default: 0] < reasons[channel][$1, default: 0]
            })
        else { return nil }
        return (labels[channel], Double(bad[channel]) / Double(epochs.count), reason.explanation)
    }
}
