import Cohort
import Foundation
import Study

/// Where results of a study went, for the day when a person is to be erased.
enum BatchTrace {
    /// Notes a folder of results in the bookkeeping of the study they are of.
    static func note(_ folder: URL, of dataset: URL) {
        if StudyFolder.noteResults(of: dataset, in: folder, at: StudyAnalysis.thisMoment()) { return }
        Terminal.note(
            "\(dataset.relativePath): cannot be written, so marey study erase will not find \(folder.relativePath)")
    }
}
