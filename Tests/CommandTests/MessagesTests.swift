import Foundation
import TestSupport
import Testing

/// What becomes of work whose messages nobody can read.
@Suite struct MessagesTests {
    @Test("Messages that cannot be written, as on a full disk or to a terminal that was closed, end no work")
    func messagesThatCannotBeWrittenEndNoWork() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("rest.rr")
            try String(repeating: "812\n790\n801\n", count: 200).write(to: file, atomically: true, encoding: .utf8)
            let table = folder.appendingPathComponent("table.tsv")
            _ = FileManager.default.createFile(atPath: table.path, contents: nil)
            let process = Process()
            process.executableURL = Program.url
            process.arguments = ["hrv", file.path, "--window", "whole"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = try FileHandle(forWritingTo: table)
            process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
            #expect(try String(contentsOf: table, encoding: .utf8).split(separator: "\n").count == 2)
        }
    }
}
