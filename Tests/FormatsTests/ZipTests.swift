import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct ZipTests {
    private static func message(_ bytes: [UInt8]) throws -> String? {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.zip", bytes)
        let message = formatError { try Recording(reading: EmpaticaSession(file)) }
        #expect(folder.names == ["a.zip"])
        if let message { #expect(message.hasPrefix(file.relativePath) && !message.contains("\n")) }
        return message
    }

    @Test func aZippedSessionIsReadInPlace() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.zip", ZipFixture(EmpaticaTests.session).bytes)
        try EmpaticaTests.expectSession(Recording(reading: EmpaticaSession(file)))
        #expect(folder.names == ["a.zip"])
    }

    @Test func theFilesMayLieInAFolderOfTheZip() throws {
        var zip = ZipFixture(Dictionary(uniqueKeysWithValues: EmpaticaTests.session.map { ("S01 ü/e4/" + $0, $1) }))
        zip.entries.insert(.init(name: "S01 ü/", mode: 0o040755), at: 0)
        zip.entries.append(.init(name: "__MACOSX/S01 ü/e4/._ACC.csv", content: [0, 1, 2]))
        zip.entries.append(.init(name: "S01 ü/e4/._BVP.csv", content: [0, 1, 2]))
        let folder = try TemporaryFolder()
        try EmpaticaTests.expectSession(Recording(reading: EmpaticaSession(folder.file("a.zip", zip.bytes))))
    }

    @Test(arguments: [
        "../ACC.csv", "a/../../ACC.csv", "/etc/ACC.csv", "..\\ACC.csv", "C:\\ACC.csv", "C:/ACC.csv", "a/..",
    ])
    func namesThatLeadOutAreRefused(name: String) throws {
        var zip = ZipFixture(EmpaticaTests.session)
        zip.entries.append(.init(name: name))
        let message = try Self.message(zip.bytes)
        let shown = name.replacingOccurrences(of: "\\", with: "/")
        #expect(message?.contains("entry '\(shown)': leads out of the archive") == true, "\(message ?? "no error")")
    }

    @Test func linksAreRefused() throws {
        var zip = ZipFixture(EmpaticaTests.session)
        zip.entries.append(.init(name: "tags_x.csv", content: Array("/etc/passwd".utf8), mode: 0o120777))
        #expect(try Self.message(zip.bytes)?.contains("entry 'tags_x.csv': is a link, which is refused") == true)
    }

    @Test func encryptedEntriesAreRefused() throws {
        var zip = ZipFixture(EmpaticaTests.session)
        zip.entries[0].isEncrypted = true
        #expect(try Self.message(zip.bytes)?.contains("entry 'ACC.csv': is encrypted") == true)
    }

    @Test func unusualCompressionIsRefused() throws {
        var zip = ZipFixture(EmpaticaTests.session)
        zip.entries[0].method = 14
        #expect(try Self.message(zip.bytes)?.contains("entry 'ACC.csv'") == true)
    }

    @Test func bombsAreRefused() throws {
        let header = Array("1551453301\n64\n".utf8)
        var zip = ZipFixture(EmpaticaTests.session)
        let bomb = ZipFixture.deflatedZeros(300 << 20)
        zip.entries[1] = .init(name: "BVP.csv", content: header, deflated: bomb, statedSize: 600 << 20)
        #expect(try Self.message(zip.bytes)?.contains("entry 'BVP.csv': unpacks to more than 536870912 bytes") == true)
        // A bomb that lies about its length.
        zip.entries[1].statedSize = UInt32(header.count)
        #expect(try Self.message(zip.bytes)?.contains("BVP.csv") == true)
    }

    @Test func tooManyEntriesAreRefused() throws {
        var zip = ZipFixture(EmpaticaTests.session)
        zip.entries += (0..<10_001).map { .init(name: "f\($0)") }
        #expect(try Self.message(zip.bytes)?.contains("has more than 10000 entries") == true)
    }

    @Test func twoSessionsInOneZipAreRefused() throws {
        var zip = ZipFixture(EmpaticaTests.session)
        zip.entries.append(.init(name: "other/BVP.csv", content: Array("1551453301\n64\n1\n".utf8)))
        #expect(try Self.message(zip.bytes)?.contains("has 'BVP.csv' and 'other/BVP.csv'; one session has one") == true)
    }

    @Test func brokenZipsAreOneClearLine() throws {
        let bytes = ZipFixture(EmpaticaTests.session).bytes
        #expect(try Self.message([])?.contains("is empty") == true)
        #expect(try Self.message(Array(bytes.prefix(bytes.count - 30)))?.contains("is no whole zip archive") == true)
        #expect(try Self.message(Array(bytes.prefix(100)))?.contains("is no whole zip archive") == true)
        var flipped = bytes
        // A bit of ACC.csv's first digits: the checksum no longer fits.
        flipped[60] ^= 1
        #expect(try Self.message(flipped)?.contains("entry 'ACC.csv': is damaged") == true)
    }

    @Test func otherZipsAreNamedAsSuch() throws {
        let message = try Self.message(ZipFixture(["a.txt": "1", "b.pdf": "2"]).bytes)
        #expect(message?.contains("is a zip without an Empatica E4 session") == true)
        #expect(message?.contains("found 'a.txt', 'b.pdf'") == true)
        #expect(try Self.message(ZipFixture().bytes) != nil)
    }
}
