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
/// with none. Clean electrodes far from one another need not agree either, so it is asked only of channels with a neighbor
/// within `reach`; and with fewer than `fewChannels` only of those with another sign of noise in half of the seconds or more:
/// muscle, hum, pops, amplitude, a spectrum that does not fall (`flatSpectrum`), or a deviant size.
public struct BadChannelWatch: Sendable {
    /// The most seconds that are looked at.
    public static let seconds = 30
    /// The fewest seconds on which a channel is judged.
    public static let least = 10
    /// Beyond this z-score a channel is deviant.
    public static let zScore = 5.0
    /// The least standard deviation of the logarithms.
    public static let leastSpread = 0.3
    /// With fewer channels, agreement alone is no evidence.
    public static let fewChannels = 8
    /// The largest distance of a neighbor, in heads' radii: that of electrodes next to each other in the 10-20 system is 0.6.
    public static let reach = 0.85
    /// The ratio of the root mean squares from 35 and from 2 Hz on, above which a spectrum does not fall as an EEG's does; white
    /// noise has 1.5, 1/f noise 0.6.
    public static let flatSpectrum = 0.8

    private let channels: Int
    private let comparable: [Bool]
    private let hasNeighbor: [Bool]
    /// Of each channel whether each of the last seconds shows another sign of noise; a ring of `seconds` places.
    private var signs: [Bool]
    /// How many seconds were taken.
    private var taken = 0
    /// Of each channel its size in the last seconds, `seconds` places in turn, not a number where there is none.
    private var sizes: [Double]
    /// The same in order of size, without what is not a number, and how many these are.
    private var ranked: [Double]
    private var counts: [Int]
    /// The agreement of pairs in the last seconds, `seconds` rows in turn, not a number where samples of one of the two are
    /// missing.
    private var agreements: [Float]
    /// Of each pair the sum of these, and how many there are.
    private var sum: [Double]
    private var known: [Int]
    /// Of each channel the middle of its sizes, and room to put those of all in order.
    private var usual: [Double]
    private var ordered: [Double] = []

    /// A watch over `channels` channels.
    /// - Parameters:
    ///   - comparable: of each whether it has its reference in common with others; nil where all have.
    ///   - hasNeighbor: of each whether another comparable one is at most `reach` away; nil where all have one.
    public init(channels: Int, comparable: [Bool]? = nil, hasNeighbor: [Bool]? = nil) {
        self.channels = channels
        self.hasNeighbor = hasNeighbor ?? Array(repeating: true, count: max(0, channels))
        signs = Array(repeating: false, count: Self.seconds * max(0, channels))
        self.comparable = comparable ?? Array(repeating: true, count: max(0, channels))
        sizes = Array(repeating: .nan, count: Self.seconds * max(0, channels))
        ranked = sizes
        usual = Array(repeating: .nan, count: max(0, channels))
        counts = Array(repeating: 0, count: max(0, channels))
        sum = Array(repeating: 0, count: max(0, channels * (channels - 1) / 2))
        known = Array(repeating: 0, count: sum.count)
        agreements = Array(repeating: .nan, count: Self.seconds * sum.count)
    }

    /// A new run: what was before says nothing.
    public mutating func reset() {
        self = BadChannelWatch(channels: channels, comparable: comparable, hasNeighbor: hasNeighbor)
    }

    /// Takes a second into account and says what is wrong with each channel.
    public mutating func take(_ second: EEGSecond) -> [[EpochReason]] {
        var reasons = Array(repeating: [EpochReason](), count: channels)
        guard channels > 2, second.channels.count == channels else { return reasons }
        for channel in 0..<channels {
            let found = second.channels[channel]
            note(found.missing > 0 || found.isFlat ? .nan : log(max(found.eeg, 1e-3)), channel)
            signs[channel * Self.seconds + taken % Self.seconds] = Self.isSign(found)
        }
        noteAgreements(of: second)
        taken += 1
        guard taken >= Self.least else { return reasons }
        let ordinary = ordinarySizes()
        for channel in 0..<channels {
            if let (middle, reach) = ordinary, abs(usual[channel] - middle) > reach {
                reasons[channel].append(.deviant)
            }
            if comparable[channel], mayAsk(channel, reasons[channel]), let best = bestAgreement(channel),
                best < ChannelLimits.agreement
            {
                reasons[channel].append(.uncorrelated)
            }
        }
        return reasons
    }

