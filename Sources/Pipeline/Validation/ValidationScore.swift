public import Cardiac
public import Signals

/// The figures of one or several channels taken together.
public struct ValidationScore: Sendable {
    /// What it is the score of.
    public var name: String
    /// The channels that it holds.
    public var channels: [ValidatedChannel]
    /// The comparisons of all channels added up (ANSI/AAMI EC57: gross), one per tolerance.
    public var comparisons: [BeatComparison]

    /// The channels' figures added up.
    public init(_ name: String, _ channels: [ValidatedChannel]) {
        self.name = name
        self.channels = channels
        let count = channels.first?.comparisons.count ?? 0
        comparisons = (0..<count).map { place in BeatComparison.merged(channels.map { $0.comparisons[place] }) }
    }

    /// Distances of the pairs from the median offset, at one tolerance.
    public struct Jitter: Hashable, Sendable {
        /// The median, in seconds.
        public var median: Seconds
        /// The 95th percentile, in seconds.
        public var percentile95: Seconds
        /// The median, in samples.
        public var medianSamples: Double
        /// The 95th percentile, in samples.
        public var percentile95Samples: Double
    }

    /// The jitter of all pairs about the common median offset, in seconds and in samples of their own channels; nil
    /// without pairs.
    public func jitter(_ tolerance: Int) -> Jitter? {
        guard let centre = comparisons[tolerance].medianOffset else { return nil }
        var seconds: [Double] = []
        var samples: [Double] = []
        for channel in channels {
            for offset in channel.comparisons[tolerance].offsets {
                seconds.append(abs(offset - centre))
                samples.append(abs(offset - centre) * channel.source.sampleRate)
            }
        }
        seconds.sort()
        samples.sort()
        return Jitter(
            median: Self.quantile(0.5, of: seconds), percentile95: Self.quantile(0.95, of: seconds),
            medianSamples: Self.quantile(0.5, of: samples), percentile95Samples: Self.quantile(0.95, of: samples))
    }

    /// By linear interpolation (Hyndman & Fan 1996, type 7) of sorted values, at least one.
    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let lower = Int(place)
        guard lower + 1 < sorted.count else { return sorted[lower] }
        return sorted[lower] + (place - Double(lower)) * (sorted[lower + 1] - sorted[lower])
    }

    /// Missed and extra beats per beat of the reference at the first tolerance: what comes first when the worst does.
    var f1: Double { comparisons.first?.f1 ?? 0 }
}
