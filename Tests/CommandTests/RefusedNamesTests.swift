import Foundation
import TestSupport
import Testing

/// Recordings of a cohort whose names cannot be right.
struct RefusedNamesTests {
    @Test(arguments: [
        ("sub-02/ses-1/ecg/sub-02_ses-2_task-rest_ecg.edf", "sub-02_ses-2_task-rest_ecg.edf: left out", "session 2"),
        ("sub-02/ses-1/ecg/sub-02_ses-1_task-re\tst_ecg.edf", "task-re\\tst_ecg.edf: left out", "control character"),
    ])
    func oneIsLeftOutByNameAndTheOthersAreComputed(path: String, name: String, reason: String) throws {
        try withTemporaryFolder { folder in
            let data = folder.appendingPathComponent("data")
            try Program.run("simulate", "s.edf", "--duration", "60", "--streams", "ecg", in: folder)
            for path in ["sub-01/ses-1/ecg/sub-01_ses-1_task-rest_ecg.edf", path] {
                let file = data.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: folder.appendingPathComponent("s.edf"), to: file)
            }
            try Data("{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}".utf8)
                .write(to: data.appendingPathComponent("dataset_description.json"))
            let outcome = try Program.run("batch", "data", "out", "participant", "--then-group", in: folder)
            #expect(outcome.status == 1 && outcome.output.contains("1 done"), "\(outcome.output)\(outcome.messages)")
            for words in [name, reason, "1 of 2 inputs failed"] {
                #expect(outcome.messages.contains(words), "\(outcome.messages)")
            }
            #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent("out/group/report.html").path))
            // It is nobody's concern who asks for another person.
            let other = try Program.run(
                "batch", "data", "out", "participant", "--participant-label", "01", in: folder)
            #expect(other.status == 0 && !other.messages.contains("left out"), "\(other.messages)")
            let alone = try Program.run(
                "batch", "data", "out", "participant", "--participant-label", "02", in: folder)
            #expect(alone.status == 3 && alone.messages.contains(name), "\(alone.messages)")
        }
    }
}
