import Signals

/// What tells the windows of one kind of signal good from bad.
protocol WindowJudge: Sendable {
    /// One sample: of a channel, or of several together.
    associatedtype Sample: Equatable & Sendable
    /// What is remembered of a step of the signal.
    associatedtype Measures: Sendable

    /// Seconds from which on one and the same value is a flat line.
    static var flatFrom: Seconds { get }
    /// Nothing measured yet.
    static var nothing: Measures { get }
    /// Whether the sample was recorded.
    static func isPresent(_ sample: Sample) -> Bool
    /// A run at this sample rate begins, as many samples after the one before, whose last step this is; nil where there
    /// is none before, at this rate and in time.
    mutating func begin(sampleRate: Double, after missing: Int?, into measures: inout Measures)
    /// The next recorded sample of the run.
    mutating func take(_ sample: Sample, into measures: inout Measures)
    /// A sample of the run was not recorded.
    mutating func pass(into measures: inout Measures)
    /// The step is over.
    mutating func close(_ measures: inout Measures)
    /// What the step that is over tells of those before it, within `flatFrom`: windows wait that long.
    mutating func revise(_ steps: inout [JudgedStep<Measures>])
    /// Adds what the steps of a window say to what is known of it.
    static func judge(_ steps: [Measures], into aspects: inout Aspects)
}

extension WindowJudge {
    mutating func pass(into measures: inout Measures) {}
    mutating func revise(_ steps: inout [JudgedStep<Measures>]) {}
}

/// A step of a signal under judgement.
struct JudgedStep<Measures: Sendable>: Sendable {
    /// Samples that there should have been, and that there were.
    var expected = 0.0
    var present = 0
    /// Samples on flat lines.
    var flat = 0
    var measures: Measures

    init(_ measures: Measures, expected: Double = 0) {
        (self.measures, self.expected) = (measures, expected)
    }
}
