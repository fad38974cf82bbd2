import Formats
import Foundation
import Pipeline
import Reports
import Signals

/// Gathers the results of a cohort into tables: `group/indexes_long.tsv` with a row per value, `indexes_wide.tsv` with
/// a row per recording, `condition_means.tsv` with a row per condition and value, `missingness.tsv`, `descriptives.tsv`,
/// `comparisons.tsv`, `reliability.tsv`, `outliers.tsv` and `failures.tsv`, a page, `report.html`, with the numbers behind its
/// figures in `figures`, each table with a JSON sidecar, and a page per participant. Only recordings whose results are complete
/// are taken, in the order of their labels, so the tables follow from the results alone.
public struct GroupTables {
    private let plan: BatchPlan
    private let folder: URL
    private let design: GroupDesign
    private let hasPages: Bool
    private let notes: [String]
    private let series: ToldSeries?

    /// The tables over the recordings of `plan`.
    /// - Parameters:
    ///   - design: what is compared.
    ///   - hasPages: whether a page is written for every participant.
    ///   - notes: what else the group's page tells of the cohort, such as who has no recording.
    ///   - series: what was told of the recordings' tables while they were computed.
    /// - Throws: `CohortError` when the folder cannot be written.
    public init(
        _ plan: BatchPlan, design: GroupDesign = GroupDesign(), hasPages: Bool = true, notes: [String] = [],
        series: ToldSeries? = nil
    ) throws {
        self.plan = try plan.confirmed()
        self.design = design
        self.hasPages = hasPages
        self.notes = notes
        self.series = series
        folder = plan.folder.root.appendingPathComponent("group")
    }

    /// Recordings that are neither done nor failed.
    public var unfinished: [UnitPlan] {
        plan.entries.filter { $0.state != .done && $0.state != .failed }.map(\.plan)
    }

    /// Writes the tables.
    /// - Parameters:
    ///   - allowMissing: whether to go on without recordings that are neither done nor failed.
    ///   - progress: called with the share of recordings that were read, 0…1.
    ///   - warn: called with what is wrong with the design, with events and participants.tsv, and what follows: nothing
    ///     of this stops the tables.
    /// - Returns: how many recordings were taken.
    /// - Throws: `CohortError` when recordings are missing and that is not allowed, or none is done; `FormatError` when
    ///   results cannot be read or tables not written.
    public func write(
        allowMissing: Bool = false, progress: (Double) -> Void = { _ in }, warn: (String) -> Void = { _ in }
    ) throws -> Int {
        if !allowMissing { try demandAll() }
        let done = plan.entries.filter { $0.state == .done }
        guard !done.isEmpty else { throw CohortError(plan.folder.root, "no recording is done, so there is no table") }
        let tables = ResultTables(plan.folder)
        let markers = Dictionary(uniqueKeysWithValues: done.map { ($0.plan.unit.stem, $0.marker) })
        let conditions = CohortConditions(
            done.map(\.plan.unit), in: dataset, design: design,
            results: { unit in
                ResultFolder(plan.folder.root.appendingPathComponent(unit.folder), stem: unit.stem).events
            }, end: { unit in markers[unit.stem]?.flatMap { try? tables.end($0) } })
        let groups = ParticipantGroups(
            dataset, participants: Set(plan.entries.map(\.plan.unit.participant)),
            measured: Set(done.map(\.plan.unit.participant)))
        try CohortFolder.make(folder)
        // Until it is there again, what lies here may be of two runs.
        unlink(Self.seal(plan.folder).path)
        let (recordings, keys) = try writeLong(done, conditions, progress)
        let others = plan.entries.filter { $0.state != .done }.map { ($0.plan.unit, $0.state) }
        let summary = GroupSummary(recordings, others: others)
        let presence = ConditionPresence(summary)
        let comparisons = GroupComparisons(summary: summary, groups: groups.columns, design: design)
        let found = comparisons.outcome()
        let reliability = GroupReliability(summary: summary, design: design).outcome()
        let compared: GroupComparisons.Outcome = (
            found.findings, found.reasons + reliability.reasons, found.warnings
        )
        let warnings =
            SameBytes(done.compactMap(\.marker)).lines + conditions.warnings + groups.warnings + comparisons.warnings
            + compared.warnings + reliability.warnings
            + presence.lines(of: comparisons.conditionPairs) + notChosen(done.count)
        warnings.forEach(warn)
        try AtomicFile.together {
            try GroupMembers(done.compactMap(\.marker)).write(to: plan.folder)
            try write(summary, presence, compared, reliability.table, warnings, keys)
        }
        return done.count
    }

