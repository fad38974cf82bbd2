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
    /// The same in order of size, without what is not a number.
    private var ranked: [[Double]]
    /// The agreement of pairs in the last seconds.
    private var agreements: [[Float]] = []
    private var sum: [Double]

    /// A watch over `channels` channels.
    public init(channels: Int) {
        self.channels = channels
        sizes = Array(repeating: [], count: max(0, channels))
        ranked = sizes
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
            note(channel.missing > 0 || channel.isFlat ? .nan : log(max(channel.eeg, 1e-3)), index)
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

    /// The latest size of a channel takes the place of the oldest.
    private mutating func note(_ size: Double, _ channel: Int) {
        sizes[channel].append(size)
        if size.isFinite { ranked[channel].insert(size, at: place(of: size, channel)) }
        guard sizes[channel].count > Self.seconds else { return }
        let oldest = sizes[channel].removeFirst()
        if oldest.isFinite { ranked[channel].remove(at: place(of: oldest, channel)) }
    }

    private func place(of size: Double, _ channel: Int) -> Int {
        ranked[channel].firstIndex { $0 >= size } ?? ranked[channel].count
    }

    /// The mean agreement of a channel with the one it agrees with best.
    private func bestAgreement(_ channel: Int) -> Double {
        var best = 0.0
        for other in 0..<channels where other != channel {
            best = max(best, abs(sum[EEGSecond.pair(channel, other, of: channels)]))
        }
        return best / Double(agreements.count)
    }

    private func deviants() -> [Bool] {
        let usual = ranked.map { known -> Double in
            guard known.count >= Self.least / 2 else { return .nan }
            let (low, high) = (known[(known.count - 1) / 2], known[known.count / 2])
            return low == high ? low : low / 2 + high / 2
        }
        let known = usual.filter(\.isFinite)
        guard known.count > 2 else { return Array(repeating: false, count: channels) }
        let spread = Statistics.medianAbsoluteDeviation(known) * Statistics.normalConsistency
        let middle = Statistics.median(known)
        return usual.map { abs($0 - middle) > Self.zScore * max(spread, Self.leastSpread) }
    }
}
