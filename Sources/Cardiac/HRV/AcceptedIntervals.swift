public import Signals

/// The accepted intervals of a condition, which may last several times in a recording: those with both beats within it, each
/// once. No successive difference is taken from one part of the condition to another.
///
/// Accepted are the intervals that quality did not drop and that correction kept or merged; an interpolated one counts no
/// seconds and no value.
public struct AcceptedIntervals: Sendable {
    /// The intervals, in order of time.
    public let intervals: [NN]
    /// Seconds that the condition lasts in all.
    public let duration: Seconds

    /// The intervals of a recording that are within a condition.
    /// - Parameters:
    ///   - intervals: all intervals of the recording, in order of time.
    ///   - parts: the parts of the condition, apart from each other and in order of time, in seconds from the recording's start.
    public init(_ intervals: [NN], within parts: [Range<Seconds>]) {
        var found: [NN] = []
        for part in parts {
            var isFirst = true
            for var interval in Self.intervals(intervals, within: part) {
                if isFirst { interval.isContiguous = false }
                isFirst = false
                found.append(interval)
            }
        }
        self.intervals = found
        duration = parts.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    }

    /// The intervals with both beats within a part of a recording, its ends included.
    public static func intervals(_ intervals: [NN], within part: Range<Seconds>) -> [NN] {
        let first = intervals.partitioningIndex { $0.onset > part.lowerBound }
        return intervals[first...].prefix { $0.onset <= part.upperBound + WindowGrid.tolerance }
            .filter { $0.onset - $0.duration >= part.lowerBound - WindowGrid.tolerance }
    }

    /// Seconds of measured intervals.
    public var seconds: Seconds { measured.reduce(0) { $0 + $1.duration } }

    /// The number of measured intervals.
    public var count: Int { measured.count }

    private var measured: some Sequence<NN> & Collection<NN> {
        intervals.lazy.filter { $0.status != .interpolated }
    }

    /// The indexes that are computed over all of them: those of `HRVMinimumSeconds` that `parameters` asks for. An index whose
    /// minimum of seconds is not reached has no value.
    public func values(_ parameters: HRVParameters) -> [(index: HRVIndex, minimum: Seconds, value: Double?)] {
        let series = HRVSeries(
            onset: 0, duration: max(duration, 1e-3), intervals: intervals, parameters: parameters,
            plan: SpectralPlan(parameters))
        let seconds = seconds
        return HRVIndex.list(parameters).compactMap { index in
            guard let minimum = parameters.minimumSeconds[index.name] else { return nil }
            let value = seconds >= minimum ? try? index.value(of: series).get() : nil
            return (index, minimum, value)
        }
    }
}
