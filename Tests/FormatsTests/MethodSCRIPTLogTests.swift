import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Saved output of instruments that run MethodSCRIPT.
struct MethodSCRIPTLogTests {
    static let timed = """
        e
        M0007
        Peb8000000 ;ba48D503Dp,10,288
        Peb80F4240u;ba4E2C324p,12,288
        *

        """

    @Test func variablesAreStreamsAtTheInstrumentsTimes() throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", Self.timed)))
        #expect(recording.header.format == "MethodSCRIPT" && recording.header.notes.count == 1)
        #expect(recording.streams.map(\.header.kind) == [.current])
        let values = recording.streams[0].values
        #expect(values.map(\.onset) == [0, 1])
        #expect(Array(values[1].values.prefix(3)) == [-5.2247772e-05, 2, 136] && values[1].values[3].isNaN)
        #expect(recording.streams[0].header.channels[2].unit == .dimensionless)
        #expect(recording.header.notes[0].contains("the instrument's own numbers"))
        #expect(recording.markers.map(\.label) == ["measurement CA"])
    }

    @Test(arguments: [
        ("tespico1304#Oct 22 2021 14:38:26\nR*\n", 1e-3), ("tes4_lr1500#Mar 12 2026 14:28:01\n", Double.nan),
    ])
    func rangesAreFullScalesWhereTheInstrumentSaysWhatItIs(answer: String, fullScale: Double) throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", answer + Self.timed)))
        #expect(recording.header.format == "MethodSCRIPT" && recording.header.notes.isEmpty)
        // Of the two families the first has a flag of high speed.
        let flags: [Signals.Unit] = answer.hasPrefix("tespico") ? [.dimensionless] : []
        #expect(
            recording.streams[0].header.channels.map(\.unit)
                == [Unit("A"), .dimensionless, Unit("A"), .unknown] + flags)
        // The other family has no range of this number.
        let range = recording.streams[0].values[1].values[2]
        #expect(range == fullScale || range.isNaN && fullScale.isNaN)
    }

    @Test func genericVariablesHaveStatusRangeAndNoise() throws {
        let lines =
            "tespico1304#Oct 22 2021 14:38:26\ne\nM0007\nPha8000001n,12,200,40C;ib8000001m,10;jc8000001 ,14,201\n*\n"
        let folder = try TemporaryFolder()
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.txt", lines)))
        try #require(recording.streams.map(\.header.name) == ["genericCurrent1", "genericPotential2", "generic3"])
        #expect(recording.streams[0].values[0].values == [1e-9, 2, 100e-9, 12, 0])
        #expect(recording.streams[1].values[0].values[1] == 0 && recording.streams[1].values[0].values[2].isNaN)
        // What is no current and no potential has a range of unknown kind: its number is kept.
        #expect(Array(recording.streams[2].values[0].values.prefix(3)) == [1, 4, 1])
    }

    @Test(.enabled(if: RealData.has("methodscript/lsv_10k_dummy_cell.txt")))
    func aRealSweepHasThePublishedValues() throws {
        let recording = try Recording(
            reading: RecordingFile.open(RealData.url("methodscript/lsv_10k_dummy_cell.txt")))
        let expected = try String(
            contentsOf: RealData.url("methodscript/lsv_10k_dummy_cell_expected.csv"), encoding: .utf8
        ).split(separator: "\n").dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
        #expect(recording.header.notes.first?.contains("no times") == true && recording.header.duration == nil)
        #expect(recording.streams.map(\.header.name) == ["appliedPotential", "current"])
        #expect(recording.streams[0].values.map { $0.values[0] } == expected.map { $0[0] })
        #expect(recording.streams[1].values.map { $0.values[0] } == expected.map { $0[1] })
        #expect(recording.streams[1].values.allSatisfy { $0.values[1] == 0 && $0.values[2] == 0x88 })
    }

    /// Packages of a measurement at these times of the instrument in s; nil: without one.
    private static func measurement(_ times: [Double?]) -> [String] {
        let packages = times.map { time -> String in
            guard let time else { return "Pba8000001n" }
            let digits = String(format: "%07X", Int((time * 1e3).rounded()) + 0x800_0000)
            return "Peb\(digits)m;ba8000001n"
        }
        return ["M0007"] + packages + ["*"]
    }

    @Test(
        arguments: [
            // Each from 0; not from 0; of one package; without a time between others; before the first.
            ([[0, 0.5, 1], [0, 0.5]], [0, 0.5, 1, 1.5, 2], [0, 1.5]),
            ([[3, 4], [3, 4], [1, 2]], [0, 1, 2, 3, 4, 5], [0, 2, 4]),
            ([[0], [0], [0]], [0, 1e-6, 2e-6], [0, 1e-6, 2e-6]),
            (
                [[0, 1], [nil, nil], [0, 1]], [0, 1, 1 + 1e-6, 1 + 2e-6, 2 + 2e-6, 3 + 2e-6], [0, 1 + 1e-6, 2 + 2e-6]
            ),
            ([[nil, nil], [5, 6]], [0, 1e-6, 2e-6, 1 + 2e-6], [0, 2e-6]),
        ] as [([[Double?]], [Double], [Double])])
    func timesThatAreSetBackGoOnAfterTheLastPackage(
        times: [[Double?]], onsets: [Double], beginnings: [Double]
    ) throws {
        let folder = try TemporaryFolder()
        let lines = ["e"] + times.flatMap(Self.measurement) + [""]
        let recording = try Recording(
            reading: RecordingFile.open(folder.file("a.txt", lines.joined(separator: "\n"))))
        let found = recording.streams[0].values.map(\.onset)
        try #require(found.count == onsets.count && recording.markers.count == beginnings.count)
        #expect(zip(found, onsets).allSatisfy { abs($0 - $1) < 1e-9 }, "\(found)")
        #expect(zip(recording.markers, beginnings).allSatisfy { abs($0.onset - $1) < 1e-9 }, "\(recording.markers)")
        #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs((recording.header.duration ?? 0) - (onsets.last ?? 0)) < 1e-9)
    }

    @Test(
        arguments: [
            ("measurement CA", 7), ("measurement begins: EIS", 13), ("measurement technique 1F", 31),
            ("measurement begins: technique C", 12), ("measurement ends", nil), ("measurement 3", nil), ("CA", nil),
        ] as [(String, Int?)])
    func aMarkerTellsWhichMeasurementBegins(label: String, technique: Int?) {
        #expect(MethodSCRIPTTechnique(markerLabel: label)?.rawValue == technique)
    }

    @Test(arguments: [
        ("e\n!4001: Line 3, Col 2\n\n", "line 3, column 2 of the script: unknown command of the script (4001)"),
        ("e!4001: Line 3, Col 2\n", "line 3, column 2 of the script: command e: unknown command of the script (4001)"),
        ("e\nM0003\n*\n\n", "has no data packages"),
    ])
    func aLogWithoutPackagesTellsTheErrorOfTheScript(log: String, told: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", log)
        let problem = try #require(formatError { try RecordingFile.open(file) })
        #expect(problem.contains("has no data packages") && problem.contains(told), "\(problem)")
    }

    @Test func aDamagedLineIsNamed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", Self.timed.replacing("Peb80F4240u", with: "Peb80F42"))
        #expect(throws: FormatError.self) { try MethodSCRIPTLog(file) }
        #expect(formatError { try MethodSCRIPTLog(file) }?.contains("line 4: ") == true)
    }
}
