import Electrodermal
import Foundation
import Pipeline
import Quality
import Signals
import TestSupport
import Testing

/// Skin conductance whose middle third is noise.
struct ElectrodermalQualityTests {
    private static let noisy = 180.0..<420

    /// Ten minutes at 4 Hz: a response of 1 µS every minute; from 180 s to 420 s 0.05 µS of noise.
    private static let recording: Recording = {
        var random = SplitMix64(seed: 7)
        let samples = (0..<2_400).map { k -> Float in
            let time = Double(k) / 4
            let since = time.truncatingRemainder(dividingBy: 60) - 20
            let response = since > 0 ? exp2(-since / 3) - exp2(-since / 0.5) : 0
            // The sum of twelve is nearly normal.
            let noise = (0..<12).reduce(-6.0) { sum, _ in sum + Double(random.next() >> 11) / 9_007_199_254_740_992 }
            return Float(4 + response + (noisy.contains(time) ? 0.05 : 0.001) * noise)
        }
        let header = StreamHeader(
            name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4,
            frameCount: samples.count)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 4)
        return Recording(
            header: RecordingHeader(duration: 600, streams: [header], format: "test"),
            streams: [Stream(header: header, segments: [Segment(start: start, block: SampleBlock(samples))])])
    }()

    /// The separation that takes the least time.
    private static let parameters: Parameters = {
        var parameters = Parameters()
        parameters.eda.separation = .highPass
        return parameters
    }()

    private func analysis(
        block: Seconds = 1, _ change: (inout Parameters) -> Void = { _ in }
    ) throws -> ElectrodermalResult {
        var parameters = Self.parameters
        change(&parameters)
        let events = RecordedEvents(Self.recording, blockDuration: block)
        let analysis = try RecordingAnalysis(events, parameters: parameters, file: "test")
        return try #require(analysis.electrodermal.first)
    }

    /// Whether the window whose middle is nearest to a moment is bad, the earlier of two.
    private func isDropped(_ time: Seconds, by windows: [QualityWindow]) -> Bool {
        let nearest = windows.min { abs($0.onset + $0.duration / 2 - time) < abs($1.onset + $1.duration / 2 - time) }
        return nearest.map { !$0.isGood } ?? false
    }

    @Test func `what quality drops is an artefact in samples, responses and windows`() throws {
        let result = try analysis()
        let clearlyNoisy = result.quality.filter { $0.onset >= 180 && $0.onset + $0.duration <= 420 }
        try #require(clearlyNoisy.count > 220 && clearlyNoisy.allSatisfy { !$0.isGood })
        for sample in result.samples where isDropped(sample.onset, by: result.quality) {
            #expect(sample.isArtefact && sample.tonic.isNaN && sample.phasic.isNaN, "\(sample)")
        }
        let inside = result.samples.filter { $0.onset > 185 && $0.onset < 415 }
        #expect(inside.count > 900 && inside.allSatisfy(\.isArtefact))
        let outside = result.samples.filter { $0.onset < 175 || $0.onset > 425 }
        #expect(outside.count { !$0.isArtefact } > 1_300)
        for response in result.responses {
            #expect(response.isDoubtful || response.peak < 190 || response.onset > 410, "\(response)")
        }
        for window in result.windows where window.onset >= 240 && window.onset < 360 {
            #expect(window.coverage == 0 && window.responseCount == nil && window.meanLevel == nil)
        }
        let clean = result.windows.filter { $0.onset < 120 || $0.onset >= 480 }
        #expect(clean.count == 4 && clean.allSatisfy { $0.responseCount == 1 && $0.coverage > 0.9 })
    }

    @Test func `quality marks artefacts where its own table is not asked for`() throws {
        let (both, alone) = (try analysis(), try analysis { $0.outputs = [.eda] })
        #expect(alone.quality.isEmpty && !both.quality.isEmpty)
        #expect(alone.samples == both.samples && alone.responses == both.responses && alone.windows == both.windows)
    }

    @Test(arguments: [0.25, 7, 600])
    func `samples wait for their quality in whatever pieces they come`(block: Seconds) throws {
        let (whole, pieces) = (try analysis(), try analysis(block: block))
        #expect(pieces.samples == whole.samples && pieces.responses == whole.responses)
    }

    @Test func `live responses are those of the file`() throws {
        var live = try LiveAnalysis(parameters: Self.parameters, keepsResults: false)
        live.declare(Self.recording.header)
        var updates: [LiveUpdate] = []
        let events = RecordedEvents(Self.recording, blockDuration: 0.5)
        while let event = events.next() { live.take(event, into: &updates) }
        live.finish(into: &updates)
        let told = updates.compactMap { update -> SkinConductanceResponse? in
            if case .skin(_, let response) = update { response } else { nil }
        }
        let expected = try analysis().responses
        #expect(told == expected && told.contains(where: \.isDoubtful))
    }
}
