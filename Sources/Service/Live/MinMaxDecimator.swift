public import Signals

/// Samples thinned for display: the least and the greatest of every `binLength` samples, so that no peak is lost
/// however small the picture. A missing sample is left out of its bin; a bin without any is NaN.
public struct MinMaxDecimator: Sendable {
    /// Samples per bin.
    public let binLength: Int
    private let channelCount: Int
    private var least: [Float]
    private var greatest: [Float]
    private var filled = 0
    /// The finished bins, per channel least and greatest in turn.
    private var bins: [[Float]]

    /// A decimator of streams of so many channels to at most `rate` bins per second.
    public init(channelCount: Int, sampleRate: Double, to rate: Double) {
        binLength = max(1, Int((sampleRate / rate).rounded(.up)))
        self.channelCount = channelCount
        least = Array(repeating: .nan, count: channelCount)
        greatest = least
        bins = Array(repeating: [], count: channelCount)
    }

    /// Finished bins that were not taken yet.
    public var count: Int { bins.first.map { $0.count / 2 } ?? 0 }

    /// Takes samples of all channels.
    public mutating func push(_ block: SampleBlock) {
        guard block.channelCount == channelCount else { return }
        var frame = 0
        while frame < block.frameCount {
            let end = min(block.frameCount, frame + binLength - filled)
            for channel in 0..<channelCount {
                let base = channel * block.frameCount
                var (low, high) = (least[channel], greatest[channel])
                for index in base + frame..<base + end {
                    let value = block.samples[index]
                    // Comparisons with NaN are false: the first number replaces it, and it replaces none.
                    if !(low <= value), !value.isNaN { low = value }
                    if !(high >= value), !value.isNaN { high = value }
                }
                (least[channel], greatest[channel]) = (low, high)
            }
            filled += end - frame
            frame = end
            if filled == binLength { close() }
        }
    }

    /// Ends the bin that is being filled, if it holds anything.
    public mutating func flush() {
        if filled > 0 { close() }
    }

    /// Hands over the finished bins: channel after channel, least and greatest in turn.
    public mutating func take() -> [Float] {
        defer { for channel in bins.indices { bins[channel].removeAll(keepingCapacity: true) } }
        return bins.flatMap { $0 }
    }

    private mutating func close() {
        for channel in 0..<channelCount {
            bins[channel].append(least[channel])
            bins[channel].append(greatest[channel])
            (least[channel], greatest[channel]) = (.nan, .nan)
        }
        filled = 0
    }
}
