public import Signals

/// A change that a person made to the beats of a recording.
public struct BeatEdit: Hashable, Codable, Sendable {
    /// What is done.
    public enum Action: String, Codable, CaseIterable, Sendable {
        /// A beat is put where none was found.
        case add
        /// A beat that was found is put elsewhere.
        case move
        /// A beat that was found is taken out.
        case delete
    }

    /// What is done.
    public var action: Action
    /// When the beat is to be, or was found, in seconds from the recording's start.
    public var onset: Seconds
    /// Where it is moved to, in seconds from the recording's start; nil for other actions.
    public var target: Seconds?
    /// What kind of beat an added one is.
    public var kind: BeatKind
    /// The line of the file that says so, for messages.
    public var line: Int

    /// How far from `onset`, in seconds, the beat that is meant may have been found; no beat may be as near to one that
    /// is added. Beat detectors place the same beat much closer, and no two beats are so near each other.
    public static let tolerance: Seconds = 0.05
    /// How far a beat may be moved, in seconds; beyond it is another beat.
    public static let farthest: Seconds = 2

    /// A change to the beat at `onset`.
    public init(_ action: Action, onset: Seconds, target: Seconds? = nil, kind: BeatKind = .beat, line: Int = 0) {
        self.action = action
        self.onset = onset
        self.target = target
        self.kind = kind
        self.line = line
    }

    /// From the first to the last moment at which beats may change or matter.
    var range: ClosedRange<Seconds> {
        let other = target ?? onset
        return min(onset, other) - Self.tolerance...max(onset, other) + Self.tolerance
    }
}

/// What became of an edit.
public struct BeatEditResult: Hashable, Sendable {
    /// The edit.
    public var edit: BeatEdit
    /// Why it could not be made; nil where it was.
    public var failure: BeatEditFailure?
    /// Length of the interval that ended at the beat before the edit, in seconds; nil where there was none.
    public var old: Seconds?
    /// Length of the interval that ends at the beat after the edit, in seconds; nil where there is none.
    public var new: Seconds?
}

/// Why an edit cannot be made.
public enum BeatEditFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No beat lies within the tolerance of where one should be; the nearest one, where there is one near.
    case noBeat(nearest: Seconds?)
    /// A beat lies where one should be put.
    case occupied(Seconds)
    /// Nothing was recorded there.
    case outside

    /// In words for the reader.
    public var description: String {
        func rounded(_ value: Seconds) -> String { String((value * 1_000).rounded() / 1_000) }
        let tolerance = "\(Int(BeatEdit.tolerance * 1_000)) ms"
        switch self {
        case .noBeat(nil): return "there is no beat within \(tolerance)"
        case .noBeat(let nearest?):
            return "there is no beat within \(tolerance); the nearest is at \(rounded(nearest)) s"
        case .occupied(let onset): return "there is a beat at \(rounded(onset)) s already, within \(tolerance)"
        case .outside: return "nothing was recorded there"
        }
    }
}
