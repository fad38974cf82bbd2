public import Signals

/// Where one rhythm ends and another begins.
public struct RhythmParameters: Hashable, Codable, Sendable {
    /// A rhythm is only told of this many seconds in one piece or more. Default 30, as in consensus on atrial fibrillation
    /// (Hindricks et al. 2021, Eur Heart J 42:373-498).
    public var minimumDuration: Seconds = 30
    /// A rhythm is only told of so many intervals in one piece or more. Default 20.
    public var minimumIntervals = 20

    /// How many intervals irregularity is judged over. Default 48; published detectors use 12 to 128 (Dash et al. 2009,
    /// Ann Biomed Eng 37:1701-1709; Lake & Moorman 2011, Am J Physiol Heart Circ 300:H319-H325; Lian et al. 2011, Am J
    /// Cardiol 107:1494-1497).
    public var irregularIntervals = 48
    /// Fewer intervals than these in one piece are never called irregular. Default 16.
    public var fewestIrregularIntervals = 16
    /// Irregular from this sparsity of the Poincaré plot on (`IntervalSparsity`), a fraction of the mean interval.
    /// Default 0.07. In a fast rhythm it is scaled by the mean interval over that of `tachycardiaRate`, down to 0.6.
    public var irregularFrom = 0.07
    /// Irregular until the sparsity falls below this. Default 0.05.
    public var irregularUntil = 0.05

    /// An interval is premature when it is shorter than this fraction of the one before and, within three more, of one
    /// that follows. Default 0.82.
    public var prematureRatio = 0.82
    /// How many premature beats make an ectopic rhythm. Default 3.
    public var ectopicBeats = 3
    /// How many intervals apart they may be. Default 10.
    public var ectopicSpacing = 10

    /// Tachycardia above this rate, in beats per minute. Default 100.
    public var tachycardiaRate = 100.0
    /// Bradycardia below this rate, in beats per minute. Default 50 (Kusumoto et al. 2018, Circulation 140:e382-e482).
    public var bradycardiaRate = 50.0
    /// By how many beats per minute the rate must come back before either ends. Default 5.
    public var rateHysteresis = 5.0
    /// The rate is that of the median of the means of two successive intervals, of this many around. Default 15.
    public var rateIntervals = 15

    /// Asystole, or no beats in a pulse wave, where a readable signal has no beat for this many seconds. Default 4 (Clifford et al. 2015, Computing in
    /// Cardiology 42:273-276).
    public var asystole: Seconds = 4
    /// A shorter stretch, in seconds, in which nothing can be said does not interrupt a rhythm. Default 3.
    public var shortestUnreadable: Seconds = 3

    /// The defaults.
    public init() {}

    /// Checks that the parameters have a meaning.
    /// - Throws: the first that has none.
    public func validate() throws(InvalidParameter) {
        // A range that another parameter bounds is a range even where that one is wrong, which is told first.
        for (name, value, range) in [
            ("minimumDuration", minimumDuration, 0...3_600),
            ("minimumIntervals", Double(minimumIntervals), 1...1_000),
            ("irregularIntervals", Double(irregularIntervals), 12...1_000),
            ("fewestIrregularIntervals", Double(fewestIrregularIntervals), 8...max(8, Double(irregularIntervals))),
            ("irregularFrom", irregularFrom, 0.001...1),
            ("irregularUntil", irregularUntil, 0.001...max(0.001, irregularFrom)),
            ("prematureRatio", prematureRatio, 0.3...0.99), ("ectopicBeats", Double(ectopicBeats), 1...100),
            ("ectopicSpacing", Double(ectopicSpacing), 1...100), ("bradycardiaRate", bradycardiaRate, 5...400),
            ("rateHysteresis", rateHysteresis, 0...100),
            ("tachycardiaRate", tachycardiaRate, min(1_000, bradycardiaRate.nextUp)...1_000),
            ("rateIntervals", Double(rateIntervals), 1...1_000), ("asystole", asystole, 1...60),
            ("shortestUnreadable", shortestUnreadable, 0...60),
        ] as [(String, Double, ClosedRange<Double>)] where !range.contains(value) {
            throw InvalidParameter(
                name: "rhythm.\(name)", found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
        }
    }
}
