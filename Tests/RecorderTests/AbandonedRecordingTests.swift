import Foundation
import Recorder
import Synchronization
import TestSupport
import Testing

/// A file on a disk that is full for what comes from now on.
private final class FilledDisk: RecordingDisk {
    private let file: RecordingFileOnDisk
    private let isFull = Mutex(false)

    init(_ url: URL) throws { file = try RecordingFileOnDisk(url) }

    func fill() { isFull.withLock { $0 = true } }

    func append(_ bytes: [UInt8]) throws {
        guard !isFull.withLock({ $0 }) else { throw RecorderError.diskFull(file: "disk") }
        try file.append(bytes)
    }

    func sync() throws { try file.sync() }
    var freeBytes: Int? { file.freeBytes }
    func close() { file.close() }
}

@Suite struct AbandonedRecordingTests {
    /// Whether this process has a file open, and with it the lock on it.
    private static func isOpen(_ file: URL) throws -> Bool {
        let wanted = file.resolvingSymlinksInPath().path
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == wanted
        }
    }

    @Test func `a recording whose end a full disk refused is let go with its recorder, for whoever repairs it`() throws
    {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.xdf")
            var session = Recorder.Session(url: url, software: "test")
            session.hasSidecar = false
            func abandon() throws {
                let disk = try FilledDisk(url)
                let recorder = try Recorder(session, clock: ManualClock(), disk: disk, writesByItself: false)
                disk.fill()
                #expect(throws: RecorderError.diskFull(file: "disk")) { try recorder.close() }
                // As long as somebody may still make room.
                #expect(try Self.isOpen(url))
                withExtendedLifetime(recorder) {}
            }
            try abandon()
            #expect(try !Self.isOpen(url))
        }
    }
}
