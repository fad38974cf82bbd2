import Decoding
import Foundation
import Pipeline
import Sessions
import Signals
import Study
import TestSupport
import Testing

/// Models that are kept in one study at the same time.
@Suite struct KeptModelsTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    private static func card() throws -> ModelCard {
        let recording = CalibratedHeadband.recording()
        let read = try CalibratedHeadband.epochs(recording)
        let spans = TaskSpans(recording.markers, prediction: "visualAttention").spans
        let fitted = try ModelFitting().fit(
            CalibrationBlock.blocks(read.epochs, spans: spans), prediction: "visualAttention", layout: read.layout)
        return ModelCard(fitted: fitted, recordings: [], version: "test")
    }

    @Test("a model never replaces one whose number another program has just taken")
    func takenNumber() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(
                at: folder.appendingPathComponent("study"), name: "Test", version: "test")
            let desk = try CalibrationDesk(study, who: "tester")
            let card = try Self.card()
            let models = "derivatives/marey/sub-01/models"
            #expect(try desk.keep(card, of: "01", at: Self.now) == "\(models)/visualAttention-1.json")
            // Written, but not noted yet.
            let theirs = study.root.appendingPathComponent("\(models)/visualAttention-2.json")
            try Data("theirs".utf8).write(to: theirs)
            #expect(try desk.keep(card, of: "01", at: Self.now) == "\(models)/visualAttention-3.json")
            #expect(try Data(contentsOf: theirs) == Data("theirs".utf8))
            #expect(try desk.bookkeeping.models().map(\.participant) == ["01", "01"])
            // What is noted of the latest is true of its file.
            #expect(try desk.card(of: "01", .visualAttention) != nil)
        }
    }
}
