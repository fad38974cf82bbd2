import Pipeline
import Signals
import Simulation
import Testing

/// A wristband whose acceleration begins before its pulse is known of.
@Suite struct LiveAccelerationTests {
    private static let streams = [
        StreamHeader(
            name: "band-acceleration", kind: .acceleration,
            channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 32),
        StreamHeader(
            name: "band-bvp", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)], sampleRate: 64),
    ]

    /// A pulse on an arm that swings, in pieces of an eighth of a second.
    private static func pieces(_ seconds: Int) -> [(acceleration: SampleBlock, pulse: SampleBlock)] {
        var signal = BVPSignal(
            BVPParameters(), rhythm: HeartRhythm(HeartRhythmParameters(), seed: 4), respirationRate: 0.25)
        func swing(_ time: Double) -> Double { 0.4 * abs((time * 1.7).truncatingRemainder(dividingBy: 1) - 0.5) }
        return (0..<seconds * 8).map { piece in
            let moments = (0..<4).map { Double(piece * 4 + $0) / 32 }
            let pulse = signal.render(piece * 8..<(piece + 1) * 8)[0].enumerated().map { place, value in
                Float(value + 8 * swing(Double(piece * 8 + place) / 64))
            }
            return (
                SampleBlock(
                    channelCount: 3, samples: [1, 0.5, 0.2].flatMap { axis in moments.map { Float(axis * swing($0)) } }),
                SampleBlock(pulse)
            )
        }
    }

    private static func beats(declaringPulseAfter declared: Int) throws -> CardiacResult {
        var analysis = try LiveAnalysis(parameters: Parameters())
        var updates: [LiveUpdate] = []
        analysis.declare(RecordingHeader(streams: Array(streams.prefix(1)), format: "XDF"))
        for (number, piece) in pieces(60).enumerated() {
            if number == declared { analysis.declare(RecordingHeader(streams: streams, format: "XDF")) }
            if number == 0 {
                analysis.take(
                    .segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 32)), into: &updates)
            }
            analysis.take(.samples(stream: 0, piece.acceleration), into: &updates)
            if number == 2 {
                analysis.take(
                    .segment(stream: 1, start: SegmentStart(onset: 0, sample: 0, sampleRate: 64)), into: &updates)
            }
            if number >= 2 { analysis.take(.samples(stream: 1, piece.pulse), into: &updates) }
        }
        analysis.finish(into: &updates)
        return try #require(analysis.results.first)
    }

    @Test func itsBeginningIsHeard() throws {
        let known = try Self.beats(declaringPulseAfter: 0)
        let late = try Self.beats(declaringPulseAfter: 2)
        #expect(!known.beats.isEmpty)
        #expect(known.source.acceleration != nil && known.source == late.source)
        #expect(known.beats == late.beats && known.quality == late.quality)
    }
}
