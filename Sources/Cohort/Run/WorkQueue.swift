import Foundation
import Synchronization

/// The recordings that still have to be computed, shared by the threads that look after the workers. An idle worker
/// takes the next, so it does not matter how long each takes.
final class WorkQueue: Sendable {
    private struct State {
        var waiting: [UnitPlan]
        /// Those that someone else is at: looked at again when nothing else is left.
        var elsewhere: [UnitPlan] = []
        var deaths: [String: Int] = [:]
        var problem: (any Error)?
    }

    private let folder: BatchFolder
    private let state: Mutex<State>

    init(_ plans: [UnitPlan], _ folder: BatchFolder) {
        self.folder = folder
        state = Mutex(State(waiting: plans.reversed()))
    }

    /// The next recording to compute; waits while all that is left is being computed elsewhere.
    /// - Parameter settled: called with recordings that were brought to an end elsewhere.
    func next(settled: (UnitPlan, UnitState) -> Void) -> UnitPlan? {
        while true {
            let (next, watched) = state.withLock { state -> (UnitPlan?, UnitPlan?) in
                guard state.problem == nil else { return (nil, nil) }
                if let next = state.waiting.popLast() { return (next, nil) }
                return (nil, state.elsewhere.isEmpty ? nil : state.elsewhere.removeFirst())
            }
            if let next { return next }
            guard let watched else { return nil }
            // Looked at once: it may be another a moment later.
            let standing = folder.state(of: watched)
            switch standing {
            case .done, .failed, .orphaned: settled(watched, standing)
            case .running:
                state.withLock { $0.elsewhere.append(watched) }
                usleep(200_000)
            case .lost, .pending, .unreadable: return watched
            }
        }
    }

    /// Someone else is at it.
    func leaveElsewhere(_ plan: UnitPlan) { state.withLock { $0.elsewhere.append(plan) } }

    /// Its worker was killed: it may be tried twice more.
    /// - Returns: whether it will be.
    func retry(_ plan: UnitPlan) -> Bool {
        state.withLock { state in
            let deaths = state.deaths[plan.unit.stem, default: 0] + 1
            state.deaths[plan.unit.stem] = deaths
            if deaths < 3 { state.waiting.append(plan) }
            return deaths < 3
        }
    }

    /// Nothing more can be done.
    func stop(_ problem: any Error) {
        state.withLock { if $0.problem == nil { $0.problem = problem } }
    }

    /// Why nothing more can be done; nil when all went on to the end.
    var problem: (any Error)? { state.withLock { $0.problem } }
}
