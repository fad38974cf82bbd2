/// The step between the values of a coarse converter, learnt sample by sample before any are averaged: where most samples
/// repeat the one before, the median of the changes of the others. A slow rise of conductance is a staircase then, whose steps
/// are no responses.
struct QuantisationStep: Sendable {
    private var previous = Float.nan
    private var median = 0.0
    private var repeats = 0
    private var changes = 0
    /// How many of the changes were about as large as the median: changes of what is told finely are of all sizes.
    private var alike = 0

    /// The step, µS; 0 where values are told finely enough to change from sample to sample, and by as much as they like.
    var size: Double { repeats > changes && 2 * alike > changes ? median : 0 }

    /// The next sample; NaN where it is missing.
    @inline(__always)
    mutating func take(_ value: Float) {
        defer { previous = value }
        if value == previous { return repeats += 1 }
        let change = Double(abs(value - previous))
        guard change.isFinite else { return }
        changes += 1
        // Steps up and down, soon small ones, find the median.
        let step = 1 + 1 / Double(min(changes, 200))
        median = changes == 1 ? change : change > median ? min(change, median * step) : max(change, median / step)
        if abs(change - median) <= 0.25 * median { alike += 1 }
    }
}
