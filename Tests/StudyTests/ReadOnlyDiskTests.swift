import Foundation
import Signals
import Study
import TestSupport
import Testing

/// The bookkeeping of a study on a disk that can only be read, such as an archive.
@Suite struct ReadOnlyDiskTests {
    private let now = Timestamp(year: 2026, month: 3, day: 1)

    private func study(in folder: URL) throws -> StudyFolder {
        // A name that means something in an address.
        try StudyFolder.create(at: folder.appendingPathComponent("50% of #1?"), name: "s", version: "1")
    }

    private func register(_ participant: String, in study: StudyFolder) throws {
        try Bookkeeping(study).noteCalibration(
            CalibrationEntry(
                participant: participant, prediction: "enjoyment", time: now, action: "register", status: 0,
                cause: "test",
                who: "me"))
    }

    @Test("is read, and nothing is left beside it")
    func isRead() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            try register("01", in: study)
            let files = try FileManager.default.contentsOfDirectory(atPath: study.root.path + "/.marey").sorted()
            let bytes = try Data(contentsOf: study.database)
            let bookkeeping = try Bookkeeping(study, isOnReadOnlyDisk: true)
            #expect(try bookkeeping.participants() == ["01"])
            #expect(try bookkeeping.calibrations().map(\.action) == ["register"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: study.root.path + "/.marey").sorted() == files)
            #expect(try Data(contentsOf: study.database) == bytes)
        }
    }

    @Test("is not changed, which is told with what to do")
    func isNotChanged() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            try register("01", in: study)
            let bookkeeping = try Bookkeeping(study, isOnReadOnlyDisk: true)
            #expect { try bookkeeping.addParticipant("02", at: now) } throws: {
                "\($0)".contains("copy the study to a disk that can be written")
            }
            #expect(try bookkeeping.participants() == ["01"])
        }
    }

    @Test("is not read where changes wait beside it, which would not be seen")
    func changesWait() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            try register("01", in: study)
            let writer = try Bookkeeping(study)
            try writer.addParticipant("02", at: now)
            #expect { try Bookkeeping(study, isOnReadOnlyDisk: true) } throws: {
                "\($0)".contains("its latest changes wait beside it")
                    && "\($0)".contains("end the program that uses it")
            }
            #expect(try writer.participants() == ["01", "02"])
        }
    }

    @Test("is told to be missing where there is none")
    func isMissing() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            try? FileManager.default.removeItem(at: study.database)
            #expect(throws: StudyError.self) { try Bookkeeping(study, isOnReadOnlyDisk: true).participants() }
        }
    }
}
