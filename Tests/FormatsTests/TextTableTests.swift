import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What tables of text are taken for: gaps or lower rates, lines and times of all kinds.
@Suite struct TextTableTests {
    private func open(_ text: String, _ name: String = "t.csv") throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(folder.file(name, text)))
    }

    // MARK: gaps of few rows

    @Test(arguments: [3, 5, 31, 33]) func aGapAmongFewRowsIsOne(rows: Int) throws {
        let times = (0..<rows).map { $0 } + (0..<rows).map { 3_600 + rows + $0 }
        let stream = try #require(
            open("time [s],temp\n" + times.map { "\($0),\(20 + $0 % 3)\n" }.joined()).streams.first)
        #expect(stream.header.sampleRate == 1 && stream.segments.map(\.block.frameCount) == [rows, rows])
        #expect(stream.segments.map(\.start.onset) == [0, Double(3_600 + rows)])
        #expect(stream.gaps.map(\.duration) == [3_600])
    }

    @Test func severalGapsAmongFewRowsAreSeveral() throws {
        let rows = [0, 5, 10, 30, 35, 40, 100, 105, 110].map { "\($0),\(20 + $0 % 3)\n" }.joined()
        let stream = try #require(open("time [s],temp\n" + rows).streams.first)
        #expect(abs(stream.header.sampleRate - 0.2) < 1e-9)
        #expect(stream.segments.map(\.start.onset) == [0, 30, 100] && stream.gaps.map(\.duration) == [15, 55])
    }

    @Test func rowsMissingAllOverMakeALowerRate() throws {
        let rows = (0..<300).filter { $0 % 3 != 2 }.map { "\($0),\(20 + $0 % 5)\n" }.joined()
        let stream = try #require(open("time [s],temp\n" + rows).streams.first)
        #expect(stream.gaps.isEmpty && abs(stream.header.sampleRate - 2.0 / 3) < 0.01)
    }

    // MARK: lines and times

    @Test func linesMayEndWithCarriageReturns() throws {
        func text(_ end: String) -> String {
            "time,ecg,note" + end
                + (0..<2000).map { "\(Double($0) / 100),\($0 % 9),\($0 == 1500 ? "x" : "")" + end }.joined()
        }
        let expected = try open(text("\n"))
        #expect(expected.streams[0].segments[0].block.frameCount == 2000 && expected.markers.count == 1)
        for end in ["\r", "\r\n", "\r\r\n"] {
            let recording = try open(text(end))
            #expect(
                recording.streams.map { $0.segments.map(\.block) } == expected.streams.map { $0.segments.map(\.block) })
            #expect(recording.markers == expected.markers)
        }
    }

    @Test(arguments: [
        "28 March 2021 01:59:55", "31.31.2021 01:59:55", "30.02.2021 01:59:55", "2021-02-29 01:59:55",
        "28th March 2021 01:59:55",
    ])
    func timesOfAnUnknownFormatAreNamed(time: String) throws {
        let message = formatError { try open("time,ecg\n" + (0..<20).map { "\(time),\($0 % 4)\n" }.joined()) }
        #expect(message?.contains("line 2, column time") == true, "\(message ?? "none")")
        #expect(message?.contains("\"\(time)\", a time whose format is not understood") == true, "\(message ?? "none")")
    }
}
