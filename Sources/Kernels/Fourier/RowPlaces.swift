/// Where the rows of a batch begin in a signal of several channels: at evenly spaced pieces of each, channel after
/// channel.
public struct RowPlaces: Hashable, Sendable {
    /// Where the first row of the first channel begins.
    public var first: Int
    /// How many channels there are.
    public var channels: Int
    /// Values from one channel to the next.
    public var stride: Int
    /// Rows of a channel.
    public var pieces: Int
    /// Values from one row of a channel to its next.
    public var hop: Int

    /// The places of `pieces` rows each of `channels` channels.
    /// - Precondition: no negative number, at least one piece.
    public init(first: Int = 0, channels: Int, stride: Int, pieces: Int = 1, hop: Int = 0) {
        precondition(first >= 0 && channels >= 0 && stride >= 0 && pieces > 0 && hop >= 0, "rows lie within the signal")
        (self.first, self.channels, self.stride, self.pieces, self.hop) = (first, channels, stride, pieces, hop)
    }

    /// How many rows there are.
    public var count: Int { channels * pieces }

    /// Where a row begins.
    @inline(__always)
    public func start(_ row: Int) -> Int { first + row / pieces * stride + row % pieces * hop }
}
