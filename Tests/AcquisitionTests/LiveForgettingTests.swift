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
}
