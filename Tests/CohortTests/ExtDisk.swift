import Foundation
import TestSupport

/// A small ext4 of its own, for those who may mount one.
enum ExtDisk {
    static let isPossible: Bool = {
        guard (try? with(journal: true, { folder in try attributes(of: folder) })) != nil else {
            print("skipped: a disk of its own: needs root, mkfs.ext4, lsattr and a loop device")
            return false
        }
        return true
    }()

    /// Makes one, and takes it away again when `body` is through.
    static func with<Result>(journal: Bool, _ body: (URL) throws -> Result) throws -> Result {
        try withTemporaryFolder { folder in
            let (image, root) = (folder.appendingPathComponent("image"), folder.appendingPathComponent("disk"))
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            _ = try run("truncate", "-s", "16M", image.path)
            _ = try run("mkfs.ext4", "-q", "-F", "-O", journal ? "has_journal" : "^has_journal", image.path)
            _ = try run("mount", "-o", "loop", image.path, root.path)
            defer { _ = try? run("umount", root.path) }
            return try body(root)
        }
    }

    /// The letters that `lsattr` shows of a folder.
    static func attributes(of folder: URL) throws -> Set<Character> {
        Set(try run("lsattr", "-d", folder.path).prefix { $0 != " " }).subtracting("-")
    }

    /// Sets a letter.
    static func set(_ letter: Character, of folder: URL) throws {
        _ = try run("chattr", "+\(letter)", folder.path)
    }

    private struct Failure: Error {
        var command: [String]
        var status: Int32
    }

    private static func run(_ command: String...) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + command
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(command: command, status: process.terminationStatus)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
