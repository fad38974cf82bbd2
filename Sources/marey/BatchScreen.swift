import Cohort
import Foundation
import Synchronization

/// The progress bar of a batch, moved by its threads.
final class BatchScreen: Sendable {
    private let bar = ProgressBarBox("batch")
    private let state: Mutex<(progress: BatchProgress, seen: Set<String>)>
    private let began = Date()

    /// A bar for what is open of `entries`.
    init(_ entries: [BatchPlan.Entry]) {
        let open = entries.filter { $0.state != .done && $0.state != .failed }.map(\.plan)
        state = Mutex((BatchProgress(open), Set(entries.filter { $0.state == .done }.map(\.plan.unit.stem))))
    }

    /// What happens on this machine.
    func take(_ event: LocalExecutor.Event) {
        if case .ended(let plan, let state) = event { end([(plan, state)]) }
    }

    /// What happens on a cluster.
    func take(_ event: SlurmExecutor.Event) {
        switch event {
        case .state(let status):
            end(status.rows.filter { $0.state == .done || $0.state == .failed }.map { ($0.plan, $0.state) })
        case .submitted(let jobs): say("submitted \(jobs.joined(separator: ", "))")
        case .joined(let jobs): say("watching \(jobs.joined(separator: ", ")) of an earlier run")
        case .note(let words): say(words)
        }
    }

    func clear() { bar.clear() }

    private func say(_ words: String) {
        bar.clear()
        Terminal.note(words)
    }

    private func end(_ ended: [(plan: UnitPlan, state: UnitState)]) {
        let (fraction, text) = state.withLock { state in
            for (plan, outcome) in ended where state.seen.insert(plan.unit.stem).inserted {
                state.progress.end(plan, outcome)
            }
            return (state.progress.fraction, state.progress.text(after: Date().timeIntervalSince(began)))
        }
        bar.show(fraction, text)
    }
}
