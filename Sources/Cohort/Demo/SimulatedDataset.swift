import Formats
public import Foundation
import Pipeline
import Signals
public import Simulation

/// Writes a simulated cohort as a BIDS data set with its truth: `participants.tsv`, a recording per participant, session
/// and task as EDF+ (as XDF under `sourcedata` where EDF cannot hold it), `truth.tsv` and `simulation.json`.
public struct SimulatedDataset {
    /// The cohort.
    public let cohort: SimulatedCohort
    private let root: URL

    /// The data set of `cohort` in `root`.
    public init(_ cohort: SimulatedCohort, in root: URL) {
        self.cohort = cohort
        self.root = root
    }

    /// Writes it; the same cohort gives the same bytes. Where that fails, what was written goes again, so that it can be tried
    /// once more.
    /// - Parameter progress: called with the share that is written, 0…1.
    /// - Throws: `CohortError` when the folder holds anything already, `FormatError` when it cannot be written.
    public func write(progress: (Double) -> Void = { _ in }) throws {
        let wasThere = FileManager.default.fileExists(atPath: root.path)
        try CohortFolder.make(root)
        guard let content = try? FileManager.default.contentsOfDirectory(atPath: root.path) else {
            throw CohortError(root, "cannot be read", advice: "name a new or an empty folder")
        }
        guard content.isEmpty else {
            throw CohortError(root, "is not empty", advice: "name a new or an empty folder")
        }
        do { try fill(progress) } catch {
            removeMade(withFolder: !wasThere)
            throw error
        }
    }

    /// Takes away what was written into a folder that was empty.
    private func removeMade(withFolder isOurs: Bool) {
        var names = ["sourcedata", "dataset_description.json", ".bidsignore", "simulation.json"]
        names += ["participants.tsv", "participants.json", "truth.tsv", "truth.json"]
        for member in cohort.members { names += ["sub-\(member.label)", "task-\(member.condition.task)_eeg.json"] }
        for name in Set(names) { try? FileManager.default.removeItem(at: root.appendingPathComponent(name)) }
        if isOurs { rmdir(root.path) }
    }

    private func fill(_ progress: (Double) -> Void) throws {
        for (number, member) in cohort.members.enumerated() {
            try write(member)
            progress(Double(number + 1) / Double(cohort.members.count))
        }
        try writeAtomically(Array(Self.description.utf8), to: root.appendingPathComponent("dataset_description.json"))
        try writeAtomically(
            Array("truth.tsv\ntruth.json\nsimulation.json\nsourcedata/\n".utf8),
            to: root.appendingPathComponent(".bidsignore"))
        for task in Set(cohort.members.map(\.condition.task)).sorted() { try describe(task) }
        try writeParticipants()
        try writeTruth()
        try StateFile.write(cohort.parameters, to: root.appendingPathComponent("simulation.json"))
    }

    private func write(_ member: SimulatedCohort.Member) throws {
        let recording = cohort.recording(of: member)
        let stem = "sub-\(member.label)_ses-\(member.session)_task-\(member.condition.task)"
        let folder = "sub-\(member.label)/ses-\(member.session)"
        let isXDF = member.fault == .emptyIBI
        let place = isXDF ? "sourcedata/\(folder)/\(stem).xdf" : "\(folder)/eeg/\(stem)_eeg.edf"
        let url = root.appendingPathComponent(place)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        if isXDF {
            try XDFWriter.write(RecordedEvents(recording), to: url, software: "Marey \(MareyVersion.current)")
        } else {
            _ = try EDFWriter.write(to: url) { RecordedEvents(recording) }
        }
    }

    /// What BIDS demands to be told of the recordings of a task (BIDS 1.10, "Electroencephalography").
    private func describe(_ task: String) throws {
        let lines = [
            "\"TaskName\": \"\(task)\"",
            "\"SamplingFrequency\": \(NumberFormatting.text(EEGParameters().sampleRate))",
            "\"EEGReference\": \"n/a\"", "\"PowerLineFrequency\": \"n/a\"", "\"SoftwareFilters\": \"n/a\"",
        ]
        try writeAtomically(
            Array("{\n  \(lines.joined(separator: ",\n  "))\n}\n".utf8),
            to: root.appendingPathComponent("task-\(task)_eeg.json"))
    }

    private func writeParticipants() throws {
        var table = Table(columns: [
            Column("participant_id", "Participant label"),
            Column("fault", "What went wrong with one of the recordings; n/a for most"),
        ])
        for member in cohort.members where table.rows.last?.first != .text("sub-\(member.label)") {
            let fault = cohort.members.first { $0.participant == member.participant && $0.fault != nil }?.fault
            table.append([.text("sub-\(member.label)"), fault.map { .text($0.rawValue) } ?? .missing])
        }
        try TSV.write(table, to: root.appendingPathComponent("participants.tsv"))
        try writeAtomically(
            TableJSON.sidecar(table.columns), to: root.appendingPathComponent("participants.json"))
    }

    private func writeTruth() throws {
        var table = Table(columns: Self.truthColumns)
        for member in cohort.members {
            table.append([
                .text(member.label), .text("\(member.session)"), .text(member.condition.task),
                .number(member.heartRate), .number(member.hfPower), .number(member.skin.level),
                .number(member.skin.responsesPerMinute), .number(member.alpha),
                member.fault.map { .text($0.rawValue) } ?? .missing,
            ])
        }
        try TSV.write(table, to: root.appendingPathComponent("truth.tsv"))
        try writeAtomically(TableJSON.sidecar(table.columns), to: root.appendingPathComponent("truth.json"))
    }

    private static let truthColumns = [
        Column("participant", "Participant label"), Column("session", "Session label"), Column("task", "Task label"),
        Column("heartRate", unit: .beatsPerMinute, "Mean heart rate"),
        Column("hfPower", unit: Unit("ms²"), "Power of the RR series at the respiratory frequency"),
        Column("conductance", unit: .microsiemens, "Level of skin conductance"),
        Column("responsesPerMinute", unit: Unit("1/min"), "Rate of skin conductance responses"),
        Column("alpha", unit: .microvolts, "Amplitude of the alpha rhythm"),
        Column("fault", "What went wrong; n/a where nothing did"),
    ]

    private static let description = """
        {
          "Name": "Simulated cohort",
          "BIDSVersion": "1.10.0",
          "DatasetType": "raw",
          "GeneratedBy": [{ "Name": "Marey", "Version": "\(MareyVersion.current)" }]
        }

        """
}
