public import Signals
public import Study

/// Where every recording of a batch stands, from the files of its folder, while it runs or long after.
public struct BatchStatus: Sendable {
    /// One recording.
    public struct Row: Sendable {
        /// What is to be done with it.
        public var plan: UnitPlan
        /// Where it stands.
        public var state: UnitState
        /// Who is, or was, at it.
        public var lock: WorkLock?
        /// Why it failed.
        public var failure: FailureRecord?
        /// Why it cannot be told where it stands.
        public var refusal: CohortError?
    }

    /// All recordings that were planned, in order of their labels.
    public let rows: [Row]
    /// The stems of recordings that were planned by files that say nothing, and of which nothing else is known.
    public private(set) var damaged: [String] = []

    /// Reads the folder, and where the data set is within reach whether recordings have changed since.
    public init(_ folder: BatchFolder) {
        let orphans = folder.orphans()
        var (rows, damaged): ([Row], [String]) = ([], [])
        for stem in folder.stems() {
            let isOrphan = orphans.contains(stem)
            if let plan = folder.latestPlan(stem) {
                rows.append(Row(plan, isOrphan ? .orphaned : folder.standing(plan), in: folder))
            } else if let refusal = folder.refusal(of: stem) {
                rows.append(Row(plan: UnitPlan(unknown: stem), state: .unreadable, refusal: refusal))
            } else if isOrphan {
                rows.append(Row(plan: UnitPlan(unknown: stem), state: .orphaned))
            } else {
                damaged.append(stem)
            }
        }
        (self.rows, self.damaged) = (rows, damaged)
    }

    /// Where these recordings stand.
    /// - Parameter done: the stems of those that were done a moment ago, and are not looked at again.
    public init(_ plans: [UnitPlan], in folder: BatchFolder, done: Set<String> = []) {
        self.init(plans, in: folder) { done.contains($0.unit.stem) ? .done : folder.state(of: $0) }
    }

    /// Where the recordings of a plan stand that was just made: what was done then is, all else is looked at again.
    public init(_ plan: BatchPlan) {
        let done = plan.entries.filter { $0.state == .done }.map(\.plan.unit.stem)
        self.init(plan.entries.map(\.plan), in: plan.folder, done: Set(done))
    }

    /// Where the recordings of a plan stand of which nothing is done yet: those whose files have other dates than when their
    /// results were made, but the same content, are done.
    public init(foreseen plan: BatchPlan) {
        self.init(plan.entries.map(\.plan), in: plan.folder) { plan.folder.stateByContent(of: $0) }
    }

    /// The stems of the recordings in a state.
    func stems(_ state: UnitState) -> Set<String> {
        Set(rows.lazy.filter { $0.state == state }.map(\.plan.unit.stem))
    }

    private init(_ plans: [UnitPlan], in folder: BatchFolder, _ standing: (UnitPlan) -> UnitState) {
        rows = plans.map { Row($0, standing($0), in: folder) }
    }

    /// How many recordings are in `state`.
    public func count(_ state: UnitState) -> Int { rows.count { $0.state == state } }

    /// Such as `40 done, 1 failed, 7 pending`.
    public var summary: String {
        let parts = UnitState.allCases.map { ($0, count($0)) }.filter { $0.1 > 0 }.map { "\($0.1) \($0.0.rawValue)" }
        return parts.isEmpty ? "nothing planned" : parts.joined(separator: ", ")
    }

    /// The columns of `table`.
    public static let columns = [
        Column("participant", "Participant label"),
        Column("session", "Session label"),
        Column("task", "Task label"),
        Column("acquisition", "Acquisition label"),
        Column("run", unit: .dimensionless, "Run number"),
        Column(
            "state",
            "done, failed, running, lost (someone was at it and is gone), pending, unreadable (its files in the batch "
                + "may not be read) or orphaned (the data set no longer has it)"
        ),
        Column("class", "The kind of failure"),
        Column("message", "What went wrong and what to do"),
        Column("place", "The file it went wrong in, and where"),
        Column("host", "The machine that is, or was, at it"),
        Column("pid", unit: .dimensionless, "The process"),
        Column("job", "The cluster's job"),
        Column("started", "When the work began, UTC"),
        Column("recording", "The recording, relative to the data set"),
    ]

    /// One row per recording.
    public var table: Table {
        func text(_ value: String?) -> Cell { value.map(Cell.text) ?? .missing }
        func number(_ value: Int?) -> Cell { value.map(Cell.integer) ?? .missing }
        return Table(
            columns: Self.columns,
            rows: rows.map { row in
                let unit = row.plan.unit
                return [
                    .text(unit.participant), text(unit.session), text(unit.task), text(unit.acquisition),
                    number(unit.run), .text(row.state.rawValue), text(row.failure?.kind.rawValue),
                    text(row.failure?.message ?? row.refusal?.description), text(row.failure?.place),
                    text(row.lock?.host), number((row.lock?.pid).map(Int.init)), text(row.lock?.job),
                    text(row.lock?.started),
                    text(unit.recording.isEmpty ? nil : unit.recording),
                ]
            })
    }
}

extension UnitPlan {
    /// Of a recording of which only the name of its results is known.
    fileprivate init(unknown stem: String) {
        self.init(CohortUnit(stem: stem), dataset: "", parametersSHA256: "", hasReport: false)
    }
}

extension BatchStatus.Row {
    /// One that stands so, with what its files tell of that.
    fileprivate init(_ plan: UnitPlan, _ state: UnitState, in folder: BatchFolder) {
        let stem = plan.unit.stem
        self.init(
            plan: plan, state: state, lock: state == .running || state == .lost ? folder.lock(stem) : nil,
            failure: state == .failed ? folder.failure(stem) : nil,
            refusal: state == .unreadable ? folder.refusal(of: stem) : nil)
    }
}
