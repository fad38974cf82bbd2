public import Signals

/// A stage, in the sense of `Signals.Stage`, whose input are blocks of several channels sampled together.
///
/// Its outputs may not depend, to the bit, on how the input was cut into blocks. Call `begin` at the start of each
/// contiguous run, `push` for its samples, and `finish` once at the very end.
public protocol BlockStage<Output> {
    /// One output.
    associatedtype Output

    /// The longest time, in seconds of signal, between an input and the last output that may depend on it.
    var lookAhead: Seconds { get }

    /// A contiguous run begins: ends the previous one, whose remaining outputs are appended.
    mutating func begin(_ segment: SegmentStart, into outputs: inout [Output])

    /// The next samples of the current run; a sample that is missing is NaN.
    mutating func push(_ block: SampleBlock, into outputs: inout [Output])

    /// Nothing more will come: appends what was still held back.
    mutating func finish(into outputs: inout [Output])
}
