import Cohort
import Foundation
import TestSupport
import Testing

/// What an export as BIDS tells of people.
struct ExportedParticipantsTests {
    /// Three people with results, and the files about people that lie beside their recordings.
    private static func export(_ files: [String: String], in folder: URL) throws -> (
        text: (String) -> String?, told: [String]
    ) {
        let cohort = try IntervalCohort(in: folder)
        for person in 1...3 { try cohort.add("0\(person)_1_rest", 60 + Double(person)) }
        for (name, text) in files { try cohort.write(text, to: name) }
        try cohort.compute()
        let target = folder.appendingPathComponent("bids")
        var told: [String] = []
        _ = try BIDSExport(cohort.batch, to: target).write(warn: { told.append($0) })
        return ({ try? String(contentsOf: target.appendingPathComponent($0), encoding: .utf8) }, told)
    }

    @Test func whatTheDataSetSaysOfThemIsTakenOver() throws {
        try withTemporaryFolder { folder in
            let json = "{\"age\": {\"Units\": \"year\"}, \"code\": {\"Levels\": {\"007\": \"agent\"}}}\n"
            let (text, told) = try Self.export(
                [
                    "participants.tsv":
                        "participant_id\tcode\tage\nsub-09\t1\t2\nsub-02\t007\t31.50\nsub-01\tn/a\tzwölf\n",
                    "participants.json": json,
                ], in: folder)
            #expect(
                text("participants.tsv")
                    == "participant_id\tcode\tage\nsub-01\tn/a\tzwölf\nsub-02\t007\t31.50\nsub-03\tn/a\tn/a\n")
            #expect(text("participants.json") == json && told.isEmpty, "\(told)")
        }
    }

    @Test func filesThatCannotBeUsedAreToldAndLeftOut() throws {
        try withTemporaryFolder { folder in
            let (text, told) = try Self.export(
                ["participants.tsv": "name\nx\n", "participants.json": "{}"], in: folder)
            #expect(text("participants.tsv") == "participant_id\nsub-01\nsub-02\nsub-03\n")
            #expect(text("participants.json") == nil)
            #expect(told.count == 1 && told[0].contains("participants.tsv") && told[0].contains("participant_id"))
        }
        try withTemporaryFolder { folder in
            let (text, told) = try Self.export(
                ["participants.tsv": "participant_id\tsex\nsub-02\tf\n", "participants.json": "["], in: folder)
            #expect(text("participants.tsv") == "participant_id\tsex\nsub-01\tn/a\nsub-02\tf\nsub-03\tn/a\n")
            #expect(text("participants.json") == nil && told.count == 1 && told[0].contains("participants.json"))
        }
    }

    @Test func theReadMeIsLongEnoughForTheValidator() throws {
        try withTemporaryFolder { folder in
            let (text, told) = try Self.export([:], in: folder)
            // BIDS schema, README_FILE_SMALL.
            #expect((text("README.md")?.utf8.count ?? 0) > 150 && told.isEmpty)
            #expect(text("participants.tsv") == "participant_id\nsub-01\nsub-02\nsub-03\n")
        }
    }
}
