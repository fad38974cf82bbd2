import Signals

/// Tells where a belt's value stands still because it is no longer measured: filled with zeros, or held at the last value.
///
/// A value may be repeated for other reasons, and then stays. For up to 1 s, unless the signal jumps away to it and back
/// by more than it steps otherwise. And where the steps into it and out of it are explained by
/// - quantisation: they are no larger than two of the smallest steps of late; or
/// - a pause, or a breath that is cut off at the end of the range: the value is left towards where it came from, within
///   two of the smallest steps from the lowest or highest value of late, by steps at most twice the largest of late.
///
/// From 10 s on it is no pause between breaths but an apnoea (Berry et al. 2012, J Clin Sleep Med 8:597-619), and is
/// judged by the step into it alone: nobody can wait for its end.
///
/// Of late is in the last 30 s of what is measured.
struct StillValues {
    /// Equal samples that go one way.
    struct Passage {
        /// Not a number where it stands still.
        var value: Float
        var count: Int
        var isStill = false
    }

    /// The steps and the range of about a second.
    private struct Extent {
        var smallest = Float.infinity
        var largest: Float = 0
        var lowest = Float.infinity
        var highest = -Float.infinity

        mutating func merge(_ other: Extent) {
            smallest = min(smallest, other.smallest)
            largest = max(largest, other.largest)
            lowest = min(lowest, other.lowest)
            highest = max(highest, other.highest)
        }
    }

    private static let shortest: Seconds = 1
    /// The shortest that is told by jumps alone, and the seconds that must be known to tell a jump.
    private static let shortestJump: Seconds = 0.2
    private static let leastKnown = 5
    /// The longest that a value waits to be judged.
    static let longest: Seconds = 10
    private static let memory = 30
    /// Steps of quantisation that are none of a held value: of slow belts of few steps, one may be passed over.
    private static let quanta: Float = 2

    private let shortestJumpCount: Int
    private let shortestCount: Int
    private let longestCount: Int
    private let perSecond: Int
    /// The value that is being repeated, how often so far, and the step to it from a measured one.
    private var value = Float.nan
    private var count = 0
    private var entry: Float?
    /// Of a value repeated for longest, what it was judged to be.
    private var isStill = false
    private var isPause = false
    private var hasBegun = false
    private var second = Extent()
    private var inSecond = 0
    private var seconds: [Extent] = []

    /// For a signal of `sampleRate` Hz.
    init(sampleRate: Double) {
        shortestJumpCount = max(3, Int(Self.shortestJump * sampleRate))
        // At rates of a few Hz a handful of equal samples comes by chance.
        shortestCount = max(8, Int(Self.shortest * sampleRate))
        longestCount = max(shortestCount, Int(Self.longest * sampleRate))
        perSecond = max(1, Int(sampleRate))
    }

    /// Takes the next sample, and hands over those before it once it is known what they are.
    mutating func take(_ sample: Float) -> Passage? {
        if sample == value {
            count += 1
            if isStill { return Passage(value: .nan, count: 1, isStill: true) }
            if isPause { return Passage(value: value, count: 1) }
            guard count > longestCount else { return nil }
            let passage = end(leaving: nil)
            (isStill, isPause) = (passage?.isStill ?? false, passage?.isStill == false)
            return passage
        }
        let step = sample - value
        let passage = end(leaving: step.isFinite ? step : nil)
        entry = passage?.isStill ?? isStill || !step.isFinite ? nil : step
        (value, count, isStill, isPause) = (sample, 1, false, false)
        return passage
    }

    /// The run of samples ends: hands over what waited.
    mutating func end() -> Passage? {
        defer { (value, count, entry, isStill, isPause) = (.nan, 0, nil, false, false) }
        return end(leaving: nil)
    }

    private mutating func end(leaving exit: Float?) -> Passage? {
        // What was repeated for longest has been handed over.
        guard count > 0, !isStill, !isPause else { return nil }
        guard value.isFinite else { return Passage(value: .nan, count: count) }
        defer { hasBegun = true }
        if count > shortestCount ? !isExplained(leaving: exit) : isAway(leaving: exit) {
            return Passage(value: .nan, count: count, isStill: true)
        }
        remember()
        return Passage(value: value, count: count)
    }

    private mutating func remember() {
        second.lowest = min(second.lowest, value)
        second.highest = max(second.highest, value)
        if let entry {
            second.smallest = min(second.smallest, abs(entry))
            second.largest = max(second.largest, abs(entry))
        }
        inSecond += count
        guard inSecond >= perSecond else { return }
        if seconds.count == Self.memory { seconds.removeFirst() }
        seconds.append(second)
        (second, inSecond) = (Extent(), 0)
    }

    private var late: Extent { seconds.reduce(into: second) { $0.merge($1) } }

    /// Whether the signal jumps to the value and back.
    private func isAway(leaving exit: Float?) -> Bool {
        guard count >= shortestJumpCount, seconds.count >= Self.leastKnown, let entry, let exit else { return false }
        guard (entry > 0) != (exit > 0) else { return false }
        return min(abs(entry), abs(exit)) > late.largest
    }

    private func isExplained(leaving exit: Float?) -> Bool {
        let steps = [entry, exit].compactMap { $0 }
        guard let first = steps.first else { return false }
        let late = late
        // Before anything else was measured, a value that is not come to may be a device that has yet to begin.
        guard late.largest > 0 else { return hasBegun }
        let quantum = Self.quanta * late.smallest
        if steps.allSatisfy({ abs($0) <= quantum }) { return true }
        // Where a slope is cut off, its steepest step may be the one that is never seen whole.
        guard steps.allSatisfy({ abs($0) <= 2 * late.largest }) else { return false }
        if let entry, let exit, (entry > 0) == (exit > 0) { return false }
        let isLow = entry == nil ? first > 0 : first < 0
        return isLow ? value <= late.lowest + quantum : value >= late.highest - quantum
    }
}
