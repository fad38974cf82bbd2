import Kernels
public import Signals

/// The cutting of epochs from calibrations whose blocks are trials of a few seconds, such as those of flicker or memory.
///
/// On the grid of whole seconds a trial of 3.5 s would hold one epoch of 2 s, or none. So epochs of trials begin every quarter of a
/// second, and a tenth of each trial is left out at its beginning, up to a second.
public struct TrialCut: Hashable, Sendable {
    /// Blocks whose median length is below are trials, in seconds.
    public static let longestTrial: Seconds = 6
    /// Seconds from the start of an epoch to that of the next.
    public static let step: Seconds = 0.25
    /// The share of a trial that is left out at its beginning.
    public static let marginShare = 0.1

    /// Seconds left out at the beginning of each trial.
    public let margin: Seconds

    /// The cut of these blocks; nil where they are no trials.
    public init?(_ spans: [CalibrationSpan]) {
        let lengths = spans.filter { $0.state != .neutral }.map { $0.time.upperBound - $0.time.lowerBound }
        guard !lengths.isEmpty else { return nil }
        let median = Statistics.median(lengths)
        guard median < Self.longestTrial else { return nil }
        margin = min(CalibrationBlock.margin, Self.marginShare * median)
    }
}
