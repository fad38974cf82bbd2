public import Signals

/// A stream of a recording from which nothing was computed, and why.
public struct SkippedStream: Hashable, Codable, Sendable {
    /// The stream's name.
    public var stream: String
    /// The quantity that it measures.
    public var kind: StreamKind
    /// Why nothing was computed.
    public var cause: Cause
    /// The same for people, with the numbers that decide.
    public var detail: String

    /// Why nothing is computed from a stream.
    public enum Cause: String, Codable, CaseIterable, Sendable {
        /// Other streams were asked for.
        case notRequested
        /// Its values have times of their own, and the method needs even samples.
        case unevenSamples
        /// The method needs another sample rate.
        case sampleRate
        /// Its unit cannot be read, or is that of another quantity.
        case unit
        /// None of its channels is of the stream's kind.
        case noChannel
        /// Another stream of the same instrument is used in its place.
        case represented
        /// There is no method for signals of its kind.
        case noMethod
    }

    /// True for a signal that Marey computes from other recordings, so that its user should know.
    public var isFault: Bool { [.unevenSamples, .sampleRate, .noChannel].contains(cause) }
}
