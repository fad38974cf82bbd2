public import Formats
public import Signals

/// Samples exactly as a sender stamped and sent them, before anything is put in order or fitted.
public struct ReceivedRows: Hashable, Sendable {
    /// The name of the sender's stream.
    public var stream: String
    /// The sender's stamps in seconds, one per row, in the order of arrival.
    public var stamps: [Seconds]
    /// The values, row by row.
    public var values: XDFRows
    /// Seconds to add to the stamps to get this host's monotonic clock, as measured last.
    public var offset: Seconds

    /// Rows of a sender's stream.
    public init(stream: String, stamps: [Seconds], values: XDFRows, offset: Seconds) {
        (self.stream, self.stamps, self.values, self.offset) = (stream, stamps, values, offset)
    }
}
