import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Streams whose header is destroyed: nothing says how to read their chunks, and pyxdf opens no file with them.
@Suite struct XDFHeaderlessTests {
    private static func offset(_ id: UInt8) -> [UInt8] {
        let (time, value) = (1.0, 0.5)
        return XDFFixture.chunk(4, [id, 0, 0, 0] + XDFFixture.bytes(time) + XDFFixture.bytes(value))
    }

    private static func footer(_ id: UInt8, _ count: Int) -> [UInt8] {
        let text = "<info><first_timestamp>1</first_timestamp><sample_count>\(count)</sample_count></info>"
        return XDFFixture.chunk(6, [id, 0, 0, 0] + Array(text.utf8))
    }

    /// A closed file of the streams `x` and `y` (number 2), two chunks of ten frames each, with this header of `y`.
    private static func file(_ second: [UInt8], before: [UInt8] = []) -> [UInt8] {
        var file = XDFFixture.head + XDFFixture.header(1) + before + second
        for chunk in 0..<2 {
            let stamp = 1 + Double(chunk) * 0.1
            file += XDFFixture.samples(1, at: stamp, (0..<10).map { [Float($0), 0] })
            file += XDFFixture.samples(2, at: stamp, (0..<10).map { [Float($0)] })
        }
        file += offset(1) + offset(2) + XDFFixture.boundary
        return file + footer(1, 20) + footer(2, 20)
    }

    private static let header = XDFFixture.header(2, name: "y", channels: 1)

    /// `header` with its first `text` replaced by as many bytes.
    private static func spoilt(_ text: String, _ other: String) throws -> [UInt8] {
        var bytes = header
        let place = try #require(bytes.firstRange(of: Array(text.utf8)))
        bytes.replaceSubrange(place, with: Array(other.utf8))
        return bytes
    }

    private static let changes = [
        ("<name>", "<name "), ("float32", "float3r"), ("100.0", "1x0.0"), ("count>1", "count>?"),
    ]

    @Test(
        "chunks of a stream whose header one changed byte spoilt are told and left out of the repair",
        arguments: changes
    )
    func aSpoiltHeader(text: String, other: String) throws {
        let folder = try TemporaryFolder()
        let url = try folder.file("a.xdf", Self.file(Self.spoilt(text, other)))
        let target = folder.url.appendingPathComponent("b.xdf")
        let report = try XDFRecovery.repair(url, to: target)
        #expect(!report.isIntact && report.damage.count == 1 && report.streams.map(\.name) == ["x"])
        // Two of samples, a clock offset, a footer.
        let lost = try #require(report.headerless.first)
        #expect(report.headerless.count == 1 && lost.stream == 2 && lost.chunks == 4 && lost.frames == 20)
        #expect(try XDFRecovery.inspect(url) == report)
        #expect(try XDFRecovery.inspect(target).isIntact)
        let notes = try XDFReader(url).header.notes
        #expect(notes.contains { $0.contains("4 chunks with 20 frames have no readable header") }, "\(notes)")
        #expect(try XDFReader(target).header.notes.isEmpty)
        guard OracleData.has("formats_xdf/cases.json") else { return }
        let read = try #require(try XDFOracle.load().read([target]).first)
        #expect(read.map(\.name) == ["x"] && read.map(\.count) == [20])
    }

    @Test("a header that can be read in spite of an error in its XML is written anew, so that others read it too")
    func aHeaderWithAnErrorInItsXML() throws {
        let folder = try TemporaryFolder()
        var header = XDFFixture.header(2, name: "y", channels: 1, desc: "<a>1</a>")
        let place = try #require(header.firstRange(of: Array("<a>".utf8)))
        header[place.lowerBound] = UInt8(ascii: ";")
        let url = try folder.file("a.xdf", Self.file(header))
        let target = folder.url.appendingPathComponent("b.xdf")
        let report = try XDFRecovery.repair(url, to: target)
        #expect(!report.isIntact && report.headerless.isEmpty && report.streams.map(\.frames) == [20, 20])
        #expect(report.notes.contains { $0.contains("the header of stream 2 is damaged") }, "\(report.notes)")
        #expect(try XDFRecovery.inspect(target).isIntact)
        guard OracleData.has("formats_xdf/cases.json") else { return }
        let read = try #require(try XDFOracle.load().read([target]).first)
        #expect(read.map(\.name) == ["x", "y"] && read.map(\.count) == [20, 20])
    }

    @Test("chunks of a stream that no header names at all are damage, though all chunks are whole")
    func noHeaderAtAll() throws {
        let folder = try TemporaryFolder()
        let url = try folder.file("a.xdf", Self.file([]))
        let report = try XDFRecovery.inspect(url)
        #expect(!report.isIntact && report.damage.isEmpty && report.isClosed)
        #expect(report.headerless.map(\.frames) == [20])
    }

    @Test("chunks before their stream's header are left out, those after it are kept")
    func chunksBeforeTheirHeader() throws {
        let folder = try TemporaryFolder()
        let early = XDFFixture.samples(2, at: 0.5, (0..<5).map { [Float($0)] })
        let url = try folder.file("a.xdf", Self.file(Self.header, before: early))
        let target = folder.url.appendingPathComponent("b.xdf")
        let report = try XDFRecovery.repair(url, to: target)
        #expect(!report.isIntact && report.headerless.map(\.frames) == [5])
        #expect(report.streams.map(\.frames) == [20, 20])
        #expect(try [UInt8](Data(contentsOf: target)) == Self.file(Self.header))
        let frames = try Recording(reading: XDFReader(url)).streams.map { $0.segments.map(\.block.frameCount) }
        #expect(frames == [[20], [20]])
    }

    @Test("a spoilt copy of a header that was read does not get into the repair")
    func aSpoiltCopyOfAHeader() throws {
        let folder = try TemporaryFolder()
        let copy = try Self.spoilt("float32", "float3r")
        let url = try folder.file("a.xdf", Self.file(Self.header + copy))
        let target = folder.url.appendingPathComponent("b.xdf")
        #expect(try XDFRecovery.repair(url, to: target).headerless.isEmpty)
        #expect(try [UInt8](Data(contentsOf: target)) == Self.file(Self.header))
    }

    @Test("a stream with more channels than are read here is no damage")
    func moreChannelsThanAreRead() throws {
        let folder = try TemporaryFolder()
        let url = try folder.file("a.xdf", Self.file(XDFFixture.header(2, name: "y", channels: 70_000)))
        let report = try XDFRecovery.inspect(url)
        #expect(report.isIntact && report.streams.map(\.name) == ["x"])
        #expect(report.notes.contains { $0.contains("stream 2 is left out") }, "\(report.notes)")
    }
}
