import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Boundary chunks that hold more than their mark: those of the TMSi SAGA program have four bytes before it.
@Suite struct XDFBoundaryTests {
    private static let mark = Array(XDFFixture.boundary.dropFirst(4))
    private static let frames = (0..<10).map { [Float($0), 0] }

    private static func boundary(_ before: Int, _ after: Int) -> [UInt8] {
        let own = [UInt8](repeating: 1, count: max(before, after))
        return XDFFixture.chunk(5, Array(own.prefix(before)) + mark + Array(own.prefix(after)))
    }

    private static let start = XDFFixture.head + XDFFixture.header(1)

    /// A closed file of six chunks of ten frames, each followed by such a boundary chunk.
    private static func file(_ boundary: [UInt8]) -> [UInt8] {
        let chunks = (0..<6).flatMap { XDFFixture.samples(1, at: 1 + Double($0) * 0.1, frames) + boundary }
        let footer = Array("<info><sample_count>60</sample_count></info>".utf8)
        return start + chunks + XDFFixture.chunk(6, [1, 0, 0, 0] + footer)
    }

    @Test(
        "a boundary chunk with bytes of the program's own around its mark is no damage",
        arguments: [
            (4, 0), (0, 4), (300, 300), (0, 0),
        ])
    func bytesAroundTheMark(before: Int, after: Int) throws {
        let folder = try TemporaryFolder()
        let file = Self.file(Self.boundary(before, after))
        let report = try XDFRecovery.inspect(folder.file("a.xdf", file))
        #expect(report.isIntact && report.damage.isEmpty && report.streams.map(\.frames) == [60])
        let recording = try XDFFixture.read(file)
        #expect(recording.header.notes.isEmpty, "\(recording.header.notes)")
        #expect(recording.streams[0].segments.map(\.block.frameCount) == [60])
    }

    @Test("after damage reading goes on behind the mark in a longer boundary chunk")
    func readingGoesOnBehindTheMark() throws {
        let boundary = Self.boundary(4, 0)
        var file = Self.file(boundary)
        let place = Self.start.count + 2 * (XDFFixture.samples(1, at: 1, Self.frames).count + boundary.count)
        file.replaceSubrange(place..<place + 30, with: [UInt8](repeating: 0xEE, count: 30))
        let recording = try XDFFixture.read(file)
        #expect(recording.streams[0].segments.reduce(0) { $0 + $1.block.frameCount } == 50)
        #expect(recording.header.notes.contains { $0.contains("byte \(place)") }, "\(recording.header.notes)")
    }

    @Test("a longer boundary chunk whose mark is destroyed costs itself alone")
    func aDestroyedMark() throws {
        let folder = try TemporaryFolder()
        let boundary = Self.boundary(4, 0)
        var file = Self.file(boundary)
        let place = Self.start.count + XDFFixture.samples(1, at: 1, Self.frames).count
        file[place + 12] ^= 1
        let report = try XDFRecovery.inspect(folder.file("a.xdf", file))
        #expect(report.damage.map(\.offset) == [place] && report.lostBytes == boundary.count)
        #expect(report.streams.map(\.frames) == [60])
    }
}
