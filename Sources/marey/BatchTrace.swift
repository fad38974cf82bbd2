import Cohort
import Foundation
import Study

/// Where results of a study went, for the day when a person is to be erased.
enum BatchTrace {
    /// Notes a folder of results in the study they are of: in its bookkeeping, or beside it where this is a node of a
    /// cluster, which opens none.
    static func note(_ folder: URL, of dataset: URL) {
        let isNode = BatchMachine.job != nil
        if StudyFolder.noteResults(of: dataset, in: folder, at: StudyAnalysis.thisMoment(), isNode: isNode) { return }
        Terminal.note(
            "\(dataset.relativePath): cannot be written, so marey study erase will not find \(folder.relativePath)")
    }
}
