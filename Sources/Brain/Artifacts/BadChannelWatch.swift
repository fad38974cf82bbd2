import Foundation
import Kernels

/// Tells, second by second, which channels have been bad for longer: unlike the others in size, or with nothing in
/// common with them. Works from three channels on; RANSAC and its like need dozens.
///
/// Judged over those of the run's last `seconds` seconds that can be judged, once there are `least` of them: a second with
/// missing samples says nothing of its channel, nor of any pair with it. Size: the
/// robust z-score of the logarithm of each channel's median root mean square (Bigdely-Shamlo et al. 2015, section
/// 2.2.2), with a least spread that keeps four ordinary channels from accusing one another. Agreement: the best mean
/// with any other channel, asked only of channels that have a reference in common: bipolar ones of a clean EEG may agree
/// with none.
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
    private let comparable: [Bool]
    /// Of each channel its size in the last seconds, not a number where there is none.
    private var sizes: [[Double]]
    /// The same in order of size, without what is not a number.
    private var ranked: [[Double]]
    /// The agreement of pairs in the last seconds, not a number where samples of one of the two are missing.
    private var agreements: [[Float]] = []
    /// Of each pair the sum of these, and how many there are.
    private var sum: [Double]
    private var known: [Int]

    /// A watch over `channels` channels.
    /// - Parameter comparable: of each whether it has its reference in common with others; nil where all have.
    public init(channels: Int, comparable: [Bool]? = nil) {
        self.channels = channels
        self.comparable = comparable ?? Array(repeating: true, count: max(0, channels))
        sizes = Array(repeating: [], count: max(0, channels))
        ranked = sizes
        sum = Array(repeating: 0, count: max(0, channels * (channels - 1) / 2))
        known = Array(repeating: 0, count: sum.count)
    }

    /// A new run: what was before says nothing.
    public mutating func reset() {
        self = BadChannelWatch(channels: channels, comparable: comparable)
    }

    /// Takes a second into account and says what is wrong with each channel.
    public mutating func take(_ second: EEGSecond) -> [[EpochReason]] {
        guard channels > 2, second.channels.count == channels else { return Array(repeating: [], count: channels) }
        for (index, channel) in second.channels.enumerated() {
            note(channel.missing > 0 || channel.isFlat ? .nan : log(max(channel.eeg, 1e-3)), index)
        }
        note(agreement(second))
        guard agreements.count >= Self.least else { return Array(repeating: [], count: channels) }
        let deviant = deviants()
        return (0..<channels).map { channel in
            var reasons: [EpochReason] = []
            if deviant[channel] { reasons.append(.deviant) }
            if comparable[channel], let best = bestAgreement(channel), best < ChannelLimits.agreement {
                reasons.append(.uncorrelated)
            }
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

    /// The agreement of pairs in a second, as far as it can be judged.
    private func agreement(_ second: EEGSecond) -> [Float] {
        var agreement = second.agreement
        for channel in 0..<channels where second.channels[channel].missing > 0 {
            for other in 0..<channels where other != channel {
                agreement[EEGSecond.pair(channel, other, of: channels)] = .nan
            }
        }
        return agreement
    }

    /// The latest agreements take the place of the oldest.
    private mutating func note(_ latest: [Float]) {
        agreements.append(latest)
        for (pair, value) in latest.enumerated() where value.isFinite {
            sum[pair] += Double(value)
            known[pair] += 1
        }
        guard agreements.count > Self.seconds else { return }
        for (pair, value) in agreements.removeFirst().enumerated() where value.isFinite {
            sum[pair] -= Double(value)
            known[pair] -= 1
        }
    }

    /// The mean agreement of a channel with the one it agrees with best; nil where too little of it is known.
    private func bestAgreement(_ channel: Int) -> Double? {
        var best: Double?
        for other in 0..<channels where other != channel {
            let pair = EEGSecond.pair(channel, other, of: channels)
            guard known[pair] >= Self.least else { continue }
            best = max(best ?? 0, abs(sum[pair]) / Double(known[pair]))
        }
        return best
    }

    private func deviants() -> [Bool] {
        let usual = ranked.map { known -> Double in
            guard known.count >= Self.least / 2 else { return .nan }
            let (low, high) = (known[(known.count - 1) / 2], known[known.count / 2])
            return low == high ? low : low / 2 + high / 2
        }
        let known = usual.filter(\.isFinite)
        guard known.count > 2 else { return Array(repeating: false, count: channels) }
        let middle = Statistics.median(known)
        let spread = Statistics.median(known.map { abs($0 - middle) }) * Statistics.normalConsistency
        return usual.map { abs($0 - middle) > Self.zScore * max(spread, Self.leastSpread) }
    }
}
