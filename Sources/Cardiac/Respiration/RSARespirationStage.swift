public import Signals

/// Turns NN intervals into windows of respiration, by respiratory sinus arrhythmia.
///
/// Intervals whose length correction had to estimate tell nothing of breathing and are left out. Rates above half the
/// heart rate cannot be seen; below about 9 breaths per minute the slow waves of blood pressure (0.1 Hz) may be taken
/// for breathing. Windows are those of `ModulationRespirationStage`.
public struct RSARespirationStage: Stage {
    private var stage: ModulationRespirationStage

    /// A stage with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: RespirationParameters = RespirationParameters()) throws(InvalidParameter) {
        stage = try ModulationRespirationStage(.rsa, parameters: parameters)
    }

    /// The length of a window.
    public var lookAhead: Seconds { stage.lookAhead }

    /// A run begins: nothing is taken across to the intervals before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [RespirationWindow]) {
        stage.begin(segment, into: &outputs)
    }

    /// The next intervals in order of time.
    public mutating func push(_ intervals: Span<NN>, into outputs: inout [RespirationWindow]) {
        for index in intervals.indices {
            let interval = intervals[index]
            let isMeasured = interval.status != .interpolated && interval.duration > 0
            let measure = BeatMeasure(
                onset: interval.onset, value: isMeasured ? interval.duration : .nan,
                followsBreak: !interval.isContiguous)
            stage.push(CollectionOfOne(measure).span, into: &outputs)
        }
    }

    /// Computes the windows that are complete and starts anew.
    public mutating func finish(into outputs: inout [RespirationWindow]) {
        stage.finish(into: &outputs)
    }
}
