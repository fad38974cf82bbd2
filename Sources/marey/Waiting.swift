import Dispatch
import Pipeline
import Synchronization

/// Runs asynchronous work to its end on this thread.
func waiting<Result: Sendable>(for body: @escaping @Sendable () async throws -> Result) throws -> Result {
    // Tasks run on Dispatch, which waits for ever for threads that it may not have.
    try SystemThread.demand()
    let done = DispatchSemaphore(value: 0)
    let outcome = OutcomeBox<Result>()
    Task.detached {
        do {
            let result = try await body()
            outcome.set(.success(result))
        } catch {
            outcome.set(.failure(error))
        }
        done.signal()
    }
    done.wait()
    return try outcome.get()
}

private final class OutcomeBox<Value: Sendable>: Sendable {
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    func set(_ result: Result<Value, any Error>) { outcome.withLock { $0 = result } }

    func get() throws -> Value {
        guard let outcome = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try outcome.get()
    }
}
