import Devices
import Formats
import Foundation
import TestSupport
import Testing

/// A raw log on a disk that is full for a while.
@Suite struct FullLogTests {
    /// The descriptor with which this process writes a file.
    private static func descriptor(of file: URL) throws -> CInt {
        let wanted = file.resolvingSymlinksInPath().path
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
        return try #require(
            all.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == wanted
            })
    }

    /// Whatever is written with a descriptor from now on goes to `/dev/full`, which refuses it.
    /// - Returns: a descriptor of what it was, for `makeRoom`.
    private static func fill(_ descriptor: CInt) throws -> CInt {
        let kept = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        try #require(kept >= 0 && dup2(full, descriptor) == descriptor)
        return kept
    }

    /// The file is written again with the descriptor.
    private static func makeRoom(_ descriptor: CInt, _ kept: CInt) throws {
        try #require(dup2(kept, descriptor) == descriptor)
        close(kept)
    }

    private static func message(_ number: UInt8) -> ByteLogEntry {
        ByteLogEntry(
            .received([UInt8](repeating: number, count: 40_000), from: .stream), at: 1_000 + Double(number))
    }

    private static func read(_ url: URL) throws -> (entries: [ByteLogEntry], lost: Int) {
        let reader = try ByteLogReader(url)
        var entries: [ByteLogEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return (entries, reader.lostBytes)
    }

    private static func begin(_ url: URL) throws -> ByteLogWriter {
        let header = ByteLogHeader(device: "kardia", place: "x", clock: SystemClock())
        return try ByteLogWriter(url, header: header, mostWaiting: 100_000)
    }

    @Test func `what waited on a full disk is written when there is room again`() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            let writer = try Self.begin(url)
            let descriptor = try Self.descriptor(of: url)
            let kept = try Self.fill(descriptor)
            for number in UInt8(1)...3 { try? writer.append(Self.message(number)) }
            try Self.makeRoom(descriptor, kept)
            try writer.append(Self.message(4))
            try writer.close()
            let back = try Self.read(url)
            #expect(back.entries == (UInt8(1)...4).map(Self.message) && back.lost == 0)
        }
    }

    @Test func `a log that is refused for too long has no hole: it ends, and tells at its close how much is missing`()
        throws
    {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            let writer = try Self.begin(url)
            let descriptor = try Self.descriptor(of: url)
            let kept = try Self.fill(descriptor)
            for number in UInt8(1)...5 { try? writer.append(Self.message(number)) }
            try Self.makeRoom(descriptor, kept)
            #expect(throws: FormatError.self) { try writer.append(Self.message(6)) }
            let error = #expect(throws: FormatError.self) { try writer.close() }
            // Three messages of 40 000 bytes with 20 bytes around each.
            #expect(
                error?.problem.contains("its last 120060 bytes are missing") == true, "\(String(describing: error))")
            let back = try Self.read(url)
            #expect(back.entries == (UInt8(1)...3).map(Self.message) && back.lost == 0)
        }
    }

    @Test func `a log that is closed while the disk is full tells how much is missing`() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            let writer = try Self.begin(url)
            let kept = try Self.fill(Self.descriptor(of: url))
            defer { close(kept) }
            try writer.append(Self.message(1))
            let error = #expect(throws: FormatError.self) { try writer.close() }
            #expect(error?.problem.contains("its last 40020 bytes are missing") == true, "\(String(describing: error))")
        }
    }
}
