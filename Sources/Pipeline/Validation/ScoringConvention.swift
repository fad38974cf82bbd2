public import Signals

/// Which part of a data set counts when beats are scored.
public struct ScoringConvention: Hashable, Codable, Sendable {
    /// Seconds from the recording's start before which nothing counts.
    public var start: Seconds
    /// Seconds from the recording's start from which on nothing counts; nil: to the end.
    public var stop: Seconds?
    /// Whether ventricular flutter and fibrillation do not count: from `[` to `]`, and flutter waves `!`.
    public var excludesFlutter: Bool
    /// Whether records with paced beats (`/`, `f`) are left out.
    public var excludesPaced: Bool

    /// These rules.
    public init(
        start: Seconds = 0, stop: Seconds? = nil, excludesFlutter: Bool = false, excludesPaced: Bool = false
    ) {
        self.start = start
        self.stop = stop
        self.excludesFlutter = excludesFlutter
        self.excludesPaced = excludesPaced
    }

    /// Everything that is annotated counts.
    public static let whole = ScoringConvention()
    /// ANSI/AAMI EC57: the first five minutes are for learning, paced records and episodes of ventricular flutter or
    /// fibrillation do not count.
    public static let ec57 = ScoringConvention(start: 300, excludesFlutter: true, excludesPaced: true)

    /// The time that counts, in seconds from the recording's start.
    public var span: Range<Seconds> { start..<max(start, stop ?? .infinity) }

    /// `EC57`, `whole`, or `custom` for rules that have no name.
    public var name: String {
        switch self {
        case .whole: "whole"
        case .ec57: "EC57"
        default: "custom"
        }
    }

    /// The rules in words.
    public var explanation: String {
        var rules = [start == 0 && stop == nil ? "whole records" : spanInWords]
        rules.append(excludesPaced ? "records with paced beats left out" : "paced records included")
        rules.append(
            excludesFlutter
                ? "ventricular flutter and fibrillation left out" : "ventricular flutter waves count as beats")
        return rules.joined(separator: "; ")
    }

    private var spanInWords: String {
        let end = stop.map { " to \(Self.minutes($0))" } ?? " on"
        return "from \(Self.minutes(start))" + end
    }

    private static func minutes(_ seconds: Seconds) -> String {
        let minutes = seconds / 60
        if minutes == minutes.rounded(), minutes.magnitude < 1e6 { return "minute \(Int(minutes))" }
        return "second \(seconds == seconds.rounded() && seconds.magnitude < 1e9 ? "\(Int(seconds))" : "\(seconds)")"
    }
}
