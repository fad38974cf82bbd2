import Foundation
import TestSupport
import Testing

/// The command line on real recordings.
struct RealRecordingTests {
    /// WFDB, EDF, an E4 session and an RR text file.
    private static let recordings = [
        "mitdb/100.hea", "eegmat/Subject00_1.edf", "e4_stress_predict/S05.zip", "rr_series/hrv_analysis_nn.txt",
    ]

    @Test(.enabled(if: RealData.has("mitdb/100.hea")))
    func beatsOfTheArrhythmiaDatabaseAreFound() throws {
        let outcome = try Program.run("validate", RealData.url("mitdb").path)
        #expect(outcome.status == 0, "\(outcome.messages)")
        let gross = outcome.rows.filter { $0[0] == "gross" }
        #expect(Set(outcome.rows.map { $0[0] }).count == 23)
        // Regression bounds: what the detector reached when they were written, less a margin for a beat or two.
        let bounds = ["0.15": 99.5, "0.05": 98.9, "0.02": 94.0]
        for row in gross {
            let bound = try #require(bounds[row[1]])
            #expect(try #require(Double(row[7])) >= bound, "F1 at \(row[1]) s: \(row[7])")
        }
    }

    @Test(arguments: recordings.filter { RealData.has($0) })
    func everyKindOfRecordingIsAnalyzed(recording: String) throws {
        try withTemporaryFolder { folder in
            let outcome = try Program.run("analyze", RealData.url(recording).path, "--output", "results", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            let files = try FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent("results").path)
            #expect(files.contains { $0.hasSuffix("_report.html") })
            #expect(files.contains { $0.hasSuffix("desc-hrv_physio.tsv") })
        }
    }

    @Test(arguments: recordings.filter { !$0.hasSuffix(".txt") && RealData.has($0) })
    func hrvFromTheBeatsTableIsThatFromTheRecording(recording: String) throws {
        try withTemporaryFolder { folder in
            let path = RealData.url(recording).path
            let beats = try Program.run("beats", path, "--output", "beats.tsv", in: folder)
            #expect(beats.status == 0, "\(beats.messages)")
            let direct = try Program.run("hrv", path, in: folder)
            let throughTable = try Program.run("hrv", "beats.tsv", in: folder)
            #expect(direct.status == 0, "\(direct.messages)")
            #expect(direct.rows.count >= 2)
            // Beats say nothing about the signal they were found in.
            #expect(try direct.rows(without: "quality") == throughTable.rows(without: "quality"))
            #expect(try throughTable.column("quality").allSatisfy { $0 == "n/a" })
        }
    }
}
