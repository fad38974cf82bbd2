import Formats
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// Streams from which nothing is computed say why, with a typed cause, as the verbs do that are asked for them alone.
struct SkippedStreamTests {
    private static func analysis(_ header: String, rate: Double) throws -> RecordingAnalysis {
        try withTemporaryFolder { folder in
            let rows = (0..<Int(120 * rate)).map { row in
                String(format: "%.4f,%.4f,%.4f\n", Double(row) / rate, sin(Double(row)), 2 + sin(Double(row) / 99))
            }
            let file = folder.appendingPathComponent("a.csv")
            try Data(("time [s],\(header)\n" + rows.joined()).utf8).write(to: file)
            return try RecordingAnalysis(RecordingFile.open(file), parameters: Parameters(), file: "a.csv")
        }
    }

    @Test(arguments: [("ECG [mV]", 20.0, StreamKind.ecg), ("PPG", 4, .bvp), ("EEG Cz [uV]", 16, .eeg)])
    func streamOfTooLowARate_isSkippedWithTheRate(label: String, rate: Double, kind: StreamKind) throws {
        let analysis = try Self.analysis("\(label),EDA [uS]", rate: rate)
        let skipped = analysis.skipped.filter { $0.kind == kind }
        #expect(skipped.map(\.cause) == [.sampleRate] && skipped.allSatisfy(\.isFault))
        let told = analysis.remarks.filter { $0.contains("was not computed") && $0.contains("Hz") }
        #expect(told.count == 1 && told[0].hasPrefix(skipped[0].stream), "\(analysis.remarks)")
        #expect(analysis.notComputed.contains { $0.what == "stream \(skipped[0].stream)" })
    }

    @Test func streamWithoutAMethod_isNoFault() throws {
        let analysis = try Self.analysis("pressure [hPa],EDA [uS]", rate: 20)
        #expect(analysis.skipped.map(\.cause) == [.noMethod])
        #expect(!analysis.remarks.contains { $0.contains("was not computed") })
    }

    @Test func provenance_keepsTheCauseAsAWordOfItsOwn() throws {
        var provenance = try Provenance(inputs: [], parameters: Parameters())
        provenance.skipped = try Self.analysis("ECG [mV],EDA [uS]", rate: 20).skipped
        let text = try JSONEncoder().encode(provenance)
        #expect(String(decoding: text, as: UTF8.self).contains("\"cause\":\"sampleRate\""))
        #expect(try JSONDecoder().decode(Provenance.self, from: text) == provenance)
    }
}
