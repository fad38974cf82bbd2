import Cardiac
import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

struct BeatsTableTests {
    @Test func aTableOfBeatsGivesBackTheBeatsAndTheirIntervals() throws {
        var random = SplitMix64(seed: 4)
        var onset = 0.3
        let beats = (0..<500).map { index in
            onset += Double.random(in: 0.4...1.3, using: &random)
            return Beat(
                onset: onset, sample: Int(onset * 250), kind: BeatKind.allCases[index % 6],
                confidence: Float.random(in: 0...1, using: &random), followsBreak: index == 0 || index % 90 == 89)
        }
        var expected: [IBI] = []
        var stage = IBIStage()
        stage.push(beats.span, into: &expected)
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            try TSV.write(CardiacTables.beats(beats), to: url)
            #expect(BeatsTable.recognizes(url))
            let (again, intervals) = try BeatsTable.read(url)
            #expect(again == beats)
            #expect(intervals == expected)
            let text = folder.appendingPathComponent("beats.rr")
            _ = try RRTextWriter.write(BeatsTable.recording(url), to: text)
            let series = try RRText.read(text)
            #expect(zip(series.intervals, expected).allSatisfy { abs($0 - $1.duration) < 1e-12 })
            #expect(series.intervals.count == expected.count)
            #expect(series.followsBreak == expected.map { !$0.isContiguous })
        }
    }

    @Test func theSidecarTellsWhereTheSignalBeganAndEnded() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            let beats = (0..<100).map { index in
                Beat(onset: 10 + 0.8 * Double(index), sample: index, followsBreak: index == 0)
            }
            func whole(_ extent: Range<Seconds>?) throws -> HRVWindow? {
                let table = CardiacTables.beats(beats, extent: extent)
                try TSV.write(table, to: url)
                let sidecar = Data(TableJSON.sidecar(table.columns))
                try sidecar.write(to: folder.appendingPathComponent("beats.json"))
                var parameters = Parameters()
                parameters.hrv.window = nil
                return try CardiacReading.result(of: url, parameters: parameters, computing: .hrv).windows.first
            }
            let known = try #require(try whole(0..<120))
            #expect(known.onset == 0 && known.duration == 120)
            #expect(abs(known.coverage - 99 * 0.8 / 120) < 1e-9)
            let unknown = try #require(try whole(nil))
            #expect(unknown.onset == 10 && abs(unknown.coverage - 1) < 1e-9)
            // It belongs to another table.
            #expect(try whole(0..<60)?.onset == 10)
        }
    }

    @Test func ofATableOnlyWhatIsAskedForIsComputed() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            let beats = (0..<500).map { index in
                Beat(onset: 0.9 * Double(index) + (index % 9 == 4 ? 0.3 : 0), sample: index, followsBreak: index == 0)
            }
            try TSV.write(CardiacTables.beats(beats), to: url)
            let alone = try CardiacReading.result(of: url, computing: [.intervals, .rhythm])
            let whole = try CardiacReading.result(of: url, computing: [.hrv, .rhythm])
            #expect(alone.windows.isEmpty && !whole.windows.isEmpty)
            #expect(!alone.corrections.isEmpty && alone.corrections == whole.corrections)
            #expect(alone.intervals == whole.intervals && alone.nn == whole.nn && alone.rhythm == whole.rhythm)
        }
    }

    @Test func rowsToldOneByOneReadAsTheSameCellsInMemory() {
        var random = SplitMix64(seed: 5)
        var onset = 0.0
        let beats = (0..<3_000).map { index in
            onset += Double.random(in: 0.2...3, using: &random)
            return Beat(
                onset: onset, sample: Int(onset * 64),
                confidence: index % 7 == 0 ? .nan : index % 11 == 0 ? 1 : Float.random(in: 0...1, using: &random),
                followsBreak: index % 90 == 0, foot: index % 5 == 0 ? nil : onset - 0.12,
                lead: index % 3 == 0 ? nil : index % 2)
        }
        for (pulses, leads) in [(false, []), (true, []), (false, ["MLII", "V5"])] {
            let rows = CardiacTables.beats(beats, pulses: pulses, leads: leads)
            let table = Table(rows)
            #expect(table.rows.count == beats.count && table.rows.allSatisfy { $0.count == rows.columns.count })
            var text: [UInt8] = []
            TSV.appendHeader(table.columns, to: &text)
            for row in table.rows { TSV.append(row, to: &text) }
            #expect(TSV.encode(rows) == text)
            #expect(TSV.encode(table) == text)
        }
    }

    @Test func aTableOfRecordedIntervalsGivesThemBackExactly() throws {
        var series = IBISeries()
        let durations = [0.609403, 0.8, 0.799804688, 1.015625, 0.66, 0.7]
        let ends = [10.609403, 11.409403, 12.209207688, 20.0, 20.66, 20.7]
        let intervals = zip(ends, durations).compactMap { series.next(endingAt: $0, duration: $1) }
        #expect(intervals.map(\.isContiguous) == [false, true, true, false, true, false])
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            try TSV.write(CardiacTables.beats(between: intervals), to: url)
            let again = try BeatsTable.read(url)
            #expect(again.intervals.map(\.duration) == intervals.map(\.duration))
            #expect(again.intervals == intervals)
        }
    }

    @Test(arguments: [
        ("onset\tibi\n1\tn/a\nn/a\t0.8\n", "line 3"), ("onset\tibi\n2\tn/a\n1\t0.8\n", "line 3"),
        ("time\tibi\n1\t2\n", "onset"), ("onset\tibi\nx\ty\n", "line 2"),
    ])
    func whatIsNoTableOfBeatsIsRefused(text: String, expected: String) throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            try Data(text.utf8).write(to: url)
            #expect { _ = try BeatsTable.read(url) } throws: { "\($0)".contains(expected) }
        }
    }
}
