import Study

extension StudyFolder {
    /// The files in the study that an erasure would delete; none of somebody it does not know.
    func foreseenFiles(of participant: String) -> [String] {
        foreseen(participant).filter { !$0.hasPrefix("/") }
    }

    /// Those in outputs and exports elsewhere, with their whole paths.
    func foreseenFilesElsewhere(of participant: String) -> [String] {
        foreseen(participant).filter { $0.hasPrefix("/") }
    }

    private func foreseen(_ participant: String) -> [String] {
        (try? foreseenErasure(of: participant))?.files ?? []
    }
}
