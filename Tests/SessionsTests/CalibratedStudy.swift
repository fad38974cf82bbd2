import Decoding
import Formats
import Foundation
import Pipeline
import Sessions
import Signals
import Study
import Testing

/// A study in which participants are calibrated, or are about to be.
enum CalibratedStudy {
    static let now = Timestamp(secondsSince1970: 1_700_000_000)

    static func desk(in folder: URL) throws -> CalibrationDesk {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "Test", version: "test")
        return try CalibrationDesk(study, who: "tester")
    }

    static func write(_ recording: Recording, _ name: String, in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try XDFWriter.write(recording, to: url)
        return url
    }

    /// A participant whose visual attention is calibrated.
    static func calibrated(in folder: URL) throws -> CalibrationDesk {
        let desk = try desk(in: folder)
        let file = try write(CalibratedHeadband.recording(), "calibration.xdf", in: folder)
        let outcome = try CalibrationFitting(desk).fit(.visualAttention, of: "01", to: file, at: Self.now)
        guard case .accepted = outcome else {
            Issue.record("\(outcome)")
            return desk
        }
        return desk
    }
}
