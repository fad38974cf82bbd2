/// Whether a slow signal has fallen further within some time than it may, and has not risen again.
///
/// It goes by levels, medians of three means over 5 s: what lasts for less moves them little. A fall is one from the
/// highest level of the last `time` seconds to a level below `limit`. It lasts until the level has risen by `size` from
/// its lowest or back to half of `size` below where it was, until `memory` seconds have passed, or until values have
/// been missing for `time` seconds. Where values lie further apart than `time`, no fall is seen.
public struct LastingFall: Sendable {
    /// Whether the signal has fallen and not risen again.
    public private(set) var isDown = false

    private let size: Double
    private let limit: Double
    /// Values in a mean, and means in `time` and in `memory`.
    private let length: Int
    private let reach: Int
    private let memory: Int
    private let isSeen: Bool
    /// Of the mean at hand: the values that passed, those that were there, and their sum.
    private var (place, count, sum) = (0, 0, 0.0)
    /// The last three.
    private var means: [Double] = []
    /// The levels since `time` ago, each with how many values came with it.
    private var levels: [(level: Double, count: Int)] = []
    private var (highest, lowest) = (0.0, 0.0)
    /// Means since the fall, and missing ones in a row.
    private var (age, empty) = (0, 0)

    /// Nothing taken yet.
    /// - Parameters:
    ///   - sampleRate: of the values, Hz.
    ///   - size: how far the signal falls, in its own unit.
    ///   - time: within how many seconds.
    ///   - limit: the level that it falls below.
    ///   - memory: for how many seconds a fall is remembered at the most.
    public init(sampleRate: Double, size: Double, time: Double, limit: Double, memory: Double) {
        let rate = min(max(sampleRate, 1e-9), 1e6)
        (self.size, self.limit) = (size, limit)
        length = max(1, Int((5 * rate).rounded()))
        let perSecond = rate / Double(length)
        reach = max(1, Int((time * perSecond).rounded()))
        self.memory = max(1, Int((memory * perSecond).rounded()))
        isSeen = rate * time >= 0.95
    }

    /// Takes the next value; one that is not finite is missing.
    /// - Returns: where a fall is known by it, how many values have come since that began, missing ones not counted;
    ///   else 0.
    @discardableResult
    public mutating func take(_ value: Double) -> Int {
        guard isSeen else { return 0 }
        if value.isFinite {
            sum += value
            count += 1
        }
        place += 1
        guard place == length else { return 0 }
        defer { (place, count, sum) = (0, 0, 0) }
        return count > 0 ? add(sum / Double(count)) : addMissing()
    }

    /// Passes over values that are missing, as `take` does one by one.
    /// - Returns: what `take` returns for the one by which a fall is known; else 0.
    @discardableResult
    public mutating func pass(over missing: Int) -> Int {
        var begun = 0
        // After so many nothing is remembered that more could change.
        for _ in 0..<min(max(missing, 0), length * (reach + 1)) { begun = max(begun, take(.nan)) }
        return begun
    }

    private mutating func addMissing() -> Int {
        empty += 1
        age += 1
        if !isDown { remember(-.infinity) }
        if empty >= reach { (isDown, means, levels) = (false, [], []) }
        return 0
    }

    private mutating func add(_ mean: Double) -> Int {
        empty = 0
        age += 1
        means.append(mean)
        if means.count > 3 { means.removeFirst() }
        guard means.count == 3 else { return 0 }
        let level = max(min(means[0], means[1]), min(max(means[0], means[1]), means[2]))
        if isDown {
            lowest = min(lowest, level)
            // What came before is not fallen from once more.
            if level >= min(lowest + size, highest - size / 2) || age >= memory { (isDown, levels) = (false, []) }
            return 0
        }
        remember(level)
        let top = levels.reduce(level) { max($0, $1.level) }
        guard top - level >= size, level < limit else { return 0 }
        (isDown, highest, lowest, age) = (true, top, level, 0)
        let begin = levels.lastIndex { $0.level > top - size / 5 } ?? 0
        return levels[(begin + 1)...].reduce(0) { $0 + $1.count }
    }

    private mutating func remember(_ level: Double) {
        levels.append((level, count))
        if levels.count > reach + 1 { levels.removeFirst() }
    }
}