    /// Finished recordings that were not chosen, as by labels, and that the tables are therefore without.
    private func notChosen(_ taken: Int) -> [String] {
        let chosen = Set(plan.entries.map(\.plan.unit.stem))
        let others = plan.folder.present().filter { stem in
            !chosen.contains(stem) && plan.folder.marker(stem)?.isPassing == false
        }
        guard !others.isEmpty else { return [] }
        return [
            "the tables are over the \(taken) chosen \(taken == 1 ? "recording" : "recordings") alone: \(others.count) other "
                + "finished \(others.count == 1 ? "recording is" : "recordings are") not in them "
                + "(\(Listing.text(others))); the group level without labels takes up all"
        ]
    }

    private func demandAll() throws {
        let open = unfinished
        for entry in plan.entries where entry.state == .unreadable {
            guard let refusal = plan.folder.refusal(of: entry.plan.unit.stem) else { continue }
            throw CohortError(refusal.problem, advice: refusal.advice.map { $0 + ", or add --allow-missing" })
        }
        guard open.isEmpty else {
            let names = open.prefix(5).map(\.unit.stem).joined(separator: ", ") + (open.count > 5 ? ", …" : "")
            let origins = open.compactMap { one in plan.folder.marker(one.unit.stem)?.origin(besides: one) }
            let others = Dictionary(grouping: origins) { $0 }.sorted { $0.key < $1.key }.map { origin, all in
                "; \(all.count) \(all.count == 1 ? "has" : "have") those of \(origin)"
            }
            throw CohortError(
                "\(open.count) of \(plan.entries.count) recordings have no results yet: \(names)" + others.joined(),
                advice: "run the participant level to its end\(origins.isEmpty ? "" : " with this --config"), or add "
                    + "--allow-missing")
        }
    }

    /// The data set's folder.
    private var dataset: URL { URL(fileURLWithPath: plan.entries[0].plan.dataset) }

    /// Writes the row of every value, and keeps the means of every recording.
    private func writeLong(
        _ done: [BatchPlan.Entry], _ conditions: CohortConditions, _ progress: (Double) -> Void
    ) throws -> (recordings: [GroupSummary.Recording], keys: [String]) {
        let long = try AtomicFile(folder.appendingPathComponent("indexes_long.tsv"))
        var header: [UInt8] = []
        TSV.appendHeader(GroupColumns.long, to: &header)
        try long.write(header)
        var text = TSVText()
        let tables = ResultTables(
            plan.folder, series: series, anchoredBy: design.windows == .condition ? plan.parameters : nil)
        var (recordings, keys): ([GroupSummary.Recording], [String]) = ([], [])
        let catalog = IndexCatalog()
        for (number, entry) in done.enumerated() {
            guard let marker = entry.marker else { continue }
            keys.append(marker.key)
            var recording = GroupSummary.Recording(
                unit: entry.plan.unit, means: RecordingMeans(catalog), facts: try tables.facts(marker))
            let events = conditions.events(of: entry.plan.unit)
            recording.toldConditions = events.labels
            recording.coveredConditions = Set(events.parts.filter { $0.value.isEmpty }.keys)
            var end = LastWindow()
            try tables.values(marker, events) { value in
                if let condition = value.condition {
                    recording.conditions[condition, default: RecordingMeans(catalog)].add(value)
                    if let accepted = value.accepted {
                        let key = RecordingMeans.Key(signal: value.signal, index: value.index.name)
                        recording.accepted[condition, default: [:]][key] = accepted
                    }
                }
                if value.isPart { return }
                end.take(value)
                recording.means.add(value)
                Self.write(entry.plan.unit, value, to: &text)
                if text.byteCount > 1 << 15 { try long.write(text.take()) }
            }
            if recording.facts.duration == nil {
                (recording.facts.duration, recording.facts.slack) = (end.end, end.slack)
            }
            recordings.append(recording)
            progress(Double(number + 1) / Double(done.count))
        }
        try long.write(text.take())
        try long.commit()
        try writeAtomically(
            TableJSON.sidecar(GroupColumns.long), to: folder.appendingPathComponent("indexes_long.json"))
        return (recordings, keys)
    }

