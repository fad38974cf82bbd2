import Cohort
import Foundation
import Synchronization

/// The progress bar of a batch, moved by its threads.
final class BatchScreen: Sendable {
    private let bar = ProgressBarBox("batch")
    private let progress: Mutex<BatchProgress>
    private let began = Date()

    /// A bar for what is to be computed.
    init(_ work: [UnitPlan]) { progress = Mutex(BatchProgress(work)) }

    /// What happens on this machine.
    func take(_ event: LocalExecutor.Event) {
        if case .ended(let plan, let state) = event { end([(plan, state)]) }
    }

    /// What happens on a cluster.
    func take(_ event: SlurmExecutor.Event) {
        switch event {
        case .state(let status, let ended):
            end(status.rows.filter { ended.contains($0.plan.unit.stem) }.map { ($0.plan, $0.state) })
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
        let (fraction, text) = progress.withLock { progress in
            for (plan, state) in ended { progress.end(plan, state) }
            return (progress.fraction, progress.text(after: Date().timeIntervalSince(began)))
        }
        bar.show(fraction, text)
    }
}
