public import Foundation
import Reports
import Study

/// How far the participants of a study came with the calibrations of each prediction: read from the bookkeeping where the
/// batch is coordinated, kept in its folder, so that nodes of a cluster need not open it.
struct CalibrationLadder: Hashable, Codable {
    /// One prediction.
    struct Step: Hashable, Codable {
        /// Its name.
        var prediction: String
        /// How many participants are unknown, blocked, in need of calibration, calibrated, with a model.
        var counts: [Int]
    }

    /// The predictions that were ever calibrated, in order of their names.
    var steps: [Step] = []

    /// The codes of the statuses, in the order of the ladder.
    private static let codes = [-100, -1, 0, 1, 2]

    /// The ladder of the study in `root`; empty where it is no study or has no bookkeeping.
    /// - Throws: `StudyError` when the bookkeeping cannot be read.
    init(of root: URL) throws {
        let database = root.appendingPathComponent(".marey/study.sqlite")
        guard FileManager.default.fileExists(atPath: database.path), let study = try? StudyFolder(opening: root) else {
            return
        }
        let bookkeeping = try Bookkeeping(study)
        let people = Set(try bookkeeping.participants())
        var latest: [String: [String: Int]] = [:]
        for entry in try bookkeeping.calibrations() {
            latest[entry.prediction, default: [:]][entry.participant] = entry.status
        }
        steps = latest.sorted { $0.key < $1.key }.map { prediction, statuses in
            var counts = Self.codes.map { code in statuses.values.count { $0 == code } }
            counts[0] += people.subtracting(statuses.keys).count
            return Step(prediction: prediction, counts: counts)
        }
    }

    /// What was kept in a batch's folder; empty where nothing was.
    init(keptIn folder: BatchFolder) { self = StateFile.read(from: Self.file(folder)) ?? CalibrationLadder() }

    private init() {}

    /// Keeps it in a batch's folder.
    func keep(in folder: BatchFolder) throws { try StateFile.write(self, to: Self.file(folder)) }

    private static func file(_ folder: BatchFolder) -> URL { folder.state("calibrations.json") }

    /// As the page draws it.
    var drawn: [GroupReport.Calibration] {
        steps.map { GroupReport.Calibration(prediction: $0.prediction, counts: $0.counts) }
    }
}

extension BatchFolder {
    /// Takes down, for the group's page, where the participants of the study in `root` stand with their calibrations.
    /// - Throws: `StudyError` when the bookkeeping cannot be read, `FormatError` when nothing can be written.
    public func noteCalibrations(of root: URL) throws { try CalibrationLadder(of: root).keep(in: self) }
}
