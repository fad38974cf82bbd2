import Dispatch
import Foundation
import Synchronization

/// Maps values on all cores, keeping their order.
/// - Parameters:
///   - jobs: how many are worked on at a time; nil: one per core.
///   - progress: called with the share that is done, from any thread.
func concurrentMap<Value: Sendable, Mapped: Sendable>(
    _ values: [Value], jobs: Int? = nil, progress: @Sendable (Double) -> Void,
    _ transform: @Sendable (Value) -> Mapped
) -> [Mapped] {
    let results = Mutex([Mapped?](repeating: nil, count: values.count))
    let next = Atomic(0)
    let done = Atomic(0)
    var workers = min(values.count, max(1, jobs ?? ProcessInfo.processInfo.activeProcessorCount))
    // Where no more threads are allowed, this one does it all.
    do { try SystemThread.demand(workers - 1) } catch { workers = min(workers, 1) }
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < values.count else { return }
            let mapped = transform(values[index])
            results.withLock { $0[index] = mapped }
            progress(Double(done.add(1, ordering: .relaxed).newValue) / Double(values.count))
        }
    }
    return results.withLock { $0.compactMap { $0 } }
}
