import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Columns of text tables that are declared as markers.
struct DelimitedMarkerTests {
    private static let map = ColumnMap(columns: [.init(column: "eda [uS]"), .init(column: "stim", kind: .marker)])

    private func read(
        _ cells: [String], _ map: ColumnMap = map, separator: String = ",", rowsPerBlock: Int = 4096
    ) throws -> Recording {
        let rows = cells.enumerated().map { ["\(Double($0) / 4)", "\($0 % 9)", $1].joined(separator: separator) }
        let text = ([["time", "eda [uS]", "stim"].joined(separator: separator)] + rows).joined(separator: "\n")
        let folder = try TemporaryFolder()
        return try Recording(reading: Delimited(folder.file("d.csv", text), map: map, rowsPerBlock: rowsPerBlock))
    }

    @Test(
        arguments: [
            // Numbers where they change, but to 0 or nothing.
            (
                ["0", "1", "1", "2", "0", "2", "", "2", "2.0", "NaN", "-7"], [1, 3, 5, 7, 10],
                ["1", "2", "2", "2", "-7"]
            ),
            // More digits than a sample has, and as they are written.
            (["0", "16777217", "16777216", "1.0", "0.50"], [1, 2, 3, 4], ["16777217", "16777216", "1.0", "0.50"]),
            // Text where it changes.
            (["", "go", "go", "", "go", "stop", "n/a", "\"a, b\""], [1, 4, 5, 7], ["go", "go", "stop", "a, b"]),
            // Text among numbers.
            (["0", "face", "0", "0", "1", "µ"], [1, 4, 5], ["face", "1", "µ"]),
            // The first row is one like all others.
            (["go", "", "", "", "", ""], [0], ["go"]), (["3", "0", "4"], [0, 2], ["3", "4"]),
            // A number that is held from the beginning is none, as it is in trigger channels.
            (["8", "8", "8.0", "9", "8"], [3, 4], ["9", "8"]), (["rest", "rest", "task"], [0, 2], ["rest", "task"]),
        ] as [([String], [Int], [String])])
    func aDeclaredColumnGivesMarkersWhereItChanges(cells: [String], rows: [Int], labels: [String]) throws {
        for rowsPerBlock in [1, 3, 4096] {
            let recording = try read(cells, rowsPerBlock: rowsPerBlock)
            let expected = zip(rows, labels).map { Marker(onset: Double($0) / 4, label: $1) }
            #expect(recording.markers == expected)
            #expect(recording.streams.map(\.header.kind) == [.eda] && recording.header.notes.isEmpty)
            let samples = cells.indices.map { Float($0 % 9) }
            #expect(recording.streams[0].segments.map(\.block.samples) == [samples])
        }
    }

