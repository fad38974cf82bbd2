import Decoding
import Pipeline
import Signals
import TestSupport
import Testing

/// How long after it began an epoch of a live session is known.
struct DecodableDelayTests {
    @Test(arguments: [125.0, 250, 256, 500], [false, true])
    func anEpochIsKnownFourSecondsAfterItBegan(sampleRate: Double, hasAcceleration: Bool) throws {
        var random = SplitMix64(seed: 7)
        func stream(_ kind: StreamKind, _ labels: [String], _ unit: Signals.Unit, _ rate: Double) -> StreamHeader {
            StreamHeader(
                name: kind.rawValue, kind: kind, channels: labels.map { Channel(label: $0, unit: unit) },
                sampleRate: rate)
        }
        var streams = [stream(.eeg, ["TP9", "AF7", "AF8", "TP10"], .microvolts, sampleRate)]
        if hasAcceleration { streams.append(stream(.acceleration, ["x", "y", "z"], .g, 50)) }
        let header = RecordingHeader(streams: streams, format: "test")
        let source = try #require(BrainSource.all(in: header).first)
        var track = try DecodableTrack(source, in: header, parameters: Parameters())
        var epochs: [DecodableEpoch] = []
        for (place, stream) in streams.enumerated() {
            let start = SegmentStart(onset: 0, sample: 0, sampleRate: stream.sampleRate)
            track.take(.segment(stream: place, start: start), into: &epochs)
        }
        var delays: [Seconds] = []
        for block in 1...750 {
            let now = Double(block) / 25
            for (place, stream) in streams.enumerated() {
                let width = stream.channels.count
                let frames = Int(now * stream.sampleRate) - Int(Double(block - 1) / 25 * stream.sampleRate)
                let samples = (0..<width * frames).map { _ in
                    place == 0 ? Float.random(in: -20...20, using: &random) : 0.5
                }
                track.take(.samples(stream: place, SampleBlock(channelCount: width, samples: samples)), into: &epochs)
            }
            delays += epochs[delays.count...].map { now - $0.onset }
        }
        #expect(epochs.count > 20 && epochs.first?.onset == 0)
        #expect(delays.allSatisfy { (3...5).contains($0) }, "\(delays.prefix(5)) … \(delays.max() ?? 0)")
    }
}
