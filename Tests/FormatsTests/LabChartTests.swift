import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Text that LabChart exported, block by block.
struct LabChartTests {
    static func ecg(_ row: Int) -> Double { Double(row % 9) / 8 - 0.5 }
    static func gsr(_ row: Int) -> Double { 4 + Double(row % 32) / 64 }

    /// A block of `rows` rows that began so many days after one in October 2019.
    static func block(
        days: Double? = 0, rows: Int, times: ClosedRange<Double>? = nil, comments: [Int: String] = [:],
        titles: String = "ECG\tSkin GSR", range: String = "2.000 mV\t50.0 µS", units: String? = nil,
        interval: String = "0.0025 s"
    ) -> [String] {
        var lines = ["Interval=\t\(interval)"]
        days.map {
            lines.append(
                "ExcelDateTime=\t\(String(format: "%.16e", 43_749.46432274981 + $0))\t10/11/19 11:08:37.485584")
        }
        lines += ["TimeFormat=\tStartOfBlock", "DateFormat=\t", "ChannelTitle=\t\(titles)", "Range=\t\(range)"]
        units.map { lines += ["UnitName=\t\($0)", "TopValue=\t*\t60", "BottomValue=\t*\t0"] }
        return lines
            + (0..<rows).map { row in
                let time = String(format: "%.4f", (times?.lowerBound ?? 0) + Double(row) / 400)
                let cells = [time, String(format: "%.4f", ecg(row)), String(format: "%.6f", gsr(row))]
                return cells.joined(separator: "\t") + (comments[row].map { "\t" + $0 } ?? "")
            }
    }

    private func read(_ lines: [String], in folder: TemporaryFolder, end: String = "\n") throws -> Recording {
        try Recording(reading: RecordingFile.open(folder.file("a.txt", lines.map { $0 + end }.joined())))
    }

    @Test(arguments: ["\n", "\r\n"])
    func `a block is read with its units, comments and date`(end: String) throws {
        let folder = try TemporaryFolder()
        let comments = [0: "#* begin", 200: "#2 touched\tthe hand", 4_999: "#* a = b\t#1 c"]
        let recording = try read(Self.block(rows: 9_000, comments: comments), in: folder, end: end)
        #expect(recording.header.format == "LabChart text" && recording.header.notes.isEmpty)
        // 43,749.46432274981 days after 1899-12-30, to the microsecond.
        let start = try #require(recording.header.start)
        let told = Timestamp(year: 2019, month: 10, day: 11, hour: 11, minute: 8, second: 37.485584)
        #expect(abs(start.secondsSince1970 - told.secondsSince1970) < 1e-5)
        #expect(recording.header.duration == 22.5)
        #expect(recording.streams.map(\.header.kind) == [.ecg, .eda])
        #expect(recording.streams.flatMap(\.header.channels).map(\.unit) == [.millivolts, .microsiemens])
        #expect(recording.streams.map(\.header.sampleRate) == [400, 400])
        #expect(recording.streams[0].segments.map(\.block.samples) == [(0..<9_000).map { Float(Self.ecg($0)) }])
        #expect(recording.streams[1].segments.map(\.block.samples) == [(0..<9_000).map { Float(Self.gsr($0)) }])
        #expect(recording.markers.map(\.label) == ["begin", "touched the hand", "a = b", "c"])
        #expect(recording.markers.map(\.onset) == [0, 0.5, 12.4975, 12.4975])
    }

    @Test func `between blocks lies a gap as long as their dates say`() throws {
        let folder = try TemporaryFolder()
        let lines = Self.block(rows: 4_000) + Self.block(days: 60.0 / 86_400, rows: 800, comments: [400: "#* x"])
        let recording = try read(lines, in: folder)
        for stream in recording.streams {
            #expect(stream.segments.map(\.block.frameCount) == [4_000, 800])
            #expect(abs(stream.segments[1].start.onset - 60) < 1e-5 && stream.segments[1].start.sample == 4_000)
            #expect(stream.gaps.map(\.reason) == [.fileGap] && abs(stream.gaps[0].duration - 50) < 1e-5)
        }
        #expect(abs(recording.markers[0].onset - 61) < 1e-5 && recording.header.notes.isEmpty)
    }

