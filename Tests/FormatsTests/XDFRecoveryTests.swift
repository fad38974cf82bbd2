import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct XDFRecoveryTests {
    private static let frames = (0..<20).map { [Float($0), Float(-$0)] }

    private static func file(_ chunks: Int) -> [UInt8] {
        (0..<chunks).reduce(XDFFixture.head + XDFFixture.header(1)) { file, chunk in
            file + XDFFixture.samples(1, at: 1 + Double(chunk) * 0.2, frames) + XDFFixture.boundary
        }
    }

    /// Wherever a file is cut off (at every third byte): the repair holds all that could be read, is whole, and repairing it again does nothing.
    @Test func repairsAnyTear() throws {
        let folder = try TemporaryFolder()
        let file = Self.file(3)
        let start = (XDFFixture.head + XDFFixture.header(1)).count
        let target = folder.url.appendingPathComponent("b.xdf")
        for length in stride(from: start, to: file.count, by: 3) {
            let torn = try folder.file("a.xdf", Array(file[..<length]))
            let report = try XDFRecovery.repair(torn, to: target)
            #expect(!report.isIntact && report.lostBytes == report.damage.reduce(0) { $0 + $1.count })
            let again = try XDFRecovery.inspect(target)
            #expect(
                again.isIntact && again.lostBytes == 0 && again.streams.map(\.frames) == report.streams.map(\.frames))
            let other = folder.url.appendingPathComponent("c.xdf")
            #expect(try XDFRecovery.repair(target, to: other).isIntact)
            #expect(!FileManager.default.fileExists(atPath: other.path))
        }
    }

    @Test func saysWhatWasLost() throws {
        let folder = try TemporaryFolder()
        var file = Self.file(6)
        let chunk = XDFFixture.samples(1, at: 0, Self.frames).count + XDFFixture.boundary.count
        let start = (XDFFixture.head + XDFFixture.header(1)).count
        // One chunk destroyed, and the end torn off in the midst of the last.
        file.replaceSubrange(start + chunk..<start + chunk + 40, with: [UInt8](repeating: 0, count: 40))
        file.removeLast(60)
        let report = try XDFRecovery.inspect(try folder.file("a.xdf", file))
        #expect(!report.isClosed && report.damage.count == 2 && report.damage.map(\.isTail) == [false, true])
        let stream = try #require(report.streams.first)
        #expect(stream.frames == 80 && stream.tornFrames == 20)
        #expect(abs(stream.lostSeconds - 0.4) < 0.011, "\(stream.lostSeconds)")
    }

    @Test func whatIsNoXDFIsRefused() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.xdf", "hello")
        #expect(formatError { try XDFRecovery.inspect(file) } != nil)
    }
}
