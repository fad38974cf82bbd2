import Decoding
import Foundation
import Pipeline
import Sessions
import Study
import TestSupport
import Testing

/// The file of a model that lies in a study.
@Suite struct CardInStudyTests {
    @Test(
        "the file of a model in a study is used as the study allows", arguments: [CalibrationAction.expire, .block])
    func cardInStudy(action: CalibrationAction) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let file = desk.study.derivatives.appendingPathComponent("sub-01/models/visualAttention-1.json")
            let copy = desk.study.root.appendingPathComponent("copy.json")
            let outside = folder.appendingPathComponent("outside.json")
            let link = folder.appendingPathComponent("link.json")
            for place in [copy, outside] { try FileManager.default.copyItem(at: file, to: place) }
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            for place in [file, copy, outside, link] { _ = try CalibrationDesk.usableCard(at: place) }
            try desk.apply(action, to: .visualAttention, of: "01", cause: "x", at: CalibratedStudy.now)
            let status = action == .block ? "blocked" : "needsCalibration"
            for place in [file, copy, link] {
                #expect { _ = try CalibrationDesk.usableCard(at: place) } throws: {
                    "\($0)".hasPrefix("participant 01 stands at \(status) with visualAttention: the model that is kept")
                }
            }
            // No study says anything of one that lies elsewhere.
            _ = try CalibrationDesk.usableCard(at: outside)
        }
    }

    @Test("the file of a model that was changed since it was noted is not used")
    func changedCardInStudy() throws {
        try withTemporaryFolder { folder in
            let desk = try CalibratedStudy.calibrated(in: folder)
            let file = desk.study.derivatives.appendingPathComponent("sub-01/models/visualAttention-1.json")
            try Data(String(contentsOf: file, encoding: .utf8).appending("\n").utf8).write(to: file)
            #expect { _ = try CalibrationDesk.usableCard(at: file) } throws: {
                "\($0)".contains("was changed since it was noted")
            }
        }
    }
}
