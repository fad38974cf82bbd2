import Foundation
import Study
import TestSupport
import Testing
import Upload

/// Copies that are compared again after they arrived.
@Suite(.enabled(if: WebDAVServer.isPossible, "rclone or python3 is not installed"), .timeLimit(.minutes(2)))
struct VerifyTests {
    /// What becomes of a copy after it arrived.
    enum Harm: CaseIterable { case none, byte, cut, longer, another, gone }

    private static func harm(_ file: URL, _ harm: Harm) throws {
        var bytes = try Data(contentsOf: file)
        switch harm {
        case .none: return
        // As long as before, and its times are set back: nothing but its content tells.
        case .byte: bytes[bytes.count / 2] ^= 1
        case .cut: bytes.removeLast(bytes.count / 3)
        case .longer: bytes += Data("x".utf8)
        case .another: bytes = Data("another".utf8)
        case .gone: return try FileManager.default.removeItem(at: file)
        }
        let times = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.modificationDate: times as Any], ofItemAtPath: file.path)
    }

    @Test(
        "a copy that was harmed after it arrived is found, named and sent again; one that was not is left alone",
        arguments: Harm.allCases, [true, false])
    func harmed(harm: Harm, isFolder: Bool) throws {
        try withTemporaryFolder { folder in
            let fixture = try UploadTests.Fixture(in: folder)
            let server = isFolder ? nil : try WebDAVServer(folder.appendingPathComponent("remote"))
            let there = server?.folder ?? folder.appendingPathComponent("disk")
            let remote = server.map { $0.remote + "lab" } ?? there.appendingPathComponent("lab").path
            let uploader = try fixture.uploader()
            try uploader.queueFinishedRuns(to: remote)
            #expect(try uploader.sendAll().map(\.status) == [.done, .done])
            let copy = there.appendingPathComponent("lab/" + fixture.file)
            let original = try fixture.data(fixture.file, in: fixture.study.root)
            try Self.harm(copy, harm)
            // Nothing else notices.
            #expect(try uploader.queueFinishedRuns(to: remote, ignoringTimes: true) == 0)
            let comparison = try uploader.verifyArrived(at: remote)
            #expect(comparison.count == 2 && comparison.failures.isEmpty)
            #expect(comparison.missing == (harm == .gone ? [fixture.file] : []))
            #expect(comparison.different == ([.none, .gone].contains(harm) ? [] : [fixture.file]))
            let sent = try uploader.sendAll()
            #expect(
                sent.map(\.file) == (harm == .none ? [] : [fixture.file]) && sent.allSatisfy { $0.status == .done },
                "\(sent)")
            #expect(try Data(contentsOf: copy) == original)
            let again = try uploader.verifyArrived(at: remote)
            #expect(again.equal.values.reduce(0, +) == 2 && again.different.isEmpty && again.missing.isEmpty)
        }
    }

    @Test("where the original is gone, or the storage cannot be reached, that is told and nothing is sent")
    func unreadable() throws {
        try withTemporaryFolder { folder in
            let fixture = try UploadTests.Fixture(in: folder)
            let remote = folder.appendingPathComponent("disk").path
            let uploader = try fixture.uploader()
            try uploader.queueFinishedRuns(to: remote)
            try uploader.sendAll()
            try FileManager.default.removeItem(at: fixture.study.root.appendingPathComponent(fixture.file))
            let comparison = try uploader.verifyArrived(at: remote)
            #expect(Array(comparison.failures.keys) == [fixture.file] && comparison.count == 2)
            #expect(try uploader.sendAll().isEmpty)
        }
    }
}
