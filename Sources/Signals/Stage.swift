/// A streaming transducer: samples or events in, samples or events out, the same whether the input comes whole or in
/// pieces.
///
/// A stage is a value: it owns its state, knows no clock, takes no lock and starts no task. Its outputs may not
/// depend, to the bit, on how the input was cut into chunks. Call `begin` at the start of each contiguous run, `push`
/// for its samples, and `finish` once at the very end.
public protocol Stage<Element, Output> {
    /// One input: a sample of one channel, or one event.
    associatedtype Element
    /// One output.
    associatedtype Output

    /// The longest time, in seconds of signal, between an input and the last output that may depend on it.
    var lookAhead: Seconds { get }

    /// A contiguous run begins: ends the previous one, whose remaining outputs are appended. Nothing that is computed
    /// spans the gap between two runs.
    mutating func begin(_ segment: SegmentStart, into outputs: inout [Output])

    /// The next inputs of the current run.
    mutating func push(_ chunk: Span<Element>, into outputs: inout [Output])

    /// Nothing more will come: appends what was still held back.
    mutating func finish(into outputs: inout [Output])
}

extension Stage {
    /// All outputs for one contiguous run given whole.
    public mutating func run(_ samples: [Element], from segment: SegmentStart) -> [Output] {
        var outputs: [Output] = []
        begin(segment, into: &outputs)
        push(samples.span, into: &outputs)
        finish(into: &outputs)
        return outputs
    }
}
