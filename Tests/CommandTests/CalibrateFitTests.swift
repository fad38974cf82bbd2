import Foundation
import TestSupport
import Testing

/// Blocks that `marey calibrate fit` is told of by an events table.
struct CalibrateFitTests {
    /// Four minutes of EEG in `folder`, a study, and an events table of blocks in turn; returns the recording's path.
    private func recording(durations: String, in folder: URL) throws -> String {
        try Program.run(
            "simulate", "cohort", "data", "--participants", "1", "--sessions", "1", "--tasks", "rest", "--duration",
            "250", "--signals", "eeg", "--no-faults", in: folder)
        try Program.run("study", "init", "s", in: folder)
        let rows = (0..<12).map { "\(20 * $0)\t\(durations)\t\($0 % 2 == 0 ? "rest" : "task")" }
        try Data((["onset\tduration\ttrial_type"] + rows).joined(separator: "\n").utf8)
            .write(to: folder.appendingPathComponent("events.tsv"))
        return "data/sub-01/ses-1/eeg/sub-01_ses-1_task-rest_eeg.edf"
    }

    private func fit(_ recording: String, low: String = "rest", _ more: String..., in folder: URL) throws
        -> Program.Outcome
    {
        try Program.run(
            ["calibrate", "fit", "s", "--subject", "01", "--prediction", "cognitiveWorkload", recording, "--events"]
                + ["events.tsv", "--low", low, "--high", "task"] + more, in: folder)
    }

    @Test func aNameThatNoBlockHasIsRefusedAndNothingIsNoted() throws {
        try withTemporaryFolder { folder in
            let recording = try recording(durations: "20", in: folder)
            let slip = try fit(recording, low: "rset", in: folder)
            #expect(slip.status == 2 && slip.messages.contains("no block is called rset; there are: rest, task"))
            #expect(try Program.run("calibrate", "status", "s", "--subject", "01", in: folder).status == 2)
        }
    }

    @Test(arguments: [
        ("1", "hold 0 epochs"), ("3", "6 blocks of the low state hold 18 epochs of EEG, at least 40 are needed"),
        ("2.5", "blocks last 2.5 s, of which the first 0.25 s are left out, an epoch 2 s"),
    ])
    func blocksThatAreTooShortAreToldWithWhatTheyHoldAndNothingIsNoted(length: String, words: String) throws {
        try withTemporaryFolder { folder in
            let outcome = try fit(recording(durations: "n/a", in: folder), "--block", length, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains(words), "\(outcome.messages)")
            #expect(outcome.messages.contains("longer blocks") && !outcome.messages.contains("electrodes"))
            #expect(try Program.run("calibrate", "status", "s", "--subject", "01", in: folder).status == 2)
        }
    }

    @Test func blocksElsewhereThanTheEEGAreToldWithBothPlaces() throws {
        try withTemporaryFolder { folder in
            let recording = try recording(durations: "20", in: folder)
            let rows = (0..<12).map { "\(1_000 + 20 * $0)\t20\t\($0 % 2 == 0 ? "rest" : "task")" }
            try Data((["onset\tduration\ttrial_type"] + rows).joined(separator: "\n").utf8)
                .write(to: folder.appendingPathComponent("events.tsv"))
            let outcome = try fit(recording, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("lie at 1000 to 1220 s, its epochs at 0 to 251 s"))
        }
    }

    @Test func rowsWithoutADurationAreTold() throws {
        try withTemporaryFolder { folder in
            let recording = try recording(durations: "20", in: folder)
            let file = folder.appendingPathComponent("events.tsv")
            let text = try String(contentsOf: file, encoding: .utf8).replacing("\n40\t20\t", with: "\n40\tn/a\t")
            try Data(text.utf8).write(to: file)
            let outcome = try fit(recording, in: folder)
            #expect(outcome.messages.contains("1 of 12 rows or markers of the blocks have no duration"), "\(outcome)")
        }
    }

    @Test func aModelThatCouldNotEvenBeFittedIsToldAsJSONToo() throws {
        struct Card: Decodable {
            struct Fitted: Decodable { var verdict: [String: [String: String]] }
            var fitted: Fitted
        }
        try withTemporaryFolder { folder in
            let recording = try recording(durations: "20", in: folder)
            let rows = (0..<6).map { "\(40 * $0)\t20\t\($0 % 2 == 0 ? "rest" : "task")" }
            try Data((["onset\tduration\ttrial_type"] + rows).joined(separator: "\n").utf8)
                .write(to: folder.appendingPathComponent("events.tsv"))
            let outcome = try fit(recording, low: "rest", "--json", in: folder)
            #expect(outcome.status == 1 && outcome.messages.contains("5 are needed"), "\(outcome)")
            let card = try JSONDecoder().decode(Card.self, from: Data(outcome.output.utf8))
            let reason = try #require(card.fitted.verdict["refused"]?["_0"])
            #expect(outcome.messages.contains(reason))
        }
    }

    @Test func markersWithoutDurationBeginBlocksOfTheLengthThatIsSaid() throws {
        struct Card: Decodable {
            struct Block: Decodable {
                var state: String
                var time: [Double]
            }
            struct File: Decodable { var file: String }
            var blocks: [Block]
            var labels: File
        }
        try withTemporaryFolder { folder in
            let recording = try recording(durations: "n/a", in: folder)
            let without = try fit(recording, in: folder)
            #expect(without.status == 2 && without.messages.contains("--block"))
            for (length, end) in [("18", 38.0), ("60", 40)] {
                // Whether a model comes of it does not matter here.
                let output = try fit(recording, "--block", length, "--json", in: folder).output
                let card = try JSONDecoder().decode(Card.self, from: Data(output.utf8))
                #expect(card.labels.file == "events.tsv")
                #expect(card.blocks.map(\.state) == (0..<12).map { $0 % 2 == 0 ? "low" : "high" })
                #expect(card.blocks[1].time == [20, end])
            }
        }
    }
}
