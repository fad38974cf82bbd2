import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Tables with lines above the header, as devices write them and spreadsheets save them.
@Suite struct HeaderRowsTests {
    private static let rows: [[Double]] = (0..<400).map { index in
        let time = Double(index) / 100
        return [time, sin(11 * time), 2 + time / 9]
    }

    /// A table of time, ECG and EDA with random lines above, filled up with delimiters as a spreadsheet does or not.
    private static func table(_ random: inout SplitMix64) -> (text: String, hasUnits: Bool) {
        let delimiter = [",", ";", "\t"].randomElement(using: &random)!
        let isPadded = Bool.random(using: &random)
        let hasUnits = Bool.random(using: &random)
        let preambles: [[String]] = [
            ["Subject: 01"], ["Device: X"], [], ["Subject", "01"], ["Firmware", "2.1.0"], ["-----"],
            ["Recorded with a belt"], ["Date:", "2025-03-28"],
        ]
        var lines: [String] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            var cells = preambles.randomElement(using: &random)!
            if isPadded { cells += Array(repeating: "", count: 3 - cells.count) }
            lines.append(cells.joined(separator: delimiter))
        }
        lines.append(["time", "ECG", "EDA"].joined(separator: delimiter))
        if hasUnits {
            lines.append(
                [["s", "mV", "uS"], ["[s]", "[mv]", "[us]"]].randomElement(using: &random)!.joined(separator: delimiter)
            )
        }
        for row in rows {
            lines.append(row.map { String(format: "%.4f", $0) }.joined(separator: delimiter))
        }
        let ending = ["\n", "\r\n"].randomElement(using: &random)!
        return (lines.joined(separator: ending) + ending, hasUnits)
    }

    @Test(arguments: 0..<80)
    func table_withLinesAboveItsHeader_isReadByItsHeader(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (text, hasUnits) = Self.table(&random)
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", [UInt8](text.utf8))
        let recording = try Recording(reading: RecordingFile.open(file))
        #expect(recording.streams.map(\.header.kind) == [.ecg, .eda], "\(text.prefix(200))")
        #expect(recording.streams.flatMap { $0.header.channels.map(\.label) } == ["ECG", "EDA"])
        #expect(recording.streams.allSatisfy { abs($0.header.sampleRate - 100) < 1e-3 })
        #expect(recording.streams.map { $0.segments.first?.block.frameCount } == [400, 400])
        if hasUnits {
            #expect(recording.streams.flatMap { $0.header.channels.map(\.unit) } == [.millivolts, .microsiemens])
        }
    }

    @Test(arguments: [
        ("mV", Signals.Unit.millivolts), ("mv", .millivolts), ("MV", .millivolts), ("Mv", .millivolts),
        ("uv", .microvolts),
        ("UV", .microvolts), ("uV", .microvolts), ("µv", .microvolts), ("NV", .nanovolts), ("v", .volts),
        ("mVolts", .millivolts),
        ("uvolt", .microvolts), ("US", .microsiemens), ("uS", .microsiemens), ("usiemens", .microsiemens),
        ("BPM", .beatsPerMinute),
        ("HZ", .hertz), ("degc", .degreesCelsius), ("us", Signals.Unit("µs")), ("ms", .milliseconds),
        ("MilliVolt", .millivolts),
    ])
    func unit_inAnyCase_isTheUnitThatIsMeant(spelling: String, unit: Signals.Unit) {
        #expect(Signals.Unit(spelling) == unit)
    }

    @Test(arguments: [
        ("22:45:27 19/09/2026", "22:45:31 19/09/2026"), ("28-Mar-2025 23:58:51.029", "28-Mar-2025 23:58:55.029"),
        ("2025-03-28 23:58:51 UTC", "2025-03-28 23:58:55 UTC"),
        ("2014-05-07 13:29:50.439000+0100 [Europe/London]", "2014-05-07 13:29:54.439000+0100 [Europe/London]"),
        ("28/03/2025 23:58:51:029", "28/03/2025 23:58:55:029"), ("11:58:51 PM Mar 28 2025", "11:58:55 PM Mar 28 2025"),
        ("Fri Mar 28 23:58:51 2025", "Fri Mar 28 23:58:55 2025"), ("Mar 28 2025 23:58:51", "Mar 28 2025 23:58:55"),
    ])
    func stamps_asDevicesWriteThem_areReadAsTimes(first: String, second: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", [UInt8]("Time,EDA\n\(first),1\n\(second),2\n".utf8))
        let recording = try Recording(reading: RecordingFile.open(file))
        #expect(recording.header.start != nil)
        #expect(abs((recording.streams.first?.header.sampleRate ?? 0) - 0.25) < 1e-9)
    }

    @Test func byteOrderMark_beforeNumbers_isSkipped() throws {
        let rows = (0..<50).map { "\(Double($0) / 10)\t\(Double($0) / 7)" }.joined(separator: "\n")
        let folder = try TemporaryFolder()
        let plain = try folder.file("a.txt", [UInt8](rows.utf8))
        let marked = try folder.file("b.txt", [0xEF, 0xBB, 0xBF] + [UInt8](rows.utf8))
        let columns = ColumnMap(sampleRate: 10)
        #expect(
            try Recording(reading: RecordingFile.open(plain, columns: columns)).streams.map { $0.segments.map(\.block) }
                == Recording(reading: RecordingFile.open(marked, columns: columns)).streams.map {
                    $0.segments.map(\.block)
                })
    }
}
