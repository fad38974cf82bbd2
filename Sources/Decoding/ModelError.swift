/// Why a model cannot be fitted, read or used.
public enum ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Too few blocks of a state: found and needed.
    case tooFewBlocks(DecodedState, found: Int, needed: Int)
    /// Too few usable epochs in the blocks of a state: found and needed.
    case tooFewEpochs(DecodedState, found: Int, needed: Int)
    /// Blocks of two states claim the same time, in seconds from the recording's start.
    case overlap(DecodedState, DecodedState, at: Double)
    /// Epochs do not have the features the model was made for: what differs, found and expected.
    case mismatch(String, found: String, expected: String)
    /// A model file that cannot be read: why.
    case unreadable(String)
    /// Earlier attempts spent the significance level, and p cannot fall below the rest: the number of this attempt, its
    /// level, and the number of alternating blocks of each state that suffices.
    case levelSpent(attempt: Int, level: Double, blocks: Int)
    /// The numbers do not allow a fit: why.
    case numerics(String)

    /// The cause for programs.
    public var reason: RefusalReason {
        switch self {
        case .tooFewBlocks: .tooFewBlocks
        case .tooFewEpochs: .tooFewEpochs
        case .levelSpent: .levelSpent
        case .overlap, .mismatch, .unreadable, .numerics: .unusable
        }
    }

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .tooFewBlocks(let state, let found, let needed):
            "only \(found) blocks of the \(state.rawValue) state have clean data, \(needed) are needed: repeat the calibration task"
        case .tooFewEpochs(let state, let found, let needed):
            "only \(found) clean epochs of the \(state.rawValue) state, \(needed) are needed: check the electrodes and repeat the calibration task"
        case .overlap(let one, let other, let time):
            "at \((time * 1000).rounded() / 1000) s a block of the \(other.rawValue) state begins before one of the \(one.rawValue) state is over: give each time one state"
        case .mismatch(let what, let found, let expected):
            "the model was made for other data: \(what): \(found) where it expects \(expected); fit it again"
        case .unreadable(let why): "the model file cannot be read: \(why)"
        case .levelSpent(let attempt, let level, let blocks):
            "attempt \(attempt) must reach p < \(level), which so few blocks cannot: record a calibration with at least \(blocks) blocks of each state, alternating"
        case .numerics(let why): "no model can be fitted: \(why)"
        }
    }
}
