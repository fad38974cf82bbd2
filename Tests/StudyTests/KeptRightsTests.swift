import Foundation
import Study
import TestSupport
import Testing

/// Who may read and write the list of participants may still when a line of it has come or gone.
struct KeptRightsTests {
    private static func study(in folder: URL, mode: Int) throws -> StudyFolder {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: study.participants.path)
        return study
    }

    @Test(arguments: [0o660, 0o640, 0o600])
    func theModeStays(mode: Int) throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder, mode: mode)
            func found() throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: study.participants.path)[.posixPermissions] as? Int
            }
            for label in ["01", "02"] { try study.enroll(subject: label) }
            #expect(try found() == mode)
            _ = try study.erase("01")
            #expect(try found() == mode)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func ownerAndGroupStay() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder, mode: 0o660)
            try #require(chown(study.participants.path, 12_345, 12_346) == 0)
            try study.enroll(subject: "01")
            let found = try FileManager.default.attributesOfItem(atPath: study.participants.path)
            #expect(found[.ownerAccountID] as? Int == 12_345 && found[.groupOwnerAccountID] as? Int == 12_346)
            #expect(found[.posixPermissions] as? Int == 0o660)
        }
    }
}
