import Brain

/// How much each of some channels has in common with the one it agrees with best: the mean of the seconds' agreement, as
/// far as it is certain. Four standard errors make the limit: of independent channels, whatever their spectrum, few pairs
/// in a thousand come so far by chance.
struct ChannelAgreements {
    /// Of each channel; nil where there is no other, or too little of the two.
    private(set) var best: [Double?]

    /// Of complete seconds of `channels` channels.
    init(_ seconds: ArraySlice<EEGSecond>, channels: Int) {
        best = Array(repeating: nil, count: channels)
        guard channels > 1, !seconds.isEmpty else { return }
        for channel in 0..<channels - 1 {
            for other in channel + 1..<channels {
                guard let certain = Self.certain(channel, other, seconds, channels) else { continue }
                best[channel] = max(best[channel] ?? certain, certain)
                best[other] = max(best[other] ?? certain, certain)
            }
        }
    }

    /// Where one of the two is missing, nothing is known of the pair.
    private static func certain(
        _ channel: Int, _ other: Int, _ seconds: ArraySlice<EEGSecond>, _ channels: Int
    ) -> Double? {
        let place = EEGSecond.pair(channel, other, of: channels)
        func forEach(_ body: (Double) -> Void) {
            for second in seconds where second.channels[channel].isMeasured && second.channels[other].isMeasured {
                body(Double(second.agreement[place]))
            }
        }
        var (known, sum) = (0, 0.0)
        forEach { (known, sum) = (known + 1, sum + $0) }
        guard known >= BrainAspects.leastSeconds else { return nil }
        let count = Double(known)
        let mean = sum / count
        var variance = 0.0
        forEach { variance += ($0 - mean) * ($0 - mean) }
        let error = (variance / (count - 1) / count).squareRoot()
        return error > 0 ? min(abs(mean), ChannelLimits.agreement * abs(mean) / (4 * error)) : abs(mean)
    }
}
