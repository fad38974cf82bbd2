public import Cardiac
public import Foundation
public import Signals

/// How well the beats detected in one channel of one recording agree with the reference.
public struct ValidatedChannel: Sendable {
    /// The recording's name in its data set.
    public var record: String
    /// The data set's name.
    public var set: String
    /// The recording.
    public var url: URL
    /// Which channel, and what it was taken for.
    public var source: CardiacSource
    /// Where the reference beats come from, such as `.atr`.
    public var reference: String
    /// By how much reference beats of the heart were moved to meet those of a pulse, in seconds; nil where both are of
    /// one signal.
    public var lag: Seconds?
    /// All detected beats, in seconds from the recording's start.
    public var detectedBeats: [Seconds]
    /// All reference beats, in seconds from the recording's start, moved by `lag`.
    public var referenceBeats: [Seconds]
    /// Stretches of the recording that do not count, in seconds from its start.
    public var notCounted: [Range<Seconds>]
    /// When the signal ends, in seconds from the recording's start.
    public var signalEnd: Seconds
    /// Seconds of signal that count.
    public var scored: Seconds
    /// Reference beats that do not count.
    public var uncountedBeats: Int
    /// One comparison per tolerance.
    public var comparisons: [BeatComparison]
    /// What the data set says of the recording: `activity`, `noise` and the columns of a table of groups.
    public var groups: [String: String] = [:]
    /// What a reader of the scores should know.
    public var notes: [String] = []

    /// The label of the channel, or of all leads that were looked at together.
    public var lead: String { source.channelNames }
}
