/// What cannot be done with EEG as it was asked for.
public enum BrainError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A parameter outside its range: its name, what was found and what it must be.
    case parameter(String, found: String, expected: String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .parameter(let name, let found, let expected):
            "EEG parameter \(name) is \(found): it must be \(expected)"
        }
    }
}
