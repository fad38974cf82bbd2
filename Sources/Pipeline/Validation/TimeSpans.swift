import Signals

/// A set of moments, as disjoint stretches in order of time.
struct TimeSpans {
    /// The stretches; none is empty and none touches the next.
    private(set) var ranges: [Range<Seconds>]

    /// The union of stretches in any order.
    init(_ stretches: [Range<Seconds>]) {
        ranges = []
        for stretch in stretches.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, stretch.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, stretch.upperBound)
            } else {
                ranges.append(stretch)
            }
        }
    }

    /// All time.
    static let always = TimeSpans([-.infinity..<(.infinity)])

    /// Every moment that is not in here.
    var complement: TimeSpans {
        var rest: [Range<Seconds>] = []
        var from = -Seconds.infinity
        for range in ranges {
            rest.append(from..<range.lowerBound)
            from = range.upperBound
        }
        rest.append(from..<(.infinity))
        return TimeSpans(rest)
    }

    /// The moments of both.
    func intersection(_ other: TimeSpans) -> TimeSpans {
        TimeSpans(ranges.flatMap { range in other.ranges.map { $0.clamped(to: range) } })
    }

    /// The moments of either.
    func union(_ other: TimeSpans) -> TimeSpans {
        TimeSpans(ranges + other.ranges)
    }

    /// Every moment, later by `seconds`.
    func shifted(by seconds: Seconds) -> TimeSpans {
        TimeSpans(ranges.map { $0.lowerBound + seconds..<$0.upperBound + seconds })
    }

    /// How long they last together.
    var duration: Seconds {
        ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    }

    /// Whether a moment is in here.
    func contains(_ moment: Seconds) -> Bool {
        let after = ranges.partitioningIndex { $0.lowerBound > moment }
        return after > 0 && ranges[after - 1].contains(moment)
    }
}
