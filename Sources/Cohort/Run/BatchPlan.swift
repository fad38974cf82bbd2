public import Foundation
public import Pipeline

/// What a batch has to do: every chosen recording and where it stands.
public struct BatchPlan: Sendable {
    /// One recording and where it stands.
    public struct Entry: Sendable {
        /// What is to be done with it.
        public var plan: UnitPlan
        /// Where it stands.
        public var state: UnitState
    }

    /// The output folder.
    public let folder: BatchFolder
    /// All chosen recordings, in order of their labels.
    public let entries: [Entry]

    /// Compares recordings, parameters and version with what was done. Nothing is written.
    public init(
        _ units: [CohortUnit], of dataset: URL, into folder: BatchFolder, parameters: Parameters, hasReport: Bool = true
    ) throws {
        let hash = try parameters.hash()
        let root = dataset.standardizedFileURL.path
        self.folder = folder
        entries = units.map { unit in
            let plan = UnitPlan(unit, dataset: root, parametersSHA256: hash, hasReport: hasReport)
            return Entry(plan: plan, state: folder.state(of: plan))
        }
    }

    /// The recordings to be computed, the largest first, so that the last to end is a small one.
    /// - Parameter retryFailed: also those that failed and have not changed since.
    public func work(retryFailed: Bool = false) -> [UnitPlan] {
        let open = entries.filter { entry in
            switch entry.state {
            case .done: false
            case .failed: retryFailed || folder.failure(entry.plan.unit.stem)?.isPassing == true
            case .running, .lost, .pending: true
            }
        }
        return open.map(\.plan).sorted { ($1.unit.bytes, $0.unit.stem) < ($0.unit.bytes, $1.unit.stem) }
    }

    /// Writes down, for whoever computes, what is to be done.
    public func keep(parameters: Parameters) throws {
        _ = try folder.keep(parameters)
        for entry in entries where folder.plan(entry.plan.unit.stem) != entry.plan {
            try StateFile.write(entry.plan, to: folder.planFile(entry.plan.unit.stem))
        }
    }

    /// The stems of recordings that were planned once and that the data set no longer has; their results stay until
    /// someone deletes them, but no group table takes them up.
    public func orphans() -> [String] {
        let known = Set(entries.map(\.plan.unit.stem))
        return folder.stems().filter { !known.contains($0) }
    }
}
