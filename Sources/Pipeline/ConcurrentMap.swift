import Dispatch
import Synchronization

/// Maps values on all cores, keeping their order.
/// - Parameter progress: called with the share that is done, from any thread.
func concurrentMap<Value: Sendable, Mapped: Sendable>(
    _ values: [Value], progress: @Sendable (Double) -> Void, _ transform: @Sendable (Value) -> Mapped
) -> [Mapped] {
    let results = Mutex([Mapped?](repeating: nil, count: values.count))
    let done = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: values.count) { index in
        let mapped = transform(values[index])
        results.withLock { $0[index] = mapped }
        progress(Double(done.add(1, ordering: .relaxed).newValue) / Double(values.count))
    }
    return results.withLock { $0.compactMap { $0 } }
}
