import Signals

/// What the rows of a table of scores are.
public enum ValidationGrouping: Hashable, Sendable {
    /// One row per channel of a recording.
    case record
    /// One row per lead.
    case lead
    /// One row per data set.
    case set
    /// One row per value of what is said of the recordings, such as `noise` or `activity`.
    case named(String)

    /// The grouping called `name`.
    public init(_ name: String) {
        switch name {
        case "record": self = .record
        case "lead": self = .lead
        case "set": self = .set
        default: self = .named(name)
        }
    }

    /// Its name.
    public var name: String {
        switch self {
        case .record: "record"
        case .lead: "lead"
        case .set: "set"
        case .named(let name): name
        }
    }

    /// The value for one channel; nil when nothing is said of it.
    func value(of channel: ValidatedChannel) -> String? {
        switch self {
        case .record: channel.record
        case .lead: channel.lead
        case .set: channel.set
        case .named(let name): channel.groups[name]
        }
    }
}

extension BeatValidation {
    /// The scores by group. Records are in order, other groups by the numbers in their names, the largest first where
    /// they are levels in dB; recordings of which nothing is said are the group `n/a` at the end.
    /// - Parameter worstFirst: whether the group with the lowest F1 at the first tolerance comes first.
    public func scores(by grouping: ValidationGrouping, worstFirst: Bool = false) -> [ValidationScore] {
        var scores: [ValidationScore]
        if grouping == .record {
            scores = channels.map { ValidationScore($0.record, [$0]) }
        } else {
            let groups = Dictionary(grouping: channels) { grouping.value(of: $0) ?? "n/a" }
            scores = groups.keys.sorted(by: Self.precedes).map { ValidationScore($0, groups[$0] ?? []) }
        }
        return worstFirst ? scores.enumerated().sorted { ($0.1.f1, $0.0) < ($1.1.f1, $1.0) }.map(\.1) : scores
    }

    /// Whether any channel has a value for this grouping.
    public func knows(_ grouping: ValidationGrouping) -> Bool {
        channels.contains { grouping.value(of: $0) != nil }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        if (one == "n/a") != (other == "n/a") { return other == "n/a" }
        if one.hasSuffix(" dB"), other.hasSuffix(" dB"), let a = Double(one.dropLast(3)),
            let b = Double(other.dropLast(3))
        {
            return a > b
        }
        return one < other
    }
}
