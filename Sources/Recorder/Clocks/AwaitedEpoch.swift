import Signals

/// An epoch of a regular stream that is to begin where the one before has ended.
///
/// Frames of it that lie before that end, as where the one before ran ahead of time, are dropped: never do two lie at one time,
/// and what follows keeps its own time. Frames that bear stamps of the host's clock are never dropped: they follow the end.
struct AwaitedEpoch: Sendable {
    /// An epoch that would begin earlier than this many seconds before the end follows it instead: more is not given up.
    static let mostOverlap: Seconds = 10

    /// Why the one before ended.
    let reason: Gap.Reason
    /// When it ended.
    let end: Seconds
    /// How many frames a second it is to have.
    var pace: Double
    private let rate: Double
    private let isHostTime: Bool
    /// Overlaps that are shorter are of times that are not known better.
    private let least: Seconds
    /// What comes later than this many seconds after its stamp is not stamped by a clock that goes.
    private let longestDelay: Seconds
    /// Whether frames are dropped; nil before the first of them came.
    private(set) var isCut: Bool?
    /// How many may still be dropped.
    private var left: Int

    /// - Parameters:
    ///   - rate: frames a second, nominally.
    ///   - isHostTime: whether frames bear stamps of the host's clock. Others are placed by the message that brings
    ///     them, which does not tell its own delay.
    init(reason: Gap.Reason, end: Seconds, pace: Double, rate: Double, isHostTime: Bool) {
        (self.reason, self.end, self.pace, self.rate) = (reason, end, pace, rate)
        self.isHostTime = isHostTime
        least = ClockFit.earliest
        longestDelay = max(5, 10 / rate)
        left = Int(Self.mostOverlap * rate)
    }

    /// How many of `count` frames, the first of which lies at `onset` and arrived at `moment`, lie before the end and are
    /// dropped.
    mutating func passed(of count: Int, from onset: Seconds, at moment: Seconds) -> Int {
        let overlap = end - onset
        let isTold = !isHostTime && overlap > least && overlap <= Self.mostOverlap && moment - onset <= longestDelay
        let isCut = isCut ?? isTold
        self.isCut = isCut
        guard isCut, overlap > 0.5 / rate else { return 0 }
        let passed = min(count, left, Int(min(overlap * rate, 1e15).rounded()))
        left -= passed
        return passed
    }
}
