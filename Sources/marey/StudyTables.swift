import Signals
import Study

/// What `marey study status` shows.
enum StudyTables {
    static let statusColumns = [
        Column("participant", "Participant label"),
        Column("session", "Session label"),
        Column("task", "Task label"),
        Column("run", unit: .dimensionless, "Run number"),
        Column("status", "Where the run stands"),
        Column("analysis", "How its latest analysis went; n/a when there was none"),
        Column("version", "The version of Marey that made it"),
        Column("file", "The recording, relative to the study"),
        Column("message", "What went wrong: why the run failed, else why its latest analysis did"),
    ]

    /// One row per run.
    static func status(of study: StudyFolder) throws -> Table {
        let bookkeeping = try Bookkeeping(study)
        let analyses = try bookkeeping.latestAnalyses()
        func text(_ value: String?) -> Cell { value.map(Cell.text) ?? .missing }
        return Table(
            columns: statusColumns,
            rows: try bookkeeping.runs().map { run in
                let analysis = analyses[run.id]
                return [
                    .text(run.name.subject), text(run.name.session), text(run.name.task),
                    run.name.run.map(Cell.integer) ?? .missing, .text(run.status.rawValue),
                    text(analysis?.status.rawValue), text(analysis?.version), .text(run.file),
                    text(run.message ?? analysis?.message),
                ]
            })
    }
}
