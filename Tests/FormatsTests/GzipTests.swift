import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Recordings that were compressed with gzip.
struct GzipTests {
    /// `time,ecg` at 4 Hz.
    private static let text = "time,ecg\n0,1\n0.25,2\n0.5,3\n0.75,4\n"

    private func compressed(_ text: String, in folder: URL) throws -> URL {
        let plain = folder.appendingPathComponent("a.csv")
        try Data(text.utf8).write(to: plain)
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gzip.arguments = ["-kn", plain.path]
        try gzip.run()
        gzip.waitUntilExit()
        return plain.appendingPathExtension("gz")
    }

    private func samples(_ url: URL) throws -> [Float] {
        let reader = try RecordingFile.open(url)
        var samples: [Float] = []
        while let event = try reader.next() {
            if case .samples(_, let block) = event { samples += block.samples }
        }
        return samples
    }

    @Test func theRecordingInsideIsRead() throws {
        try withTemporaryFolder { folder in
            let file = try compressed(Self.text, in: folder)
            #expect(try samples(file) == [1, 2, 3, 4])
            #expect(try samples(file) == samples(folder.appendingPathComponent("a.csv")))
        }
    }

    @Test func nothingThatWasCompressedIsEmptyNotDamaged() throws {
        try withTemporaryFolder { folder in
            let error = formatError { try RecordingFile.open(compressed("", in: folder)) }
            #expect(error?.contains("a.csv.gz: is empty") == true, "\(error ?? "none")")
        }
    }

    @Test func columnsAreMappedInsideToo() throws {
        try withTemporaryFolder { folder in
            let file = try compressed("530\n518\n506\n", in: folder)
            let recording = try Recording(reading: RecordingFile.open(file, columns: ColumnMap(sampleRate: 100)))
            #expect(recording.streams[0].segments[0].block.samples == [530, 518, 506])
        }
    }

    @Test func damageIsAnErrorThatNamesTheFile() throws {
        try withTemporaryFolder { folder in
            let file = try compressed(
                Self.text + (0..<3_000).map { "\($0),\($0 * 7919 % 1009)\n" }.joined(), in: folder)
            let bytes = try Data(contentsOf: file)
            for (name, damaged) in [
                ("cut.csv.gz", bytes.prefix(bytes.count / 2)), ("magic.csv.gz", bytes.prefix(4)),
            ] {
                let url = folder.appendingPathComponent(name)
                try Data(damaged).write(to: url)
                let error = #expect(throws: FormatError.self) { try samples(url) }
                #expect(error?.file.hasSuffix(name) == true)
            }
        }
    }

    @Test func aCompressedArchiveIsRefused() throws {
        try withTemporaryFolder { folder in
            let file = try compressed("PK\u{3}\u{4}" + Self.text, in: folder)
            let error = #expect(throws: FormatError.self) { try samples(file) }
            #expect(error?.problem.contains("another compressed file") == true)
        }
    }
}
