import Pipeline
import Signals
import Simulation
import Testing

/// Whether results are kept is nothing that what is told may depend on.
@Suite struct LiveForgettingTests {
    private static func told(keepsResults: Bool) throws -> (updates: [String], analysis: LiveAnalysis) {
        let reader = SimulatedSession(SimulationParameters()).reader(blockDuration: 0.5)
        var analysis = try LiveAnalysis(parameters: Parameters(), keepsResults: keepsResults)
        analysis.declare(reader.header)
        var updates: [LiveUpdate] = []
        while let event = reader.next() { analysis.take(event, into: &updates) }
        analysis.finish(into: &updates)
        return (updates.map { "\($0)" }, analysis)
    }

    @Test func theSameIsToldWithoutResults() throws {
        let kept = try Self.told(keepsResults: true)
        let forgotten = try Self.told(keepsResults: false)
        #expect(kept.updates.count > 500)
        #expect(kept.updates == forgotten.updates)
        let results = forgotten.analysis.results.filter { $0.source.kind != .ibi }
        #expect(!results.isEmpty && results.allSatisfy { $0.beats.isEmpty && $0.windows.isEmpty && $0.nn.isEmpty })
        #expect(results.allSatisfy { $0.intervals.count <= 32 })
        #expect(kept.analysis.results.allSatisfy { !$0.intervals.isEmpty })
    }

    /// What is told of skin conductance with a marker before its first sample and one in it.
    private static func skin(keepsResults: Bool) throws -> (updates: [String], analysis: LiveAnalysis) {
        var header = RecordingHeader(format: "test")
        header.streams = [
            StreamHeader(
                name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4)
        ]
        var analysis = try LiveAnalysis(parameters: Parameters(), keepsResults: keepsResults)
        analysis.declare(header)
        var updates: [LiveUpdate] = []
        analysis.take(.marker(Marker(onset: 1, label: "first")), into: &updates)
        let start = SegmentStart(onset: 2, sample: 0, sampleRate: 4)
        analysis.take(.segment(stream: 0, start: start), into: &updates)
        for second in 0..<120 {
            let samples = [Float](repeating: 4 + Float(second % 10) * 0.01, count: 4)
            let block = SampleBlock(channelCount: 1, samples: samples)
            analysis.take(.samples(stream: 0, block), into: &updates)
            if second == 60 { analysis.take(.marker(Marker(onset: 62, label: "second")), into: &updates) }
        }
        analysis.finish(into: &updates)
        return (updates.map { "\($0)" }, analysis)
    }

    @Test func `markers are forgotten with the results that would tell of them`() throws {
        let (kept, forgotten) = (try Self.skin(keepsResults: true), try Self.skin(keepsResults: false))
        #expect(!kept.updates.isEmpty && kept.updates == forgotten.updates)
        let skin = [kept, forgotten].map { $0.analysis.streams.electrodermal }
        #expect(skin.map(\.count) == [1, 1])
        #expect(skin[0].first?.events.count == 2)
        #expect(skin[1].first?.events.isEmpty == true)
    }
}
