import Cardiac
import Formats
import Foundation
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// What quality drops is dropped from variability: 15 minutes of ECG, drowned in noise from the fifth to the tenth.
struct DroppedIntervalsTests {
    private static let rate = 250.0
    private static let noisy = 300.0..<600.0

    private static let ecg: [Float] = {
        var parameters = SimulationParameters()
        parameters.duration = 900
        let recording = SimulatedSession(parameters).recording()
        let stream = recording.streams.first { $0.header.kind == .ecg }
        return stream?.segments.first?.block.channel(0) ?? []
    }()

    private static let spoilt: [Float] = {
        var random = SplitMix64(seed: 8)
        return ecg.enumerated().map { index, value in
            noisy.contains(Double(index) / rate) ? value + 2 * noise(&random) : value
        }
    }()

    /// Nearly normal, of standard deviation 1.
    private static func noise(_ random: inout SplitMix64) -> Float {
        (0..<12).reduce(-6) { sum, _ in sum + Float.random(in: 0...1, using: &random) }
    }

    private func result(
        _ samples: [Float], chunk: Int = 100_000, computing outputs: CardiacTrack.Outputs = .all,
        edits: [BeatEdit] = [], tolerating reasons: [QualityReason] = []
    ) throws -> CardiacResult {
        try CardiacResults.ofECG(
            samples, rate: Self.rate, chunk: chunk, computing: outputs, edits: edits, tolerating: reasons)
    }

    private func meanNN(_ window: HRVWindow) throws -> Double? {
        let index = try #require(HRVIndex.list(HRVParameters()).firstIndex { $0.name == "meanNN" })
        return window.values[index]
    }

    @Test func intervalsInNoiseDoNotCount() throws {
        let (clean, spoilt) = (try result(Self.ecg), try result(Self.spoilt))
        #expect(spoilt.nn.allSatisfy { $0.onset < Self.noisy.lowerBound + 2 || $0.onset > Self.noisy.upperBound - 2 })
        #expect(spoilt.windows.count == clean.windows.count)
        for (window, truth) in zip(spoilt.windows, clean.windows) {
            let inNoise = max(0, min(window.onset + window.duration, 600) - max(window.onset, 300))
            #expect(abs(window.coverage - (truth.coverage - inNoise / 300)) < 0.03)
            // Either it is told from what is clean, or not at all.
            guard let told = try meanNN(window) else {
                #expect(inNoise > 30)
                continue
            }
            #expect(abs(told - (try #require(try meanNN(truth)))) < 0.02 * told)
        }
        // The beats stay where they were found; those of the noise have no interval.
        let inside = spoilt.beats.filter {
            $0.onset > Self.noisy.lowerBound + 2 && $0.onset < Self.noisy.upperBound - 2
        }
        #expect(!inside.isEmpty && inside.allSatisfy(\.followsBreak))
    }

    @Test(arguments: [64, 1_000, 40_000]) func piecesDoNotChangeWhatIsDropped(chunk: Int) throws {
        let (whole, pieces) = (try result(Self.spoilt), try result(Self.spoilt, chunk: chunk))
        #expect(pieces.beats == whole.beats && pieces.nn == whole.nn && pieces.windows == whole.windows)
        #expect(pieces.intervals == whole.intervals && pieces.rhythm == whole.rhythm)
    }

    @Test func theTableOfBeatsTellsWhatWasDropped() throws {
        let spoilt = try result(Self.spoilt)
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            let table = CardiacTables.beats(of: spoilt)
            try TSV.write(table, to: url)
            try Data(TableJSON.sidecar(table.columns)).write(to: folder.appendingPathComponent("beats.json"))
            let again = try CardiacReading.result(of: url, computing: .hrv)
            #expect(again.nn == spoilt.nn && again.windows == spoilt.windows)
        }
    }

    @Test func whatIsAskedForDoesNotChangeWhatIsDropped() throws {
        let whole = try result(Self.spoilt)
        #expect(try result(Self.spoilt, computing: [.intervals]).nn == whole.nn)
        #expect(try result(Self.spoilt, computing: [.hrv]).windows == whole.windows)
    }

    @Test func whereAllIsDroppedTheWindowsSayThatNothingIsLeft() throws {
        var random = SplitMix64(seed: 9)
        let spoilt = try result(Self.ecg.map { $0 + 2 * Self.noise(&random) })
        #expect(!spoilt.beats.isEmpty && spoilt.nn.isEmpty && spoilt.droppedIntervals == spoilt.intervals.count)
        #expect(spoilt.windows.map(\.onset) == (try result(Self.ecg)).windows.map(\.onset))
        #expect(spoilt.windows.allSatisfy { $0.coverage == 0 && $0.values.allSatisfy { $0 == nil } })
        #expect(spoilt.droppedRemark != nil)
        // Shorter than a window.
        let short = try result(Array(Self.spoilt[85_000..<90_000]))
        #expect(short.windows.count == 1 && short.windows.first?.coverage == 0)
    }

    @Test func aPersonWhoEditedTheBeatsHasTheLastWord() throws {
        let beats = try result(Self.ecg, computing: []).beats
        let target = try #require(beats.first { $0.onset > 700 })
        let edited = try result(Self.spoilt, edits: [BeatEdit(.delete, onset: target.onset)])
        #expect(edited.nn.contains { Self.noisy.contains($0.onset) })
    }

    /// As a small amplifier does: 20 ms and more of each R wave's top are missing.
    @Test func topsThatAreCutOffDropABeatUnlessSomebodyAcceptsThat() throws {
        let top = Self.ecg.sorted()[Self.ecg.count * 97 / 100]
        let clipped = Self.ecg.map { min($0, top) }
        let (clean, dropped) = (try result(Self.ecg), try result(clipped))
        #expect(dropped.nn.count < clean.nn.count / 20)
        #expect(dropped.quality.count { $0.reasons == [.saturated] } > dropped.quality.count * 95 / 100)
        #expect(dropped.droppedRemark?.contains("most often for saturated") == true)
        let used = try result(clipped, tolerating: [.saturated])
        #expect(used.droppedRemark == nil && used.quality == dropped.quality)
        #expect(used.beats.count == clean.beats.count && used.nn.count > clean.nn.count * 98 / 100)
        for (found, truth) in zip(used.windows, clean.windows) {
            #expect(abs(try #require(try meanNN(found)) - (try #require(try meanNN(truth)))) < 0.5)
        }
        #expect(try result(clipped, chunk: 777, tolerating: [.saturated]).nn == used.nn)
        // Other reasons stand.
        #expect(try result(Self.spoilt, tolerating: [.saturated]).nn == (try result(Self.spoilt)).nn)
    }

    @Test func whatIsMissingCannotBeTolerated() {
        var parameters = Parameters()
        parameters.quality.tolerated = [.saturated, .gap]
        #expect(throws: InvalidParameter.self) { try parameters.validate() }
    }
}
