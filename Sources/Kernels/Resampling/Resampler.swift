/// What a signal is taken to be before its start and after its end.
public enum SignalEdge: Sendable, Hashable {
    /// Zero, as in `scipy.signal.resample_poly`.
    case zero
    /// Its first and its last value: no ramp where a signal with an offset starts.
    case hold
}

/// A change of sample rate by a whole ratio, running on one channel of floats.
///
/// Output i belongs to the time of input i·down/up: there is no delay, but a look-ahead of `lookAhead` inputs. How the
/// signal is cut into chunks does not change a bit. The low-pass is `scipy.signal.resample_poly`'s.
public struct Resampler: Sendable {
    private let polyphase: Polyphase<Float8>
    private let edge: SignalEdge
    /// Inputs still needed, the first of them number `start` of the signal.
    private var pending: [Float] = []
    private var start = 0
    private var inputs = 0
    private var outputs = 0

    /// - Parameters:
    ///   - ratio: of the new rate to the old.
    ///   - beta: of the Kaiser window.
    ///   - edge: what lies beyond the ends.
    public init(_ ratio: RateRatio, beta: Double = 5, edge: SignalEdge = .hold) {
        polyphase = Polyphase(ratio, beta: beta)
        self.edge = edge
    }

    /// The ratio of the new rate to the old.
    public var ratio: RateRatio { polyphase.ratio }

    /// How many inputs after its own time an output waits for.
    public var lookAhead: Int { polyphase.ahead }

    /// Takes in a chunk and appends the outputs that are complete.
    public mutating func push(_ chunk: Span<Float>, into output: inout [Float]) {
        guard !chunk.isEmpty else { return }
        if inputs == 0 { begin(chunk[0]) }
        let begun = inputs
        inputs += chunk.count
        // Of a long chunk only the beginning goes together with what was there before.
        let isLong = chunk.count > 4 * polyphase.count
        let head = isLong ? polyphase.count : chunk.count
        chunk.extracting(..<head).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
        drain(upTo: begun + head, into: &output)
        if isLong { drain(chunk, from: begun, into: &output) }
    }

    /// Appends the outputs that were waiting, ⌈inputs·up/down⌉ in all, and starts anew.
    public mutating func finish(into output: inout [Float]) {
        if let last = pending.last, inputs > 0 {
            pending.append(contentsOf: repeatElement(edge == .hold ? last : 0, count: polyphase.ahead + 1))
            drain(upTo: inputs + polyphase.ahead + 1, into: &output)
        }
        pending.removeAll(keepingCapacity: true)
        (start, inputs, outputs) = (0, 0, 0)
    }

    /// The resampled signal.
    public static func resample(
        _ samples: [Float], by ratio: RateRatio, beta: Double = 5, edge: SignalEdge = .hold
    ) -> [Float] {
        var resampler = Resampler(ratio, beta: beta, edge: edge)
        var output: [Float] = []
        resampler.push(samples.span, into: &output)
        resampler.finish(into: &output)
        return output
    }

    /// The resampled signal.
    public static func resample(
        _ samples: [Double], by ratio: RateRatio, beta: Double = 5, edge: SignalEdge = .hold
    ) -> [Double] {
        guard let first = samples.first, let last = samples.last else { return [] }
        let polyphase = Polyphase<Double4>(ratio, beta: beta)
        let (before, after) = edge == .hold ? (first, last) : (0, 0)
        let past = polyphase.count - 1 - polyphase.ahead
        let x =
            Array(repeating: before, count: past) + samples
            + Array(repeating: after, count: polyphase.ahead + 1)
        return x.withUnsafeBufferPointer { x in
            (0..<polyphase.outputs(samples.count)).map { index in
                let (input, phase) = polyphase.place(index)
                guard let base = x.baseAddress else { return .nan }
                return polyphase.value(base + input, phase: phase).v.sum()
            }
        }
    }

    private mutating func begin(_ first: Float) {
        let past = polyphase.count - 1 - polyphase.ahead
        pending.append(contentsOf: repeatElement(edge == .hold ? first : 0, count: past))
        start = -past
    }

    /// The outputs that are complete, from a chunk that begins with input `first` and holds all that they need; what comes
    /// later may need of it is kept.
    private mutating func drain(_ chunk: Span<Float>, from first: Int, into output: inout [Float]) {
        let past = polyphase.count - 1 - polyphase.ahead
        let total = min(polyphase.outputs(inputs), polyphase.outputs(max(0, inputs - polyphase.ahead)))
        if total > outputs {
            let place = polyphase.place(outputs).input - past - first
            polyphase.append(outputs..<total, of: chunk.extracting(place...), to: &output)
            outputs = total
        }
        start = min(polyphase.place(outputs).input - past, inputs - 1)
        pending.removeAll(keepingCapacity: true)
        chunk.extracting((start - first)...).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
    }

    /// Outputs whose inputs all lie before `end`.
    private mutating func drain(upTo end: Int, into output: inout [Float]) {
        let past = polyphase.count - 1 - polyphase.ahead
        let total = min(polyphase.outputs(inputs), polyphase.outputs(max(0, end - polyphase.ahead)))
        if total > outputs {
            let first = polyphase.place(outputs).input - past - start
            polyphase.append(outputs..<total, of: pending.span.extracting(first...), to: &output)
            outputs = total
        }
        let needed = polyphase.place(outputs).input - past
        // Moved rarely: what is left over is short beside what has passed.
        if needed - start > max(4096, polyphase.count * 4) {
            pending.removeFirst(min(pending.count, needed - start))
            start = needed
        }
    }
}
