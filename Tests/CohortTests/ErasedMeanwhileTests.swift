import Cohort
import Foundation
import Pipeline
import Signals
import Study
import TestSupport
import Testing

/// Whoever is erased while results of theirs are computed does not come back.
struct ErasedMeanwhileTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    @Test("of a run whose participant is erased while it is analyzed nothing is written, no folder either")
    func analysis() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let original = folder.appendingPathComponent("a.csv")
            let lines = ["time,ecg"] + (0..<3_000).map { "\(Double($0) / 100),\($0 % 100 == 50 ? 1 : 0)" }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: original)
            let name = try #require(RunName(subject: "Zyxwvu"))
            let path = try StudyImport(study: study, name: name).add(original, at: Self.now)
            // Under a second name the content outlives the erasure, as for a program that has read the file already.
            let recording = study.root.appendingPathComponent(path)
            try #require(link(recording.path, folder.appendingPathComponent("kept.csv").path) == 0)
            var (receipts, problems) = ([ErasureReceipt](), [String]())
            var analysis = StudyAnalysis(study: study, parameters: Parameters())
            analysis.tell = { message in
                switch message {
                case .progress where receipts.isEmpty:
                    do { receipts.append(try study.erase("Zyxwvu")) } catch { Issue.record(error) }
                case .failed(_, let error): problems.append("\(error)")
                default: break
                }
            }
            let outcome = try analysis.run()
            #expect(outcome.failed == 1 && outcome.all == 1)
            #expect(receipts.count == 1 && receipts.first?.left.isEmpty == true, "\(receipts)")
            #expect(problems.count == 1, "\(problems)")
            let files = try FileManager.default.subpathsOfDirectory(atPath: study.root.path)
            #expect(!files.contains { $0.contains("Zyxwvu") }, "\(files)")
            #expect(try Bookkeeping(study).participants().isEmpty)
        }
    }
}
