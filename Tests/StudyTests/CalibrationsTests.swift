import Foundation
import Signals
import Study
import TestSupport
import Testing

@Suite struct CalibrationsTests {
    @Test("a participant's changes and models are kept in order, and outlive the program")
    func kept() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            let now = Timestamp(year: 2026, month: 3, day: 1)
            func entry(_ subject: String, _ action: String, _ status: Int) -> CalibrationEntry {
                CalibrationEntry(
                    participant: subject, prediction: "enjoyment", time: now, action: action, status: status,
                    cause: "test", who: "me")
            }
            let entries = [entry("01", "register", 0), entry("02", "register", 0), entry("01", "complete", 1)]
            do {
                let bookkeeping = try Bookkeeping(study)
                for entry in entries { try bookkeeping.noteCalibration(entry) }
                for file in ["a.json", "b.json"] {
                    try bookkeeping.noteModel(
                        participant: "01", prediction: "enjoyment", file: file, sha256: "00", version: "1", at: now)
                }
            }
            let bookkeeping = try Bookkeeping(study)
            #expect(try bookkeeping.calibrations() == entries)
            #expect(try bookkeeping.calibrations(of: "01") == [entries[0], entries[2]])
            #expect(try bookkeeping.participants() == ["01", "02"])
            #expect(try bookkeeping.latestModel(participant: "01", prediction: "enjoyment")?.file == "b.json")
            #expect(try bookkeeping.latestModel(participant: "02", prediction: "enjoyment") == nil)
        }
    }

    @Test("changes made at once follow from one another, and one that is thought better of leaves nothing")
    func atOnce() throws {
        struct Refusal: Error {}
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            let now = Timestamp(year: 2026, month: 3, day: 1)
            let all = try (0..<6).map { _ in try Bookkeeping(study) }
            DispatchQueue.concurrentPerform(iterations: 6) { index in
                try? all[index].noteCalibration(of: "01") { earlier in
                    [
                        CalibrationEntry(
                            participant: "01", prediction: "enjoyment", time: now, action: "register",
                            status: earlier.count, cause: "test", who: "me")
                    ]
                }
            }
            #expect(try all[0].calibrations().map(\.status) == Array(0..<6))
            #expect(throws: Refusal.self) { try all[0].noteCalibration(of: "02") { _ in throw Refusal() } }
            #expect(try all[0].participants() == ["01"])
        }
    }
}
