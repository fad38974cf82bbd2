public import Signals

/// The sample rate of a stream that declares none, by the stamps of its first ten seconds.
///
/// Programs declare an irregular rate where they do not know theirs. Samples that come evenly keep a constant distance from a
/// line through their indices, however each is delayed. Values that come when something happens wander away from it. Samples
/// that share a moment, as those of a sender that stamps what it pushes in bursts, count as one group.
///
/// The rule is causal: stamps after the first ten seconds change nothing, and how the stamps were divided into chunks neither.
public struct EvenPace: Sendable {
    /// Seconds of stamps that decide.
    public static let span: Seconds = 10
    /// Fewest stamps, groups and seconds of an even stream.
    private static let (fewest, fewestGroups, shortest) = (20, 8, 4.0)
    /// Largest coefficient of variation of the steps between groups of an even stream without further evidence.
    private static let largestVariation = 0.2
    /// Fewest groups of a stream whose steps vary more, but not independently of each other.
    private static let fewestOfJittered = 80
    /// Steps this many times longer than the median step, in seconds and as a factor, are lost connections.
    private static let longest = (factor: 5.0, seconds: 1.0)

    private var stamps: [Seconds] = []
    /// True after a stamp later than the first ten seconds.
    public private(set) var isComplete = false

    /// A rule without stamps.
    public init() {}

    /// True for kinds of streams that are sampled evenly as a rule.
    public static func applies(to kind: StreamKind) -> Bool { sampledKinds.contains(kind) }

    private static let sampledKinds: Set<StreamKind> = [
        .ecg, .bvp, .eeg, .eda, .acceleration, .gyroscope, .respiration, .temperature,
    ]

    /// Takes the stream's next stamps, in seconds.
    public mutating func take(_ next: some Collection<Seconds>) {
        guard !isComplete else { return }
        for stamp in next where stamp.isFinite {
            if let first = stamps.first, abs(stamp - first) >= Self.span {
                isComplete = true
                return
            }
            stamps.append(stamp)
        }
    }

    /// The rate in Hz, rounded if within 0.5 % of a whole number; nil if the stamps are uneven or too few.
    public var rate: Double? {
        guard stamps.count >= Self.fewest else { return nil }
        let sorted = stamps.sorted()
        let length = sorted[sorted.count - 1] - sorted[0]
        guard length >= Self.shortest else { return nil }
        let ends = Self.groupEnds(sorted, mean: length / Double(sorted.count - 1))
        guard ends.count >= Self.fewestGroups, Self.isEven(ends, sorted) else { return nil }
        let rate = Self.rate(ends, sorted)
        guard Plausible.sampleRates.contains(rate) else { return nil }
        let nearest = rate.rounded()
        return nearest >= 1 && abs(rate - nearest) < 0.005 * nearest ? nearest : rate
    }

    /// The indices of the last stamps of groups: steps within a group are shorter than half of the mean step.
    private static func groupEnds(_ stamps: [Seconds], mean: Seconds) -> [Int] {
        stamps.indices.filter { $0 + 1 == stamps.count || stamps[$0 + 1] - stamps[$0] > mean / 2 }
    }

    /// True if the steps between groups take the time of their samples, up to jitter.
    private static func isEven(_ ends: [Int], _ stamps: [Seconds]) -> Bool {
        let steps = zip(ends.dropFirst(), ends).map { (time: stamps[$0] - stamps[$1], count: Double($0 - $1)) }
        let median = steps.map(\.time).sorted()[steps.count / 2]
        let limit = max(longest.factor * median, longest.seconds)
        let kept = steps.filter { $0.time <= limit }
        guard kept.count >= fewestGroups - 1, steps.count - kept.count <= 1 + steps.count / 50 else { return false }
        let period = kept.reduce(0) { $0 + $1.time } / kept.reduce(0) { $0 + $1.count }
        let errors = kept.map { $0.time - $0.count * period }
        let mean = kept.reduce(0) { $0 + $1.time } / Double(kept.count)
        let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        if variance.squareRoot() <= largestVariation * mean { return true }
        // Of independent steps the variance of a sum grows with their number; that of an even stream's jitter does not grow.
        return errors.count >= fewestOfJittered
            && growth(errors, variance, over: errors.count / 20) <= 0.4
            && growth(errors, variance, over: errors.count / 8) <= 0.25
    }

    /// The variance of the sum of `count` errors as a share of that of independent errors.
    private static func growth(_ errors: [Double], _ variance: Double, over count: Int) -> Double {
        var sums = [0.0]
        for error in errors { sums.append(sums[sums.count - 1] + error) }
        let differences = zip(sums.dropFirst(count), sums).map { $0 - $1 }
        let square = differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)
        return square / (Double(count) * variance)
    }

    /// Samples a second by the least-squares line through the groups' last stamps, without lost connections.
    private static func rate(_ ends: [Int], _ stamps: [Seconds]) -> Double {
        let steps = zip(ends.dropFirst(), ends).map { stamps[$0] - stamps[$1] }
        let limit = max(longest.factor * steps.sorted()[steps.count / 2], longest.seconds)
        // The longest run between lost connections.
        var (best, from) = (0..<1, 0)
        for (place, step) in (steps + [.infinity]).enumerated() where step > limit {
            if place + 1 - from > best.count { best = from..<place + 1 }
            from = place + 1
        }
        let x = best.map { Double(ends[$0]) }
        let y = best.map { stamps[ends[$0]] }
        let count = Double(x.count)
        let (meanX, meanY) = (x.reduce(0, +) / count, y.reduce(0, +) / count)
        let square = x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        let product = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        return square / product
    }
}
