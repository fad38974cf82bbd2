import Formats
import Foundation
import TestSupport
import Testing

/// Files that appear together or not at all.
struct AwaitingFilesTests {
    private struct Stopped: Error {}

    @Test func filesThatBelongTogetherAppearTogetherOrNotAtAll() throws {
        try withTemporaryFolder { (folder: URL) throws in
            let places = ["a", "b"].map { folder.appendingPathComponent($0) }
            for place in places { try writeAtomically(Array("old".utf8), to: place) }
            func texts() throws -> [String] { try places.map { try String(contentsOf: $0, encoding: .utf8) } }
            #expect(throws: Stopped.self) {
                try AtomicFile.allOrNone { () throws -> Void in
                    try writeAtomically(Array("new".utf8), to: places[0])
                    throw Stopped()
                }
            }
            #expect(try texts() == ["old", "old"])
            try AtomicFile.allOrNone { () throws -> Void in
                try writeAtomically(Array("new".utf8), to: places[0])
                #expect(try texts() == ["old", "old"])
                // Within others these wait for them.
                try AtomicFile.allOrNone { try writeAtomically(Array("new".utf8), to: places[1]) }
                #expect(try texts() == ["old", "old"])
            }
            #expect(try texts() == ["new", "new"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "b"])
        }
    }
}
