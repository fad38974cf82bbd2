import Formats
public import Foundation
import Pipeline
import Study

/// Copies the results of finished recordings into a BIDS derivatives data set whose names the BIDS validator knows
/// (BIDS 1.10, "Derivatives", "Behavioral experiments"): tables that begin with `onset` and `duration` as `events`, others
/// as `beh`, under `beh/`, the signal and the table's topic in `desc-`; the recording's own events have no `desc-`. Their onsets count from the start of the run, also where
/// the recording began before it.
public struct BIDSExport {
    private let batch: BatchFolder
    private let target: URL

    /// The finished recordings of `batch` that its data set still has, into the new or empty folder `target`.
    public init(_ batch: BatchFolder, to target: URL) {
        self.batch = batch
        self.target = target
    }

    /// Writes the data set. Recordings that are not done now are left out, though they may have been once.
    /// - Parameter warn: called with words on these, where there are some, and on what of the data set's `participants.tsv`
    ///   cannot be taken over.
    /// - Returns: how many recordings it holds.
    /// - Throws: `CohortError` when the folder holds anything already or no recording is done; `StudyError` when the
    ///   export cannot be noted in the batch; `FormatError` when a result cannot be read or written.
    public func write(warn: (String) -> Void = { _ in }) throws -> Int {
        if let content = try? FileManager.default.contentsOfDirectory(atPath: target.path), !content.isEmpty {
            throw CohortError(target, "is not empty", advice: "name a new or an empty folder")
        }
        let (markers, others) = standing()
        if !others.isEmpty { warn("left out, as they are not done: " + others.joined(separator: ", ")) }
        guard !markers.isEmpty else {
            throw CohortError(batch.root, "no recording is done, so there is nothing to export")
        }
        try BatchTraces(batch.root).noteExport(to: target)
        for marker in markers { try write(marker) }
        try writeDescription(markers)
        try writeParticipants(markers).forEach(warn)
        return markers.count
    }

    /// What says that recordings are done, and the others with where they stand.
    private func standing() -> (done: [DoneMarker], others: [String]) {
        var (done, others): ([DoneMarker], [String]) = ([], [])
        for stem in batch.present() {
            guard var plan = batch.latestPlan(stem) else {
                others.append("\(stem) (\(batch.refusal(of: stem)?.description ?? "its plan is damaged"))")
                continue
            }
            // Pages are not exported.
            plan.hasReport = false
            let state = batch.standing(plan)
            if state == .done, let marker = batch.marker(stem) {
                done.append(marker)
            } else {
                others.append("\(stem) (\(state.rawValue))")
            }
        }
        return (done, others)
    }

    private func write(_ marker: DoneMarker) throws {
        let unit = marker.plan.unit
        let folder = target.appendingPathComponent(unit.folder).appendingPathComponent("beh")
        try CohortFolder.make(folder)
        let provenance = try marker.outputs.first { $0.path.hasSuffix("_provenance.json") }.map {
            try batch.content(of: $0, marker)
        }
        let onsets = provenance.flatMap { RunOnsets($0) }
        for output in marker.outputs where output.path.hasSuffix(".tsv") {
            let source = batch.root.appendingPathComponent(output.path)
            let topic = Self.topic(of: source.lastPathComponent, unit.stem)
            guard topic != nil || source.lastPathComponent == unit.stem + "_events.tsv" else { continue }
            let bytes = try batch.content(of: output, marker)
            let suffix = bytes.starts(with: "onset\tduration\t".utf8) ? "events" : "beh"
            let description = topic.map { "_desc-\($0)" } ?? ""
            let stem = folder.appendingPathComponent("\(Self.entities(unit))\(description)_\(suffix)")
            let path = output.path.dropLast(4) + ".json"
            let sidecar = try marker.outputs.first { $0.path == path }.map { try batch.content(of: $0, marker) }
            let shifted = onsets?.shifted(bytes, sidecar ?? []) ?? (table: bytes, sidecar: sidecar ?? [])
            try writeAtomically(shifted.table, to: stem.appendingPathExtension("tsv"))
            if sidecar != nil { try writeAtomically(shifted.sidecar, to: stem.appendingPathExtension("json")) }
        }
    }

    /// The signal and the topic as one label, such as `ecgHrv`; nil for files that are no table of ours.
    static func topic(of name: String, _ stem: String) -> String? {
        guard name.hasPrefix(stem + "_") else { return nil }
        let entities = BIDSFileName(String(name.dropFirst(stem.count + 1))).entities
        guard let topic = entities["desc"] else { return nil }
        guard let recording = entities["recording"] else { return topic }
        return recording + topic.prefix(1).uppercased() + topic.dropFirst()
    }

    /// BIDS wants a task for behaviour.
    private static func entities(_ unit: CohortUnit) -> String {
        var unit = unit
        if unit.task == nil { unit.task = "unnamed" }
        return unit.stem
    }

    private func writeDescription(_ markers: [DoneMarker]) throws {
        let parameters = Set(markers.map(\.plan.parametersSHA256)).sorted().joined(separator: ", ")
        let fields: [String: Any] = [
            "Name": "Results of Marey", "BIDSVersion": "1.10.0", "DatasetType": "derivative",
            "GeneratedBy": [
                [
                    "Name": "Marey", "Version": MareyVersion.current,
                    "Description": "Parameters with SHA-256 \(parameters)",
                ]
            ],
        ]
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let data = try JSONSerialization.data(withJSONObject: fields, options: options)
        try writeAtomically(Array(data) + [0x0A], to: target.appendingPathComponent("dataset_description.json"))
        try writeAtomically(Array(Self.readMe.utf8), to: target.appendingPathComponent("README.md"))
    }

    private static let readMe = """
        # Results of Marey \(MareyVersion.current)

        Tables of physiological recordings as BIDS derivatives, a table per signal and topic, which `desc-` names: `events`
        where rows have an onset and a duration, `beh` otherwise. Onsets count from the start of the run. The sidecar of each
        table tells every column's definition, unit and source; `n/a` is a value that could not be computed.
        `participants.tsv` is taken over from the data set that the recordings are of.

        """

    /// Writes who the recordings are of, and what the data set says of them.
    /// - Returns: what is to be warned of.
    private func writeParticipants(_ markers: [DoneMarker]) throws -> [String] {
        let labels = Set(markers.map(\.plan.unit.participant)).sorted()
        let people = ExportedParticipants(labels, of: URL(fileURLWithPath: markers[0].plan.dataset))
        try writeAtomically(people.table, to: target.appendingPathComponent("participants.tsv"))
        if let descriptions = people.descriptions {
            try writeAtomically(descriptions, to: target.appendingPathComponent("participants.json"))
        }
        return people.warnings
    }
}
