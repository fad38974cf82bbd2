import Brain

/// How much each of some channels has in common with the one it agrees with best: the mean of the seconds' agreement, as
/// far as it is certain. Four standard errors make the limit: of independent channels, whatever their spectrum, few pairs
/// in a thousand come so far by chance.
struct ChannelAgreements {
    /// Of each channel; nil where there is no other, or too little of the two.
    private(set) var best: [Double?]

    /// Of complete seconds of `channels` channels.
    init(_ seconds: ArraySlice<BrainLedger.Second>, channels: Int) {
        best = Array(repeating: nil, count: channels)
        guard channels > 1, seconds.count >= BrainAspects.leastSeconds else { return }
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
        _ channel: Int, _ other: Int, _ seconds: ArraySlice<BrainLedger.Second>, _ channels: Int
    ) -> Double? {
        let place = EEGSecond.pair(channel, other, of: channels)
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: seconds.count) { values in
            var (known, sum) = (0, 0.0)
            seconds.withUnsafeBufferPointer { seconds in
                for index in seconds.indices where seconds[index].measures(channel, other) {
                    let value = Double(seconds[index].agreement[place])
                    values[known] = value
                    (known, sum) = (known + 1, sum + value)
                }
            }
            guard known >= BrainAspects.leastSeconds else { return nil }
            let count = Double(known)
            let mean = sum / count
            var variance = 0.0
            for index in 0..<known { variance += (values[index] - mean) * (values[index] - mean) }
            let error = (variance / (count - 1) / count).squareRoot()
            return error > 0 ? min(abs(mean), ChannelLimits.agreement * abs(mean) / (4 * error)) : abs(mean)
        }
    }
}
