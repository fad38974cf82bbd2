import Formats
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
        /// What was done, where it is done.
        var marker: DoneMarker?
    }

    /// The output folder.
    public let folder: BatchFolder
    /// All chosen recordings, in order of their labels.
    public let entries: [Entry]
    /// The parameters that all are analyzed with.
    let parameters: Parameters

    /// Compares recordings, parameters and version with what was done. Nothing is written.
    public init(
        _ units: [CohortUnit], of dataset: URL, into folder: BatchFolder, parameters: Parameters, hasReport: Bool = true
    ) throws {
        let hash = try parameters.hash()
        let root = dataset.standardizedFileURL.path
        self.folder = folder
        self.parameters = parameters
        entries = units.map { unit in
            let plan = UnitPlan(unit, dataset: root, parametersSHA256: hash, hasReport: hasReport)
            let (state, marker) = folder.stateAndMarker(of: plan)
            return Entry(plan: plan, state: state, marker: marker)
        }
    }

    private init(_ folder: BatchFolder, _ entries: [Entry], _ parameters: Parameters) {
        (self.folder, self.entries, self.parameters) = (folder, entries, parameters)
    }

    /// The plan once the content of files was compared that only look changed, by their dates: their recordings are
    /// done.
    /// - Throws: `CohortError` when the folder cannot be written.
    func confirmed() throws -> BatchPlan {
        BatchPlan(
            folder,
            try entries.map { entry in
                guard entry.state == .pending, try UnitRun(folder).confirm(entry.plan) else { return entry }
                return Entry(plan: entry.plan, state: .done, marker: folder.marker(entry.plan.unit.stem))
            }, parameters)
    }

    /// The recordings to be computed, the largest first, so that the last to end is a small one.
    /// - Parameters:
    ///   - retryFailed: also those that failed and have not changed since.
    ///   - memoryLimit: the bytes a worker may hold: what needed more than it could have is tried again with more.
    public func work(retryFailed: Bool = false, memoryLimit: Int? = nil) -> [UnitPlan] {
        let open = entries.filter { entry in
            switch entry.state {
            case .done, .orphaned: false
            case .failed: retryFailed || isPassing(entry.plan.unit.stem, memoryLimit)
            case .running, .lost, .pending, .unreadable: true
            }
        }
        return open.map(\.plan).sorted { ($1.unit.bytes, $0.unit.stem) < ($0.unit.bytes, $1.unit.stem) }
    }

    /// The recordings to be computed where they share the memory, the largest first. What needed more than it could have
    /// is tried again as far as each has more then: as many as possible, those first that had least.
    /// - Parameters:
    ///   - retryFailed: also those that failed and have not changed since.
    ///   - share: the bytes that each may hold where so many are computed; nil: no limit.
    public func work(retryFailed: Bool = false, share: (_ count: Int) -> Int?) -> [UnitPlan] {
        let open = work(retryFailed: retryFailed, memoryLimit: 0)
        let isOpen = Set(open.map(\.unit.stem))
        let all = work(retryFailed: retryFailed)
        let short = all.filter { !isOpen.contains($0.unit.stem) }.compactMap { folder.failure($0.unit.stem) }
        let sorted = short.sorted { first, second in
            (first.memoryLimit ?? 0, first.plan.unit.bytes, first.plan.unit.stem)
                < (second.memoryLimit ?? 0, second.plan.unit.bytes, second.plan.unit.stem)
        }
        let most = sorted.indices.last { sorted[$0].isPassing(memoryLimit: share(open.count + $0 + 1)) }
        let again = Set(sorted.prefix(most.map { $0 + 1 } ?? 0).map(\.plan.unit.stem))
        return all.filter { isOpen.contains($0.unit.stem) || again.contains($0.unit.stem) }
    }

    private func isPassing(_ stem: String, _ memoryLimit: Int?) -> Bool {
        folder.failure(stem)?.isPassing(memoryLimit: memoryLimit) == true
    }

    /// Writes down, for whoever computes, what is to be done.
    public func keep(parameters: Parameters) throws {
        try AtomicFile.together {
            _ = try folder.keep(parameters)
            for entry in entries where folder.plan(entry.plan.unit.stem) != entry.plan {
                try StateFile.write(entry.plan, to: folder.planFile(entry.plan.unit.stem), isSynced: false)
            }
        }
    }
}