    @Test func `without dates times that go on place a block, else nothing does`() throws {
        let folder = try TemporaryFolder()
        let onward = try read(
            Self.block(days: nil, rows: 400) + Self.block(days: nil, rows: 400, times: 31...32), in: folder)
        #expect(abs(onward.streams[0].segments[1].start.onset - 31) < 1e-9 && onward.header.start == nil)
        for days in [nil, 0, 0.5 / 86_400] {
            let anew = try read(
                Self.block(days: days.map { _ in 0 }, rows: 400) + Self.block(days: days, rows: 400), in: folder)
            #expect(anew.streams[0].gaps.map(\.reason) == [.unknownLength])
            #expect(anew.header.notes.contains { $0.hasPrefix("the recording was paused at 1 place") })
        }
    }

    @Test func `a unit that the user chose counts, and another range's unit is converted`() throws {
        let folder = try TemporaryFolder()
        let own = try read(Self.block(rows: 10, units: "*\tuS"), in: folder)
        #expect(own.streams.map { $0.header.channels[0].unit } == [.millivolts, .microsiemens])
        let volts = try read(Self.block(rows: 400) + Self.block(days: 1, rows: 400, range: "1 V\t50 µS"), in: folder)
        #expect(volts.streams[0].segments[1].block.samples == (0..<400).map { Float(Self.ecg($0)) * 1_000 })
        #expect(volts.streams[1].segments[1].block.samples == (0..<400).map { Float(Self.gsr($0)) })
    }

    @Test func `rows may have no time, a date besides, decimal commas, or letters of Latin-1`() throws {
        let folder = try TemporaryFolder()
        let plain = Self.block(rows: 500)
        let expected = try read(plain, in: folder).streams.map { $0.segments.map(\.block) }
        func rows(_ change: (String) -> String) -> [String] { plain[..<6] + plain[6...].map(change) }
        let forms: [[String]] = [
            rows { $0.split(separator: "\t").dropFirst().joined(separator: "\t") },
            rows { "11/10/2019\t" + $0 },
            [plain[0].replacing(".", with: ",")] + plain[1..<6] + plain[6...].map { $0.replacing(".", with: ",") },
        ]
        for form in forms { #expect(try read(form, in: folder).streams.map { $0.segments.map(\.block) } == expected) }
        let bytes = plain.joined(separator: "\n").unicodeScalars.map { UInt8($0.value) }
        let latin = try Recording(reading: RecordingFile.open(folder.file("b.txt", bytes)))
        #expect(latin.streams[1].header.channels[0].unit == .microsiemens)
        #expect(latin.streams.map { $0.segments.map(\.block) } == expected)
    }

    @Test func `empty cells are missing`() throws {
        let folder = try TemporaryFolder()
        var lines = Self.block(rows: 20)
        lines[10] = "0.01\t\t4"
        lines[11] = "0.0125\tNaN\t4"
        let samples = try read(lines, in: folder).streams[0].segments[0].block.samples
        #expect(samples.indices.filter { samples[$0].isNaN } == [4, 5])
    }

    @Test func `what cannot be right is refused with its line`() throws {
        let folder = try TemporaryFolder()
        func refusal(_ lines: [String]) -> String? { formatError { try read(lines, in: folder) } }
        let block = Self.block(rows: 50)
        #expect(refusal(Self.block(rows: 50, interval: "a while"))?.contains("line 1: has the interval") == true)
        #expect(
            refusal(block + Self.block(rows: 5, interval: "0.005 s"))?.contains("line 63: begins a block of other")
                == true)
        #expect(
            refusal(block + Self.block(rows: 5, titles: "A\tB"))?.contains("line 63: begins a block of other") == true)
        #expect(
            refusal(block + Self.block(rows: 5, range: "2 mmHg\t5 µS"))?.contains("\"ECG\" in mmHg, before it is in mV")
                == true)
        #expect(refusal(Self.block(rows: 50, titles: "A\tB\tC\tD\tE"))?.contains("expected one for each of 5") == true)
        var lines = block
        lines[30] = "0.06\t1"
        #expect(refusal(lines)?.contains("line 31: has 2 cells, expected 3") == true)
        lines[30] = "0.06\t1\tbad"
        #expect(refusal(lines)?.contains("line 31, column 3: found \"bad\"") == true)
        #expect(refusal(Array(block[..<6])) != nil)
    }
}
