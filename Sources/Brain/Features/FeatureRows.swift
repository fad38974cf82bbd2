/// The features of an epoch, a row per channel with a number per feature: in one array, as hours of EEG are tens of thousands
/// of these.
public struct FeatureRows: Sendable {
    /// The channels' rows, one after the other.
    public let numbers: [Double]
    /// How many channels there are.
    public let channels: Int
    /// How many features each channel has.
    public let features: Int

    /// The rows of `channels` channels, one after the other, all of one length.
    public init(_ numbers: [Double], channels: Int) {
        let features = channels > 0 ? numbers.count / channels : 0
        precondition(numbers.count == channels * features, "rows of one length")
        (self.numbers, self.channels, self.features) = (numbers, channels, features)
    }

    /// A feature of a channel; not a number where it has none.
    public subscript(channel: Int, feature: Int) -> Double {
        feature < features ? numbers[channel * features + feature] : .nan
    }

    /// Where a channel's row is among `numbers`.
    public func range(of channel: Int) -> Range<Int> { channel * features..<(channel + 1) * features }
}
