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
        #expect(recording.header.format == "MethodSCRIPT" && recording.header.notes.isEmpty)
        #expect(recording.streams.map(\.header.kind) == [.current])
        let values = recording.streams[0].values
        #expect(values.map(\.onset) == [0, 1])
        #expect(values[1].values == [-5.2247772e-05, 2, 136])
        #expect(recording.markers.map(\.label) == ["measurement CA"])
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

    @Test func aDamagedLineIsNamed() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.txt", Self.timed.replacing("Peb80F4240u", with: "Peb80F42"))
        #expect(throws: FormatError.self) { try MethodSCRIPTLog(file) }
        #expect(formatError { try MethodSCRIPTLog(file) }?.contains("line 4: ") == true)
    }
}
