public import Foundation
public import Signals
public import Study

extension StudyFolder {
    /// The label of a participant who is told by it, with or without `sub-`, or as files of the study or plans of a
    /// batch spell it; nil where the text has neither letters nor digits.
    /// - Throws: `CohortError` when `study.yaml` makes no sense, or a folder cannot be listed.
    public func participantLabel(of text: String) throws -> String? {
        if let name = RunName(subject: text) { return name.subject }
        let plain = text.hasPrefix("sub-") ? String(text.dropFirst(4)) : text
        let batch = BatchFolder(root)
        let planned = batch.stems().compactMap { batch.plan($0)?.unit }
        let mapped = try parametersFile.flatMap(CohortMapping.read)?.units(in: root) ?? []
        let spelled = (planned + mapped).first { [text, plain].contains($0.spelling?["subject"]) }
        let label = spelled?.participant ?? RunName.label(from: plain)
        return label.isEmpty ? nil : label
    }

    /// Files of a participant whose names only `study.yaml` explains, relative to the study: recordings that fit its
    /// patterns, and tables of events.
    /// - Throws: `CohortError` when `study.yaml` makes no sense, or a folder cannot be listed.
    public func configuredFiles(of participant: String) throws -> [String] {
        guard let file = parametersFile else { return [] }
        var found: Set<String> = []
        for unit in try CohortMapping.read(file)?.units(in: root) ?? [] where unit.participant == participant {
            found.formUnion(unit.files.map(\.path))
        }
        // A path without a subject is a table for everybody.
        if let events = try GroupDesign.read(file).events, let pattern = try? PathPattern(events) {
            for (path, labels) in try pattern.matches(in: root)
            where RunName.label(from: labels["subject"] ?? "") == participant {
                found.insert(path)
            }
        }
        return found.filter { !$0.hasPrefix("/") }.sorted()
    }

    /// Notes in the study's bookkeeping that results of its recordings go to `folder`, where that lies elsewhere, and
    /// takes up what nodes of a cluster noted.
    /// - Parameter isNode: whether this is a node of a cluster: it opens no bookkeeping and leaves a file beside it.
    /// - Returns: whether it can be told of when a person is erased.
    public static func noteResults(
        of root: URL, in folder: URL, at now: Timestamp, isNode: Bool = false
    ) -> Bool {
        guard let study = try? StudyFolder(opening: root),
            FileManager.default.fileExists(atPath: study.database.path)
        else { return true }
        guard study.relativePath(of: folder) == nil, folder.standardizedFileURL.path != root.standardizedFileURL.path
        else { return true }
        do {
            let path = folder.standardizedFileURL.path
            if isNode {
                try study.leaveNote(ofOutput: path)
            } else {
                let bookkeeping = try Bookkeeping(study)
                try bookkeeping.noteOutput(path, at: now)
                try study.collectNotes(into: bookkeeping, at: now)
            }
            return true
        } catch { return false }
    }
}
