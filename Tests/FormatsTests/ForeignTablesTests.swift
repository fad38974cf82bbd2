import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Tables as devices and spreadsheets write them: UTF-16, dates and times in two columns, one value per row, other words for missing.
@Suite struct ForeignTablesTests {
    private static let table =
        "Zeit [s];EDA [µS];Temp [°C]\n" + (0..<200).map { "\(Double($0) / 4);\(2 + Double($0) / 100);33.5\n" }.joined()

    private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
        let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
        return units.flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return bigEndian ? bytes.reversed() : bytes
        }
    }

    @Test(arguments: [false, true], [false, true])
    func utf16_isReadAsTheSameTextOfUTF8(bigEndian: Bool, mark: Bool) throws {
        let folder = try TemporaryFolder()
        let plain = try Recording(reading: RecordingFile.open(folder.file("p.csv", Self.table)))
        let bytes = Self.utf16(Self.table, bigEndian: bigEndian, mark: mark)
        let file = try folder.file("a.csv", bytes)
        for recording in [
            try Recording(reading: RecordingFile.open(file)),
            try Recording(reading: RecordingFile.open(file, columnsOfText: ColumnMap())),
            try Recording(reading: RecordingFile.open(file, textRate: 4)),
        ] {
            #expect(recording.header.streams == plain.header.streams)
            #expect(
                recording.streams.map { $0.segments.map(\.block) } == plain.streams.map { $0.segments.map(\.block) })
        }
        #expect(folder.names.sorted() == ["a.csv", "p.csv"])
        let events = Self.utf16("onset\tduration\ttrial_type\n1\t2\tGruß\n", bigEndian: bigEndian, mark: mark)
        #expect(try TextTable(bytes: events, file: file).texts("trial_type") == ["Gruß"])
    }

    @Test func utf16_thatIsDamagedOrNoTable_isRefusedByItsName() throws {
        let folder = try TemporaryFolder()
        var bytes = Self.utf16(Self.table, bigEndian: false, mark: true)
        bytes.replaceSubrange(100..<102, with: [0x00, 0xDC])
        let message = formatError { try Recording(reading: RecordingFile.open(folder.file("a.csv", bytes))) }
        #expect(
            message?.contains("a.csv") == true && message?.contains("no valid UTF-16") == true, "\(message ?? "none")")
        // A last byte without its other half is a line that is cut off.
        let cut = Self.utf16(Self.table, bigEndian: false, mark: true).dropLast(3)
        #expect(throws: Never.self) { try Recording(reading: RecordingFile.open(folder.file("b.csv", Array(cut)))) }
    }

    @Test(
        arguments: [
            ("2024-03-01", "2024-03-02", "%02d:%02d:%06.3f"), ("01.03.2024", "02.03.2024", "%02d:%02d:%06.3f"),
            ("1/3/2024", "2/3/2024", "%d:%02d:%06.3f"), ("01-Mar-2024", "02-Mar-2024", "%02d:%02d:%06.3f"),
            ("2024/03/01", "2024/03/02", "%d:%02d:%06.3f"),
            ("2024-03-01 00:00:00", "2024-03-02 00:00:00", "%02d:%02d:%06.3f"),
        ], ["Date,Time,EDA", "Time,EDA,Date", "Datum;Uhrzeit;EDA", ""])
    func dateAndTimeInTwoColumns_areOneMoment(dates: (first: String, second: String, form: String), header: String)
        throws
    {
        let folder = try TemporaryFolder()
        let delimiter = header.contains(";") ? ";" : ","
        let rows = (0..<400).map { row -> String in
            let second = 23.0 * 3_600 + 59 * 60 + 30 + Double(row) / 8
            let day = second >= 86_400
            let time = second - (day ? 86_400 : 0)
            let clock = String(
                format: dates.form, Int(time / 3_600), Int(time / 60) % 60, time.truncatingRemainder(dividingBy: 60))
            let date = day ? dates.second : dates.first
            let cells = header.hasPrefix("Time") ? [clock, "\(row % 9)", date] : [date, clock, "\(row % 9)"]
            return cells.joined(separator: delimiter)
        }
        let lines = (header.isEmpty ? [] : [header]) + rows
        let recording = try Recording(
            reading: RecordingFile.open(folder.file("a.csv", lines.joined(separator: "\n") + "\n")))
        let stream = try #require(recording.streams.first)
        #expect(recording.streams.count == 1 && stream.header.sampleRate == 8)
        #expect(stream.segments.map(\.block.frameCount) == [400])
        // Day and month of 1/3/2024 are distinguished by the second date, a day later.
        #expect(recording.header.start == Timestamp(year: 2024, month: 3, day: 1, hour: 23, minute: 59, second: 30))
        #expect(!recording.header.hasTimeZone)
    }

    @Test(arguments: [";", ",", "\t"], [true, false])
    func tableWithOneValuePerRow_isRefusedWithItsNames(delimiter: String, hasHeader: Bool) throws {
        let folder = try TemporaryFolder()
        var random = SplitMix64(seed: 1)
        let names = ["HEART_RATE", "STEPS", "CALORIES"]
        let rows = (0..<300).map { row in
            [
                "2024-03-01T12:00:\(String(format: "%06.3f", Double(row) / 10))", names.randomElement(using: &random)!,
                "\(row % 90)",
            ]
            .joined(separator: delimiter)
        }
        let header = hasHeader ? [["time", "name", "value"].joined(separator: delimiter)] : []
        let file = try folder.file("a.csv", (header + rows).joined(separator: "\n") + "\n")
        let message = formatError { try RecordingFile.open(file) } ?? ""
        #expect(names.allSatisfy(message.contains) && message.contains("each row"), "\(message)")
    }

    @Test func conditionsBesideASignal_areNoTableOfOneValuePerRow() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<600).map { "\(Double($0) / 100),\(["rest", "stress"][$0 / 150 % 2]),\($0 % 31)" }
        let file = try folder.file("a.csv", "time,condition,ECG\n" + rows.joined(separator: "\n") + "\n")
        #expect(try RecordingFile.open(file).header.streams.map(\.kind) == [.ecg])
    }

    @Test(arguments: ["--", "---", "-", "n.a.", "?", "NA", "null", ""])
    func missingInAnyWord_isMissing(word: String) throws {
        let folder = try TemporaryFolder()
        let rows = (0..<60).map {
            "\(Double($0) * 4),\($0 % 10 == 5 ? word : "9\($0 % 7)"),\($0 % 10 == 5 ? word : "6\($0 % 7)")"
        }
        let file = try folder.file("a.csv", "Time,Oxygen Level,Pulse Rate\n" + rows.joined(separator: "\n") + "\n")
        // Steps of 4 do not show the unit of the times.
        let map = ColumnMap(time: .init(column: "Time", unit: .seconds))
        let recording = try Recording(reading: Delimited(file, map: map))
        #expect(recording.streams.map(\.header.kind) == [.other, .heartRate])
        for stream in recording.streams {
            #expect(stream.segments.flatMap { $0.block.samples }.count { $0.isNaN } == 6)
        }
    }

    @Test(arguments: 0..<20)
    func vnsAnalyse_givesIntervalsAsRecordedWithItsNotes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        let intervals = (0..<Int.random(in: 20...400, using: &random)).map { _ in
            Int.random(in: 600...1_200, using: &random)
        }
        let noted = Set((0..<3).map { _ in Int.random(in: 0..<intervals.count, using: &random) })
        let mark = Bool.random(using: &random) ? "." : ","
        func block(_ title: String, _ values: [Int]) -> [String] {
            [title]
                + values.enumerated().map { place, value in
                    String(format: "%.3f", Double(value) / 1_000).replacing(".", with: mark) + "\t"
                        + (noted.contains(place) ? "Notiz: N\(place)" : "")
                } + [""]
        }
        var lines = ["Korrektur\tAktiv", "", "Hauptparameter der VNS Analyse - Rohwerte (Nicht aktiv)"]
        lines += ["mainParameterSI\tmainParameterRMSSD", "10.00\t45.10", ""]
        lines += block("RR-Intervalle - Rohwerte (Nicht aktiv)", intervals)
        let isCorrected = Bool.random(using: &random)
        if isCorrected { lines += block("RR-Intervalle - Korrigierte Werte (Aktiv)", intervals.map { $0 + 1 }) }
        let ending = Bool.random(using: &random) ? "\r\n" : "\n"
        let file = try folder.file("VNS - 0001 - 15.03.2025 09.07 Langzeit.txt", lines.joined(separator: ending))
        let recording = try Recording(reading: RecordingFile.open(file))
        let stream = try #require(recording.streams.first)
        #expect(stream.header.kind == .ibi)
        #expect(stream.values.map { ($0.values[0] * 1_000).rounded() } == intervals.map(Double.init))
        #expect(recording.markers.map(\.label) == noted.sorted().map { "N\($0)" })
        for (marker, place) in zip(recording.markers, noted.sorted()) {
            #expect(abs(marker.onset - Double(intervals[..<place].reduce(0, +)) / 1_000) < 1e-9)
        }
        #expect(recording.header.start == Timestamp(year: 2025, month: 3, day: 15, hour: 9, minute: 7, second: 0))
        #expect(recording.header.notes.contains { $0.contains("corrected ones") } == isCorrected)
    }

    @Test(arguments: [1, 2, 5])
    func openBCI_rowsOfZerosBeforeTheFirstSample_areLeftOut(count: Int) throws {
        let folder = try TemporaryFolder()
        var lines = OpenBCITests.lines(.init(rows: 500))
        let zeros = lines[5].split(separator: ",").map { _ in "0.0" }.joined(separator: ", ")
        let plain = try Recording(
            reading: RecordingFile.open(folder.file("p.txt", lines.joined(separator: "\n") + "\n")))
        lines.insert(contentsOf: Array(repeating: zeros, count: count), at: 5)
        let recording = try Recording(
            reading: RecordingFile.open(folder.file("a.txt", lines.joined(separator: "\n") + "\n")))
        #expect(recording.header.start == plain.header.start && recording.header.streams == plain.header.streams)
        #expect(recording.streams.map { $0.segments.map(\.block) } == plain.streams.map { $0.segments.map(\.block) })
        #expect(recording.header.notes.contains { $0.contains("of zeros before") })
    }
}
