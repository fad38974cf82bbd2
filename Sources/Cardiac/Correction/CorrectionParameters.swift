public import Signals

/// How inter-beat intervals are made into NN intervals.
public struct CorrectionParameters: Hashable, Codable, Sendable {
    /// The rule. Default: Lipponen & Tarvainen 2019.
    public var method = CorrectionMethod.lipponenTarvainen
    /// Threshold of the artefact classes in quartile deviations of the 91 differences around a beat. Default 5.2, beyond
    /// which 0.05 % of normally distributed differences lie (Lipponen & Tarvainen 2019).
    public var alpha = 5.2
    /// Slope of the line beyond which a beat counts as ectopic. Default 0.13 (as above).
    public var c1 = 0.13
    /// Offset of that line. Default 0.17 (as above).
    public var c2 = 0.17
    /// For `.threshold`: how far, in seconds, an interval may lie from the median of the eleven around it. Default 0.25
    /// (the level "medium" of Kubios HRV).
    public var threshold: Seconds = 0.25
    /// For `.quotient`: by which share an interval may differ from the median of the five before it and from that of
    /// the five after it. Default 0.2 (Malik et al. 1989; in this form Vest et al. 2018).
    public var quotient = 0.2
    /// The longest stretch of corrected intervals whose lengths are estimated; what goes on beyond it is left out, and
    /// the series is broken there. Default 5 intervals.
    public var longestInterpolation = 5

    /// The defaults.
    public init() {}

    /// Checks that the parameters have a meaning.
    /// - Throws: the first that has none.
    public func validate() throws(InvalidParameter) {
        for (name, value, range) in [
            ("alpha", alpha, 0.1...100), ("c1", c1, 0...10), ("c2", c2, 0...10), ("threshold", threshold, 0.001...10),
            ("quotient", quotient, 0.001...1), ("longestInterpolation", Double(longestInterpolation), 1...1_000),
        ] where !range.contains(value) {
            throw InvalidParameter(
                name: "correction.\(name)", found: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
        }
    }
}

/// A rule that finds wrong intervals and says what becomes of them.
public enum CorrectionMethod: String, Codable, CaseIterable, Sendable {
    /// Every interval is kept.
    case none
    /// Ectopic, missed, extra, long and short beats by time-varying thresholds (Lipponen & Tarvainen 2019, J Med Eng
    /// Technol 43:173-181). Extra beats are taken out, missed ones put in, the lengths of other wrong intervals
    /// estimated from their neighbours.
    case lipponenTarvainen
    /// An interval further than a threshold from the median of the eleven around it is wrong; its length is estimated
    /// from its neighbours.
    case threshold
    /// An interval that differs by more than a share from the median of the five before it and from that of the five
    /// after it is left out.
    case quotient
}
