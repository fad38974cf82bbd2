import Kernels
import Signals

/// Where points of a measurement are missing: a time between two points that is much longer than is usual around it.
enum MissingPoints {
    /// A gap is longer than so many times between points.
    private static let least = 5.0
    /// Fewer times between points tell not what is usual.
    private static let fewest = 3
    /// How many times between points on either side of one tell what is usual there: an even number, so that of two
    /// that alternate, as of a loop that measures twice and waits, neither is unusual.
    private static let reach = 6
    /// Links hand over points in bursts, less than so many seconds apart; where more than a tenth of the times between
    /// points is as long, that is no gap.
    private static let longestBurst: Seconds = 1
    private static let usualShare = 0.9

    /// The places of the points before which there is a gap, in order.
    /// - Parameter onsets: when the points were measured, not falling.
    static func gaps(in onsets: [Seconds]) -> [Int] {
        // Points of one moment tell nothing of how far points lie apart.
        let places = onsets.indices.dropFirst().filter { onsets[$0] > onsets[$0 - 1] }
        let intervals = places.map { onsets[$0] - onsets[$0 - 1] }
        guard intervals.count > fewest else { return [] }
        let usual = intervals.sorted()[Int(usualShare * Double(intervals.count - 1))]
        return places.indices.filter { index in
            let interval = intervals[index]
            guard interval > longestBurst || interval > least * usual else { return false }
            return interval > least * Self.usual(around: index, in: intervals)
        }.map { places[$0] }
    }

    /// The time between points that is usual beside one of them: the longer of what it is before and after, since
    /// sampling may become slower, or faster.
    private static func usual(around index: Int, in intervals: [Seconds]) -> Seconds {
        let before = Array(intervals[max(0, index - reach)..<index])
        let after = Array(intervals[(index + 1)..<min(intervals.count, index + 1 + reach)])
        let sides = [before, after].filter { $0.count >= fewest }
        // In a short measurement neither side has enough.
        guard !sides.isEmpty else { return Statistics.median(before + after) }
        return sides.map { Statistics.median($0) }.max() ?? .infinity
    }
}

extension ElectrochemicalPoint {
    /// Points in order of time, cut where some are missing: where for more than five times the time that is usual
    /// between them there is none. Points without times are one stretch.
    public static func stretches(of points: [ElectrochemicalPoint]) -> [[ElectrochemicalPoint]] {
        guard points.allSatisfy(\.isTimed) else { return [points] }
        let cuts = [0] + MissingPoints.gaps(in: points.map(\.onset)) + [points.count]
        return zip(cuts, cuts.dropFirst()).filter { $0 < $1 }.map { Array(points[$0..<$1]) }
    }
}
