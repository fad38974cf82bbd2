import Cardiac
import Quality
import Signals
import Simulation
import TestSupport
import Testing

@Suite("Several ECG leads judged together")
struct AssessedLeadsTests {
    private static let rate = 250.0
    private static let heart = {
        var parameters = SimulationParameters()
        parameters.duration = 90
        parameters.ecg?.leads = [ECGLead(label: "II"), ECGLead(label: "V1", gain: 0.8)]
        parameters.ecg?.sampleRate = rate
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 24)]
        return SimulatedSession(parameters)
    }()

    /// Two leads of one heart, the first lost in noise from 30 to 60 s.
    private static func leads() throws -> SampleBlock {
        let stream = try #require(heart.recording().streams.first { $0.header.kind == .ecg })
        var block = try #require(stream.segments.first).block
        var random = SplitMix64(seed: 5)
        for index in 7_500..<15_000 { block.samples[index] = Float.random(in: -3_000...3_000, using: &random) }
        return block
    }

    private static func piece(_ block: SampleBlock, _ frames: Range<Int>) -> SampleBlock {
        let channels = (0..<2).flatMap { channel in
            block.samples[block.range(ofChannel: channel)].dropFirst(frames.lowerBound).prefix(frames.count)
        }
        return SampleBlock(channelCount: 2, samples: channels)
    }

    private static func assess(_ block: SampleBlock, by length: Int) -> (beats: [Beat], windows: [QualityWindow]) {
        var assessed = AssessedLeads(leadCount: 2, sampleRate: rate)
        var beats: [Beat] = []
        var windows: [QualityWindow] = []
        assessed.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), beats: &beats, windows: &windows)
        for start in stride(from: 0, to: block.frameCount, by: length) {
            let frames = start..<min(start + length, block.frameCount)
            assessed.push(piece(block, frames), channels: [0, 1], beats: &beats, windows: &windows)
        }
        assessed.finish(beats: &beats, windows: &windows)
        return (beats, windows)
    }

    @Test(arguments: [1, 7, 64, 1_000])
    func piecesOfAnyLengthGiveTheSameBits(length: Int) throws {
        let block = try Self.leads()
        let whole = Self.assess(block, by: block.frameCount)
        let pieces = Self.assess(block, by: length)
        #expect(pieces.beats == whole.beats)
        #expect(pieces.windows == whole.windows)
        #expect(!whole.beats.isEmpty && !whole.windows.isEmpty)
    }

    @Test func aWindowIsAsGoodAsItsBestLead() throws {
        let (beats, windows) = Self.assess(try Self.leads(), by: 500)
        let noisy = windows.filter { $0.onset >= 32 && $0.onset + $0.duration <= 58 }
        #expect(!noisy.isEmpty)
        #expect(noisy.allSatisfy { $0.quality > 0.5 })
        let truth = Self.heart.truth().beats["ecg", default: []].map(\.onset)
        let comparison = BeatComparison(detected: beats.map(\.onset), reference: truth, tolerance: 0.05)
        #expect(try #require(comparison.f1) > 0.99)
    }
}
