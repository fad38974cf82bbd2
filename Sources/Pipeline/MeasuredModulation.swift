import Cardiac
import Signals

/// What breathing does to each beat, and the windows of respiration that it tells of: one stage measures the beats,
/// the next makes windows of the measures.
struct MeasuredModulation<Measuring: Stage<Float, Windowing.Element>, Windowing: Stage> {
    /// Measures the beats it is told to expect.
    var measuring: Measuring
    private var windowing: Windowing
    private var measures: [Windowing.Element] = []

    init(_ measuring: Measuring, _ windowing: Windowing) {
        (self.measuring, self.windowing) = (measuring, windowing)
    }

    mutating func begin(_ segment: SegmentStart, into windows: inout [Windowing.Output]) {
        measuring.begin(segment, into: &measures)
        passOn(into: &windows)
    }

    mutating func push(_ samples: Span<Float>, into windows: inout [Windowing.Output]) {
        measuring.push(samples, into: &measures)
        passOn(into: &windows)
    }

    mutating func finish(into windows: inout [Windowing.Output]) {
        measuring.finish(into: &measures)
        passOn(into: &windows)
        windowing.finish(into: &windows)
    }

    private mutating func passOn(into windows: inout [Windowing.Output]) {
        let batch = measures
        measures.removeAll(keepingCapacity: true)
        windowing.push(batch.span, into: &windows)
    }
}