    /// True where a second shows a sign of noise other than missing agreement.
    private static func isSign(_ second: EEGSecond.Channel) -> Bool {
        guard second.isMeasured else { return false }
        return second.isFast || second.isHum || second.isHuge || second.isPop || second.isClipped
            || second.fast > flatSpectrum * second.eeg
    }

    /// True where missing agreement is evidence against a channel.
    private func mayAsk(_ channel: Int, _ others: [EpochReason]) -> Bool {
        guard channels < Self.fewChannels else { return hasNeighbor[channel] }
        let known = min(taken, Self.seconds)
        let first = channel * Self.seconds
        return !others.isEmpty || 2 * signs[first..<first + known].count { $0 } >= known
    }

    /// The latest size of a channel takes the place of the oldest.
    private mutating func note(_ size: Double, _ channel: Int) {
        let (first, place) = (channel * Self.seconds, channel * Self.seconds + taken % Self.seconds)
        let oldest = sizes[place]
        sizes[place] = size
        var count = counts[channel]
        ranked.withUnsafeMutableBufferPointer { all in
            let ranked = UnsafeMutableBufferPointer(rebasing: all[first..<first + Self.seconds])
            if oldest.isFinite {
                count -= 1
                for rank in Self.rank(of: oldest, in: ranked, count)..<count { ranked[rank] = ranked[rank + 1] }
            }
            guard size.isFinite else { return }
            var rank = count
            while rank > 0, ranked[rank - 1] >= size {
                ranked[rank] = ranked[rank - 1]
                rank -= 1
            }
            ranked[rank] = size
            count += 1
        }
        counts[channel] = count
    }

    /// How many of the first `count` are below `size`.
    private static func rank(of size: Double, in ranked: UnsafeMutableBufferPointer<Double>, _ count: Int) -> Int {
        var rank = 0
        while rank < count, ranked[rank] < size { rank += 1 }
        return rank
    }

    /// The latest agreements take the place of the oldest.
    private mutating func noteAgreements(of second: EEGSecond) {
        let row = taken % Self.seconds * sum.count
        for channel in 0..<channels {
            for other in 0..<channel {
                let pair = EEGSecond.pair(channel, other, of: channels)
                let isKnown = second.channels[channel].missing == 0 && second.channels[other].missing == 0
                let (latest, oldest) = (isKnown ? second.agreement[pair] : .nan, agreements[row + pair])
                agreements[row + pair] = latest
                if latest.isFinite {
                    sum[pair] += Double(latest)
                    known[pair] += 1
                }
                if oldest.isFinite {
                    sum[pair] -= Double(oldest)
                    known[pair] -= 1
                }
            }
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

    /// The middle of what is usual for each channel and how far from it is not deviant; nil where too few are known.
    private mutating func ordinarySizes() -> (middle: Double, reach: Double)? {
        ordered.removeAll(keepingCapacity: true)
        for channel in 0..<channels {
            let (first, count) = (channel * Self.seconds, counts[channel])
            usual[channel] = count < Self.least / 2 ? .nan : Self.middle(ranked, first, count)
            if usual[channel].isFinite { ordered.append(usual[channel]) }
        }
        guard ordered.count > 2 else { return nil }
        ordered.sort()
        let middle = Self.middle(ordered, 0, ordered.count)
        for place in ordered.indices { ordered[place] = abs(ordered[place] - middle) }
        ordered.sort()
        let spread = Self.middle(ordered, 0, ordered.count) * Statistics.normalConsistency
        return (middle, Self.zScore * max(spread, Self.leastSpread))
    }

    /// The middle of `count` values in order of size, `first` the place of the smallest.
    private static func middle(_ ranked: [Double], _ first: Int, _ count: Int) -> Double {
        let (low, high) = (ranked[first + (count - 1) / 2], ranked[first + count / 2])
        return low == high ? low : low / 2 + high / 2
    }
}