    @Test func markersAreAtTheTimesOfTheirRows() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<400).filter { !(100..<140).contains($0) }.map { row in
            "\(9_000 + Double(row) / 4);\(row % 9);\(row % 150 == 149 ? "go" : "")\n"
        }
        let file = try folder.file("d.csv", "time;eda [uS];stim\n" + rows.joined())
        let recording = try Recording(reading: RecordingFile.open(file, columns: Self.map))
        #expect(recording.streams[0].segments.map(\.start.onset) == [0, 35])
        #expect(recording.markers.map(\.onset) == [37.25, 74.75])
    }

    @Test func aTableOfMarkersAloneIsRead() throws {
        var map = Self.map
        map.columns?.removeFirst()
        let recording = try read(["", "go", "", "stop"], map)
        #expect(recording.streams.isEmpty && recording.markers.map(\.label) == ["go", "stop"])
        #expect(recording.header.duration == 1)
    }

    @Test func whereTextIsRefusedTheColumnMapIsNamed() throws {
        let cells = ["", "go", "", "stop"]
        let undeclared = ColumnMap(columns: [.init(column: "eda [uS]"), .init(column: "stim")])
        let refused = formatError { try read(cells, undeclared) }
        #expect(refused?.contains("found \"go\", expected a number") == true && refused?.contains("--columns") == true)
        #expect(try read(cells, ColumnMap()).header.notes.contains { $0.contains("--columns") })
        let folder = try TemporaryFolder()
        let alone = try folder.file("t.csv", "time,stim\n0,go\n0.25,go\n0.5,go\n")
        #expect(formatError { try Delimited(alone) }?.contains("--columns") == true)
    }

    /// A table without a map whose last column is called `name` and holds `cells`.
    private func undeclared(_ name: String, _ cells: [String]) throws -> Recording {
        let rows = cells.enumerated().map { "\(Double($0) / 4),\($0 % 9),\($1)" }
        let text = (["time,eda [uS],\(name)"] + rows).joined(separator: "\n")
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(folder.file("d.csv", text)))
    }

    @Test(arguments: [
        "Marker", "markers", "EVENT", "Annotation", "trigger", "Cue", "label", "Marker0", "notes", "stim", "Event Code",
        "stimulus", "trigger_id", "Event Types",
    ])
    func cuesInTextAreMarkersWithoutAMap(name: String) throws {
        let cells = (0..<40).map { [7: "go", 8: "go", 20: "stop"][$0, default: ""] }
        let recording = try undeclared(name, cells)
        #expect(recording.markers.map(\.label) == ["go", "stop"] && recording.markers.map(\.onset) == [1.75, 5])
        #expect(recording.streams.map(\.header.kind) == [.eda])
        #expect(
            recording.header.notes.contains { $0.contains("\"\(name)\" gives markers") && $0.contains("--columns") })
    }

    /// The sample that tells what columns are holds some hundred rows.
    @Test(arguments: [250, 500, 5_000]) func cuesMayComeLate(row: Int) throws {
        for name in ["Marker", "notes"] {
            let recording = try undeclared(name, (0..<6_000).map { $0 == row || $0 == row + 9 ? "go" : "" })
            #expect(recording.markers.map(\.label) == ["go", "go"])
            #expect(recording.markers.map(\.onset) == [Double(row) / 4, Double(row + 9) / 4])
            #expect(recording.streams.map(\.header.kind) == [.eda])
        }
        // Text among numbers is a mistake wherever it is, and numbers that come late are a signal.
        #expect(throws: FormatError.self) { try undeclared("x", (0..<6_000).map { $0 == row ? "go" : "0.5" }) }
        let numbers = try undeclared("x", (0..<6_000).map { $0 < row ? "" : "0.5" })
        #expect(numbers.streams.flatMap(\.header.channels).count == 2 && numbers.markers.isEmpty)
    }

    @Test func whatChangesAllTheTimeLaterIsNoColumnOfMarkers() throws {
        let late: [(name: String, cell: (Int) -> String)] = [
            ("trigger", { "\(Double($0 * 37 % 101) / 50)" }), ("event", { "\($0)" }), ("notes", { "comment \($0)" }),
        ]
        for (name, cell) in late {
            let cells = (0..<20_000).map { $0 < 2_000 ? (name == "notes" ? "" : "0") : cell($0) }
            #expect(try undeclared(name, cells).markers.isEmpty, "\(name)")
        }
    }

    /// As spreadsheets and pandas write them.
    @Test func quotationMarksWithinQuotedCellsAreDoubled() throws {
        let cells = (0..<40).map {
            [7: #""say ""hi"", now""#, 20: #""say ""hi"" now""#, 30: #""go, left""#][$0, default: ""]
        }
        #expect(
            try undeclared("event", cells).markers.map(\.label) == [#"say "hi", now"#, #"say "hi" now"#, "go, left"])
    }

    @Test func numbersOfSeveralColumnsAreToldApart() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<40).map {
            "\(Double($0) / 4),\($0 % 9),\($0 == 7 ? 1 : 0),\($0 == 20 ? 1 : 0),\($0 == 30 ? "go" : "")"
        }
        let text = (["time,eda [uS],Trigger1,Trigger2,cue"] + rows).joined(separator: "\n")
        let recording = try Recording(reading: RecordingFile.open(folder.file("d.csv", text)))
        #expect(recording.markers.map(\.label) == ["Trigger1 1", "Trigger2 1", "go"])
    }

    @Test func numbersInAColumnOfEventsAreMarkersAndASignal() throws {
        let recording = try undeclared("trigger", (0..<40).map { [7: "5", 8: "5", 20: "6"][$0, default: "0"] })
        #expect(recording.markers.map(\.label) == ["5", "6"])
        let samples = recording.streams.flatMap { $0.segments.flatMap { $0.block.samples } }
        #expect(recording.streams.count == 2 && samples.contains(6))
    }

    @Test func falseIsNoEvent() throws {
        let recording = try undeclared("event", (0..<40).map { [7: "True", 20: "True"][$0, default: "False"] })
        #expect(recording.markers.map(\.label) == ["True", "True"] && recording.markers.map(\.onset) == [1.75, 5])
    }

    @Test func textThatChangesAllTheTimeIsLeftOut() throws {
        for name in ["notes", "event"] {
            let recording = try undeclared(name, (0..<80).map { "word\($0)" })
            #expect(recording.markers.isEmpty)
            #expect(recording.header.notes.contains { $0.contains("left out") })
        }
    }

    @Test func valuesInAColumnCalledEventAreASignalAlone() throws {
        let recording = try undeclared("event", (0..<80).map { "\(Double($0) * 0.37)" })
        #expect(recording.markers.isEmpty && recording.streams.count == 2)
    }

    @Test func tablesWithoutTimesSayWhatWorks() throws {
        let folder = try TemporaryFolder()
        let message = formatError { try Delimited(folder.file("t.csv", "eda,ecg\n5,1\n9,2\n7,3\n")) }
        for way in ["--text-rate", "--columns", "# sample rate: 250"] {
            #expect(message?.contains(way) == true, "\(message ?? "none")")
        }
    }
}
