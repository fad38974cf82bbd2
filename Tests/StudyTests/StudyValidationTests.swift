import Foundation
import Signals
import Study
import TestSupport
import Testing

struct StudyValidationTests {
    private let now = Timestamp(secondsSince1970: 1_700_000_000)

    /// What is found after `damage` was done to a sound study with one run.
    private func findings(after damage: (StudyFolder) throws -> Void) throws -> [StudyFinding] {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            let file = "sourcedata/sub-01/sub-01_ecg.edf"
            let url = study.root.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("raw".utf8).write(to: url)
            try study.enroll(subject: "01")
            let name = try #require(RunName(subject: "01"))
            try Bookkeeping(study).noteRun(name, file: file, sha256: "raw", status: .finished, at: now)
            try damage(study)
            return try study.findings { try String(contentsOf: $0, encoding: .utf8) }
        }
    }

    @Test func aSoundStudyHasNoFindings() throws {
        #expect(try findings { _ in }.isEmpty)
    }

    @Test func changedRawDataIsAnError() throws {
        let found = try findings {
            try Data("edited".utf8).write(to: $0.root.appendingPathComponent("sourcedata/sub-01/sub-01_ecg.edf"))
        }
        #expect(found.map(\.severity) == [.error])
        #expect(found.first?.problem.contains("has changed") == true)
    }

    @Test func aMissingRecordingIsAnError() throws {
        let found = try findings {
            try FileManager.default.removeItem(at: $0.root.appendingPathComponent("sourcedata/sub-01/sub-01_ecg.edf"))
        }
        #expect(found.map(\.severity) == [.error])
    }

    @Test("a run whose program was stopped is told of, one that is being recorded is not")
    func interruptedRuns() throws {
        var descriptor: CInt = -1
        func found(locked: Bool) throws -> [StudyFinding] {
            defer { if descriptor >= 0 { close(descriptor) } }
            return try findings {
                let name = try #require(RunName(subject: "01"))
                let file = "sourcedata/sub-01/sub-01_ecg.edf"
                try Bookkeeping($0).noteRun(name, file: file, sha256: nil, status: .running, at: now)
                guard locked else { return }
                descriptor = open($0.root.appendingPathComponent(file).path, O_WRONLY)
                try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            }
        }
        #expect(try found(locked: false).map(\.severity) == [.warning])
        #expect(try found(locked: true).isEmpty)
    }

    @Test func unlistedAndRepeatedParticipantsAreFound() throws {
        let found = try findings {
            try Data("participant_id\nsub-02\nsub-02\nbob smith\n".utf8).write(to: $0.participants)
        }
        #expect(found.contains { $0.problem.contains("sub-02 more than once") })
        #expect(found.contains { $0.problem.contains("'bob smith'") })
        #expect(found.contains { $0.path == "sourcedata/sub-01" && $0.severity == .warning })
    }

    @Test func brokenDescriptionsAndLeftoversAreFound() throws {
        let found = try findings {
            try Data("{}".utf8).write(to: $0.root.appendingPathComponent("dataset_description.json"))
            try Data().write(to: $0.derivatives.appendingPathComponent(".x.tsv.17.4711.partial"))
        }
        #expect(found.filter { $0.problem.contains("lacks the field") }.count == 2)
        #expect(found.contains { $0.problem.contains("interrupted write") })
    }
}
