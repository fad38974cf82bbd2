public import Signals
public import Testing

/// Demands that `stage` gives bit-identical outputs when the same runs come whole, sample by sample and in random
/// cuts.
///
/// - Parameters:
///   - stage: makes a fresh stage.
///   - segments: the input, a run each.
///   - identical: whether two outputs are the same to the bit; the default compares with `==`.
/// - Returns: the outputs, for further checks.
@discardableResult
public func assertChunkInvariant<S: Stage>(
    _ stage: @autoclosure () -> S, _ segments: [(start: SegmentStart, samples: [S.Element])],
    cuts: Int = 8, seed: UInt64 = 1, sampleBySample: Bool = true,
    identical: (S.Output, S.Output) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
) -> [S.Output] {
    func outputs(cutting: (Int) -> Int) -> [S.Output] {
        var stage = stage()
        var outputs: [S.Output] = []
        for segment in segments {
            stage.begin(segment.start, into: &outputs)
            var first = 0
            while first < segment.samples.count {
                let count = min(max(1, cutting(segment.samples.count - first)), segment.samples.count - first)
                stage.push(segment.samples.span.extracting(first..<first + count), into: &outputs)
                first += count
            }
        }
        stage.finish(into: &outputs)
        return outputs
    }
    func compare(_ other: [S.Output], _ name: String) {
        #expect(whole.count == other.count, "\(name): number of outputs", sourceLocation: sourceLocation)
        if let index = zip(whole, other).enumerated().first(where: { !identical($1.0, $1.1) })?.offset {
            Issue.record(
                "\(name): output \(index) differs: \(whole[index]) and \(other[index])", sourceLocation: sourceLocation)
        }
    }
    let whole = outputs { $0 }
    if sampleBySample { compare(outputs { _ in 1 }, "sample by sample") }
    var generator = SplitMix64(seed: seed)
    for cut in 0..<cuts {
        // Sizes spread over scales, so that tiny and huge chunks meet.
        let largest = 1 << Int.random(in: 1...16, using: &generator)
        compare(outputs { _ in Int.random(in: 1...largest, using: &generator) }, "random cut \(cut)")
    }
    return whole
}

/// As above, for outputs that compare with `==`.
@discardableResult
public func assertChunkInvariant<S: Stage>(
    _ stage: @autoclosure () -> S, _ segments: [(start: SegmentStart, samples: [S.Element])],
    cuts: Int = 8, seed: UInt64 = 1, sampleBySample: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
) -> [S.Output] where S.Output: Equatable {
    assertChunkInvariant(
        stage(), segments, cuts: cuts, seed: seed, sampleBySample: sampleBySample, identical: ==,
        sourceLocation: sourceLocation)
}
