import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Text files of programs that were stopped while they wrote: the last line is cut off anywhere.
struct CutOffTextTests {
    /// A file's name and its lines, the last of which is to be cut.
    struct Table: CustomTestStringConvertible {
        var name: String
        var lines: [String]
        var testDescription: String { name }
    }

    private static func fixed(_ value: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", value) }

    private static func wave(_ row: Int) -> Double { 40 + 20 * sin(Double(row) / 3) }

    static let tables: [Table] = [
        Table(
            name: "times first.csv",
            lines: ["time,ecg,eda"]
                + (0..<400).map { "\(fixed(Double($0) / 100, 3)),\(fixed(wave($0), 4)),\(fixed(2, 2))" }),
        Table(
            name: "times last.csv",
            lines: ["ecg,timestamp"] + (0..<400).map { "\(fixed(wave($0), 4)),\(1_700_000_000_000 + 10 * $0)" }),
        Table(
            name: "dates last.tsv",
            lines: ["eda\ttime"]
                + (0..<300).map {
                    "\(fixed(wave($0), 3))\t2024-05-01T12:\($0 / 60 + 10):\(fixed(Double($0 % 60) + 10, 3).suffix(6))"
                }.filter { !$0.contains(":6") }),
        Table(
            name: "decimal commas.csv",
            lines: ["t;eda"]
                + (0..<300).map {
                    "\(fixed(Double($0) / 4, 2));\(fixed(wave($0), 3))".replacing(".", with: ",")
                }),
        Table(
            name: "muse-lsl.csv",
            lines: ["timestamps,TP9,AF7,AF8,TP10,Right AUX"]
                + (0..<600).map { row in
                    fixed(1_500 + Double(row) / 256, 3) + ","
                        + (0..<5).map { fixed(wave(row + $0), 3) }.joined(separator: ",")
                }),
        Table(
            name: "Mind Monitor.csv",
            lines: [MuseTests.titles.replacing(",Elements", with: "")]
                + MuseTests.bursts(0..<600).map { String($0.dropLast()) }),
        Table(
            name: "OpenSignals.txt",
            lines: OpenSignalsTests.text(
                model: "biosignalsplux", sensors: ["ECG"], bits: "[16]", columns: OpenSignalsTests.pluxColumns,
                rows: (0..<300).map { [$0, 0, 30_000 + $0] }
            ).split(separator: "\n").map(String.init)),
        Table(
            name: "AcqKnowledge.txt", lines: AcqKnowledgeTextTests.lines(.init(delimiter: "\t", time: "ms"), rows: 400)),
        Table(name: "LabChart.txt", lines: LabChartTests.block(rows: 400)),
        Table(name: "OpenBCI.txt", lines: OpenBCITests.lines(.init(board: "CytonSerial", count: 8, rows: 500))),
        Table(
            name: "intervals.rr",
            lines: (0..<200).map { "\(fixed(Double($0) * 0.8, 3)),\(fixed(0.8 + 0.05 * sin(Double($0)), 4))" }),
        Table(
            name: "Polar Flow.csv",
            lines: [
                "Name,Sport,Date,Start time,Duration", "A,RUNNING,01-05-2024,10:00:00,00:05:00",
                "Sample rate,Time,HR (bpm),Speed (km/h)",
            ]
                + (0..<60).map {
                    "\($0 == 0 ? "1" : ""),00:00:\($0 < 10 ? "0" : "")\($0),\(90 + $0 % 7),\(fixed(wave($0), 1))"
                }),
        Table(
            name: "a focus.csv",
            lines: ["Time,Focus"] + (0..<60).map { "\(1_700_000_000_000 + 500 * $0),\(fixed(wave($0), 4))" }),
        Table(
            name: "b focus.csv",
            lines: (0..<60).map { "\(1_700_000_000_000 + 500 * $0),\(fixed(wave($0), 4))" }),
        Table(
            name: "Polar RR.txt",
            lines: ["Phone timestamp;RR-interval [ms]"]
                + (0..<59).map {
                    "2026-07-26T21:56:\(fixed(Double($0), 3).count < 6 ? "0" : "")\(fixed(Double($0), 3));1000"
                }),
    ]

    /// Everything that a file holds.
    private func content(_ text: String, _ name: String, in folder: TemporaryFolder) throws -> (Recording, [String]) {
        let recording = try Recording(reading: RecordingFile.open(folder.file(name, text)))
        return (recording, recording.header.notes.filter { $0.contains("cut off") })
    }

    private func samples(_ recording: Recording) -> [[Float]] {
        recording.streams.map {
            $0.segments.flatMap(\.block.samples) + $0.values.flatMap { $0.values.map { Float($0) } }
        }
    }

    /// Rows of the last line that are left out must not change any other.
    @Test(arguments: tables)
    func `what stands above a line that is cut off is read as if that were not there`(table: Table) throws {
        let folder = try TemporaryFolder()
        let last = table.lines[table.lines.count - 1]
        let above = table.lines.dropLast().joined(separator: "\n") + "\n"
        let (shorter, none) = try content(above, table.name, in: folder)
        #expect(none.isEmpty)
        for length in stride(from: 1, to: last.utf8.count, by: max(1, last.utf8.count / 17)) {
            // A number without decimals may be cut and look whole.
            if table.name == "Polar RR.txt", length > 24 { continue }
            let cut = above + String(decoding: Array(last.utf8)[..<length], as: UTF8.self)
            let (found, notes) = try content(cut, table.name, in: folder)
            #expect(samples(found) == samples(shorter), "cut after \(length) bytes")
            #expect(found.streams.map(\.header) == shorter.streams.map(\.header), "cut after \(length) bytes")
            #expect(found.header.duration == shorter.header.duration, "cut after \(length) bytes")
            #expect(notes.count == 1 && notes[0].contains("line \(table.lines.count)"), "cut after \(length) bytes")
        }
    }

    @Test(arguments: tables)
    func `a last line that only lacks its end is read`(table: Table) throws {
        let folder = try TemporaryFolder()
        let text = table.lines.joined(separator: "\n")
        let (whole, none) = try content(text + "\n", table.name, in: folder)
        let (found, notes) = try content(text, table.name, in: folder)
        #expect(none.isEmpty && notes.isEmpty)
        #expect(found.header == whole.header && samples(found) == samples(whole))
    }

    @Test func `lines with too few cells elsewhere are refused with their number`() throws {
        let folder = try TemporaryFolder()
        var lines = Self.tables[0].lines
        lines[200] = "1.99,4"
        let url = try folder.file("a.csv", lines.joined(separator: "\n") + "\n")
        #expect(formatError { try Recording(reading: RecordingFile.open(url)) }?.contains("line 201") == true)
        // The end of the last line was written: nothing says that more was to come.
        lines = Array(Self.tables[0].lines.dropLast()) + ["3.99,4"]
        let ended = try folder.file("b.csv", lines.joined(separator: "\n") + "\n")
        #expect(formatError { try Recording(reading: RecordingFile.open(ended)) }?.contains("line 401") == true)
    }

    @Test func `a log of an instrument that was unplugged keeps what it sent`() throws {
        let folder = try TemporaryFolder()
        let whole = MethodSCRIPTLogTests.timed
        let cut = String(whole.prefix(while: { $0 != "*" })) + "Peb8000000 ;ba48D5"
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", cut)))
        #expect(recording.streams[0].values.map(\.onset) == [0, 1])
        #expect(recording.header.notes.contains { $0.contains("line 5, the last, is cut off") })
    }
}