    private func write(
        _ summary: GroupSummary, _ presence: ConditionPresence, _ compared: GroupComparisons.Outcome,
        _ reliability: Table, _ warnings: [String],
        _ hashes: [String]
    ) throws {
        let outliers = QualityOutliers(summary: summary)
        for (name, table) in [
            ("indexes_wide", summary.wide()), ("missingness", summary.missingness()),
            ("descriptives", summary.descriptives()), ("failures", failures()),
            ("comparisons", GroupComparisons.table(compared.findings)),
            ("reliability", reliability),
            ("outliers", outliers.table()),
        ] {
            try write(table, named: name)
        }
        try write(ConditionMeans(summary), named: "condition_means")
        try write(presence.table(), named: "condition_participants")
        let provenance = GroupProvenance(plan, keys: hashes)
        let page = try GroupPage(
            title: "\(dataset.lastPathComponent): the group", summary: summary, conditions: presence.drawn(),
            findings: compared.findings,
            notCompared: compared.reasons, outliers: outliers, failures: failureRecords, reports: reports(),
            calibrations: CalibrationLadder(keptIn: plan.folder), notes: notes + warnings, hasPages: hasPages,
            isReliabilityTold: reliability.rowCount > 0,
            parameters: GroupMethods.sentence(of: provenance.parameters, hash: provenance.parametersSHA256))
        try writePages(page, ParticipantPages(summary, outliers, failureRecords, reports: reports()))
        try StateFile.write(provenance, to: Self.seal(plan.folder))
    }

    /// Writes a table and its sidecar.
    private func write(_ table: some TableContent, named name: String) throws {
        try TSV.write(table, to: folder.appendingPathComponent(name + ".tsv"))
        try writeAtomically(TableJSON.sidecar(table.columns), to: folder.appendingPathComponent(name + ".json"))
    }

    /// What is written last: where it is, all tables are there and of one run.
    static func seal(_ batch: BatchFolder) -> URL { batch.root.appendingPathComponent("group/provenance.json") }

    private var failureRecords: [FailureRecord] {
        plan.entries.filter { $0.state == .failed }.compactMap { plan.folder.failure($0.plan.unit.stem) }
    }

    private func writePages(_ group: GroupPage, _ pages: ParticipantPages) throws {
        let page = group.report()
        try writeAtomically(Array(page.html().utf8), to: folder.appendingPathComponent("report.html"))
        let figures = folder.appendingPathComponent(GroupReport.figureFolder)
        try? FileManager.default.removeItem(at: figures)
        try CohortFolder.make(figures)
        for (name, text, columns) in page.figureTables() {
            let url = figures.appendingPathComponent(name)
            try writeAtomically(Array(text.utf8), to: url)
            try writeAtomically(
                TableJSON.sidecar(columns), to: url.deletingPathExtension().appendingPathExtension("json"))
        }
        guard hasPages else {
            // Of an earlier run, and of other numbers than these tables.
            for label in pages.labels {
                unlink(plan.folder.root.appendingPathComponent(ParticipantPages.path(of: label)).path)
            }
            return
        }
        for label in pages.labels {
            let url = plan.folder.root.appendingPathComponent(ParticipantPages.path(of: label))
            try CohortFolder.make(url.deletingLastPathComponent())
            try writeAtomically(Array(pages.html(label).utf8), to: url)
        }
    }

    /// The report of each recording that has one, relative to the output folder.
    private func reports() -> [String: String] {
        var found: [String: String] = [:]
        for entry in plan.entries where entry.state == .done {
            let outputs = entry.marker?.outputs ?? []
            found[entry.plan.unit.stem] = outputs.first { $0.path.hasSuffix("_report.html") }?.path
        }
        return found
    }

    private func failures() -> Table {
        var table = Table(columns: GroupColumns.failures)
        for entry in plan.entries where entry.state == .failed {
            guard let failure = plan.folder.failure(entry.plan.unit.stem) else { continue }
            table.append(
                GroupColumns.cells(entry.plan.unit) + [
                    .text(failure.kind.rawValue), .text(failure.message), failure.place.map(Cell.text) ?? .missing,
                    .text(entry.plan.unit.recording),
                ])
        }
        return table
    }

    /// The row of a value, under `GroupColumns.long`.
    private static func write(_ unit: CohortUnit, _ value: ResultTables.Value, to text: inout TSVText) {
        func cell(_ value: String?) { value.map { text.text($0) } ?? text.missing() }
        func cell(_ value: Int?) { value.map { text.integer($0) } ?? text.missing() }
        text.text(unit.participant)
        cell(unit.session)
        cell(unit.task)
        cell(unit.acquisition)
        cell(unit.run)
        cell(value.window)
        cell(value.onset)
        cell(value.duration)
        text.text(value.signal)
        text.text(value.index.name)
        cell(value.text)
        text.text(value.index.unit)
        cell(value.coverage)
        cell(value.quality)
        cell(value.count)
        text.endRow()
    }
}
