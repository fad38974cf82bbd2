import Foundation
import TestSupport
import Testing

/// What the command line says of a data set before any work.
@Suite struct DatasetWarningsTests {
    @Test func whatADataSetHasBesideItsRecordingsIsToldAndAnalyzePointsToTheBatch() throws {
        try withTemporaryFolder { folder in
            let place = folder.appendingPathComponent("data/sub-01/ecg")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Program.run(
                "simulate", "sub-01_task-rest_ecg.edf", "--duration", "30", "--streams", "ecg", in: place)
            try Data(BIDSFolder.description.utf8)
                .write(to: folder.appendingPathComponent("data/dataset_description.json"))
            try Data("x".utf8).write(to: folder.appendingPathComponent("data/sub-01/ecg/raw.edf"))
            try Data("participant_id\nsub-01\nsub-07\n".utf8)
                .write(to: folder.appendingPathComponent("data/participants.tsv"))
            let all = try Program.run("batch", "data", "out", "participant", "--dry-run", in: folder)
            #expect(all.status == 0 && all.messages.contains(": sub-01/ecg/raw.edf"), "\(all.messages)")
            #expect(all.messages.contains("data: 1 person in participants.tsv has no recording: sub-07"))
            let one = try Program.run(
                "batch", "data", "out", "participant", "--participant-label", "01", "--dry-run", in: folder)
            #expect(one.status == 0 && !one.messages.contains("raw.edf"), "\(one.messages)")
            let analyze = try Program.run("analyze", "data", in: folder)
            #expect(analyze.status == 3 && analyze.messages.contains("marey batch data RESULTS participant"))
        }
    }
}
