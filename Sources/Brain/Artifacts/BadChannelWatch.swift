import Foundation
import Kernels

/// Tells, second by second, which channels have been bad for longer: unlike the others in size, or with nothing in
/// common with them. Works from three channels on; RANSAC and its like need dozens.
///
/// Judged over the last `seconds` seconds of the run that can be judged, once there are `least` of them. Size: the
/// robust z-score of the logarithm of each channel's median root mean square (Bigdely-Shamlo et al. 2015, section
/// 2.2.2), with a least spread that keeps four ordinary channels from accusing one another. Agreement: the best mean
/// with any other channel.
public struct BadChannelWatch: Sendable {
    /// The most seconds that are looked at.
    public static let seconds = 30
    /// The fewest seconds on which a channel is judged.
    public static let least = 10
    /// Beyond this z-score a channel is deviant.
    public static let zScore = 5.0
    /// The least standard deviation of the logarithms.
    public static let leastSpread = 0.3

    private let channels: Int
    /// Of each channel its size in the last seconds, not a number where there is none.
    private var sizes: [[Double]]
    /// The agreement of pairs in the last seconds.
    private var agreements: [[Float]] = []
    private var sum: [Double]

    /// A watch over `channels` channels.
    public init(channels: Int) {
        self.channels = channels
        sizes = Array(repeating: [], count: max(0, channels))
        sum = Array(repeating: 0, count: max(0, channels * (channels - 1) / 2))
    }

    /// A new run: what was before says nothing.
    public mutating func reset() {
        self = BadChannelWatch(channels: channels)
    }

    /// Takes a second into account and says what is wrong with each channel.
    public mutating func take(_ second: EEGSecond) -> [[EpochReason]] {
        guard channels > 2, second.channels.count == channels else { return Array(repeating: [], count: channels) }
        for (index, channel) in second.channels.enumerated() {
            sizes[index].append(channel.missing > 0 || channel.isFlat ? .nan : log(max(channel.eeg, 1e-3)))
            if sizes[index].count > Self.seconds { sizes[index].removeFirst() }
        }
        agreements.append(second.agreement)
        for index in sum.indices { sum[index] += Double(second.agreement[index]) }
        if agreements.count > Self.seconds {
            let oldest = agreements.removeFirst()
            for index in sum.indices { sum[index] -= Double(oldest[index]) }
        }
        guard agreements.count >= Self.least else { return Array(repeating: [], count: channels) }
        let deviant = deviants()
        return (0..<channels).map { channel in
            var reasons: [EpochReason] = []
            if deviant[channel] { reasons.append(.deviant) }
            if bestAgreement(channel) < ChannelLimits.agreement { reasons.append(.uncorrelated) }
            return reasons
        }
    }

    /// The mean agreement of a channel with the one it agrees with best.
    private func bestAgreement(_ channel: Int) -> Double {
        let others = (0..<channels).filter { $0 != channel }
        let best = others.map { sum[EEGSecond.pair(channel, $0, of: channels)] }.max { abs($0) < abs($1) } ?? 0
        return abs(best) / Double(agreements.count)
    }

    private func deviants() -> [Bool] {
        let usual = sizes.map { sizes -> Double in
            let known = sizes.filter(\.isFinite)
            return known.count >= Self.least / 2 ? Statistics.median(known) : .nan
        }
        let known = usual.filter(\.isFinite)
        guard known.count > 2 else { return Array(repeating: false, count: channels) }
        let spread = Statistics.medianAbsoluteDeviation(known) * Statistics.normalConsistency
        let middle = Statistics.median(known)
        return usual.map { abs($0 - middle) > Self.zScore * max(spread, Self.leastSpread) }
    }
}
