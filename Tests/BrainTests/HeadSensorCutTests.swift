import Brain
import Signals
import TestSupport
import Testing

/// What a headband's contact and its accelerometer tell does not depend on how samples come, to the bit.
struct HeadSensorCutTests {
    private static let runs: [(start: SegmentStart, frames: Range<Int>)] = [
        (SegmentStart(onset: 3.3, sample: 0, sampleRate: 10), 0..<4_137),
        (SegmentStart(onset: 430, sample: 4_137, sampleRate: 10), 4_137..<4_150),
        (SegmentStart(onset: 500.05, sample: 4_150, sampleRate: 10), 4_150..<9_000),
    ]

    /// Nine thousand frames; of every thousand some are missing.
    private func signal(_ channels: [(Int) -> Float]) -> SampleBlock {
        SampleBlock(
            channelCount: channels.count,
            samples: channels.flatMap { channel in (0..<9_000).map { $0 % 1_000 < 30 ? .nan : channel($0) } })
    }

    private func outputs<S: BlockStage>(_ stage: S, _ signal: SampleBlock) -> [S.Output] where S.Output: Equatable {
        assertChunkInvariant(
            CutBlocks(inner: stage, signal: signal), Self.runs.map { ($0.start, Array($0.frames)) }, cuts: 6)
    }

    @Test func `contact does not depend on the cut`() {
        var random = SplitMix64(seed: 5)
        let noise = (0..<9_000).map { _ in Float.random(in: 0...1, using: &random) }
        let seconds = outputs(
            HeadContact(sampleRate: 10), signal([{ $0 / 700 % 3 == 0 ? 0 : noise[$0] < 0.1 ? 0 : 1 }]))
        #expect(Set(seconds.map(\.isOff)).isSuperset(of: [true, false]) && seconds.count > 800)
    }

    @Test func `sleep does not depend on the cut`() {
        var random = SplitMix64(seed: 6)
        let noise = (0..<9_000).map { _ in Float.random(in: -0.01...0.01, using: &random) }
        // Gaps restart the five minutes: each run of ones is longer than that between them.
        let axes = SampleBlock(
            channelCount: 3,
            samples: (0..<3).flatMap { axis in
                (0..<9_000).map { frame -> Float in
                    frame < 60 ? .nan : (axis == frame / 4_150 ? 1 : 0.1) + noise[(frame + 7 * axis) % 9_000]
                }
            })
        let channels = ["x", "y", "z"].map { Channel(label: $0, unit: .g) }
        let values = outputs(SleepWatch(channels: channels, sampleRate: 10), axes)
        #expect(Set(values.map(\.asleep)) == [nil, 0, 1])
    }
}
