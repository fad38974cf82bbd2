import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Text that AcqKnowledge exported, in the forms that are about: BIOPAC's own example, those of labs.
struct AcqKnowledgeTextTests {
    /// How somebody exported it.
    struct Form: CustomTestStringConvertible {
        var delimiter = ","
        /// What the column of times is called; nil for none.
        var time: String?
        var hasCounts = true
        /// Whether rows end with a delimiter, as the names of columns do.
        var endsWithDelimiter = false
        var decimalMark = "."
        var counts = ""
        var testDescription: String { "\(delimiter.debugDescription) \(time ?? "no times") \(hasCounts)" }
    }

    static func eda(_ row: Int) -> Double { 5 + Double(row % 50) / 100 }
    static func ecg(_ row: Int) -> Double { Double(row % 7) / 8 - 0.25 }

    static func lines(_ form: Form, rows: Int, first: Double = 0) -> [String] {
        let perSecond = ["ms": 1_000.0, "milliSec": 1_000, "sec": 1, "min": 1 / 60.0]
        func number(_ value: Double, _ decimals: Int) -> String {
            String(format: "%.\(decimals)f", value).replacing(".", with: form.decimalMark)
        }
        func row(_ cells: [String]) -> String {
            cells.joined(separator: form.delimiter) + (form.endsWithDelimiter ? form.delimiter : "")
        }
        let leading = form.time == nil ? [] : [""]
        let header = [
            "C:\\data\\s 01.acq", "\(number(0.5, 1)) msec/sample", "2 channels", "EDA - EDA100C", "microsiemens",
            "Heart, ECG100C", "mV", row((form.time.map { [$0] } ?? []) + ["CH1", "CH40"]),
        ]
        let counts = form.hasCounts ? [row(leading + ["\(rows)\(form.counts)", "\(rows)\(form.counts)"])] : []
        return header + counts
            + (0..<rows).map { place in
                let time = form.time.map { (first + Double(place) / 2_000) * (perSecond[$0] ?? 1) }
                return row((time.map { [number($0, 9)] } ?? []) + [number(eda(place), 3), number(ecg(place), 4)])
            }
    }

    @Test(
        arguments: [
            Form(time: "min"), Form(delimiter: "\t", time: "ms"), Form(delimiter: "\t", time: "sec", hasCounts: false),
            Form(delimiter: "\t", time: "milliSec", hasCounts: false), Form(delimiter: "\t"), Form(),
            Form(delimiter: "\t", hasCounts: false), Form(time: "sec", endsWithDelimiter: true, counts: " samples"),
            Form(delimiter: "\t", time: "sec", decimalMark: ","), Form(delimiter: ";", decimalMark: ","),
            Form(delimiter: "\t", counts: " samples"),
        ], ["\n", "\r\n"])
    func `samples, rate, units and kinds are what was exported`(form: Form, lineEnd: String) throws {
        let folder = try TemporaryFolder()
        let text = Self.lines(form, rows: 3_000).map { $0 + lineEnd }.joined()
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", text)))
        #expect(recording.header.format == "AcqKnowledge text" && recording.header.notes.isEmpty)
        #expect(recording.header.duration == 1.5 && recording.streams.map(\.header.sampleRate) == [2_000, 2_000])
        #expect(recording.streams.map(\.header.kind) == [.eda, .ecg])
        #expect(
            recording.streams.flatMap(\.header.channels) == [
                Channel(label: "EDA - EDA100C", unit: .microsiemens),
                Channel(label: "Heart, ECG100C", unit: .millivolts),
            ])
        #expect(recording.streams[0].segments.map(\.block.samples) == [(0..<3_000).map { Float(Self.eda($0)) }])
        #expect(recording.streams[1].segments.map(\.block.samples) == [(0..<3_000).map { Float(Self.ecg($0)) }])
    }

    @Test func `a date is the start, and times that begin later are told`() throws {
        let folder = try TemporaryFolder()
        var lines = Self.lines(Form(delimiter: "\t", time: "sec"), rows: 100, first: 90)
        lines.insert("Recording on: 2025-02-21 11:05:38.634", at: 1)
        lines[2] += "\tSample rate =\t2000Hz"
        let header = try RecordingFile.open(folder.file("a.txt", lines.joined(separator: "\n"))).header
        #expect(
            header.start == Timestamp(year: 2025, month: 2, day: 21, hour: 11, minute: 5, second: 38.634)
                && header.streams[0].sampleRate == 2_000)
        #expect(header.notes == ["the file's times begin at 90 s; time 0 is that of the first sample"])
    }

    @Test func `what says how many samples there are is no sample`() throws {
        let folder = try TemporaryFolder()
        // Whole numbers in the first row of samples are samples where fewer than the rows.
        var lines = Self.lines(Form(delimiter: "\t", hasCounts: false), rows: 100)
        lines[8] = "5\t1"
        let file = try folder.file("a.txt", lines.joined(separator: "\n"))
        #expect(try Recording(reading: RecordingFile.open(file)).streams[0].segments[0].block.samples[0] == 5)
    }

    @Test(arguments: [
        (1, "0 msec/sample", "expected columns of numbers"), (2, "3 channels", "line 10: should name the columns"),
        (2, "900 channels", "line 3: tells 900 channels"),
        (7, "hours since noon,CH1,CH2", "line 8: calls its first column"),
        (9, "0,1", "line 10: has 2 cells"), (30, "0,1,x", "found \"x\", expected a number"),
    ])
    func `what cannot be right is refused with its line`(line: Int, text: String, problem: String) throws {
        let folder = try TemporaryFolder()
        var lines = Self.lines(Form(time: "sec"), rows: 100)
        lines[line] = text
        let file = try folder.file("a.txt", lines.joined(separator: "\n") + "\n")
        let error = formatError { try Recording(reading: RecordingFile.open(file)) }
        if line == 1 {
            // Without an interval it is a table as any other, whose rate nobody knows.
            #expect(error != nil)
        } else {
            #expect(error?.contains(problem) == true, "\(error ?? "none")")
        }
    }
}
