public import Signals

/// A stretch of a signal that no interval between beats may reach into, whatever the windows that hold it are like: ten
/// seconds may be good enough as a whole and hold two that are not.
public struct SpoiltStretch: Hashable, Sendable {
    /// From when to when, in seconds from the recording's start.
    public var range: Range<Seconds>
    /// What is wrong with it.
    public var reason: QualityReason

    /// A stretch that is spoilt for this reason.
    public init(range: Range<Seconds>, reason: QualityReason) {
        self.range = range
        self.reason = reason
    }

    /// How much later than the windows that end with it, in seconds, a stretch may be told.
    public static let lateness: Seconds = 0.5

    /// What is spoilt in all of these lists, in order of time each, for the reason told in the first.
    static func common(_ lists: [[SpoiltStretch]]) -> [SpoiltStretch] {
        guard var common = lists.first else { return [] }
        for other in lists.dropFirst() {
            common = common.flatMap { one in
                other.lazy.map { one.range.clamped(to: $0.range) }.filter { !$0.isEmpty }
                    .map { SpoiltStretch(range: $0, reason: one.reason) }
            }
        }
        return common
    }
}
