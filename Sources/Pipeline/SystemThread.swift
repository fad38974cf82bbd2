import Foundation

/// Threads that are known to run. Where the system allows no more of them, Dispatch asks again and again for ever, and
/// Foundation's never begin, and whoever waits for their work waits for ever as well.
public enum SystemThread {
    /// Runs `body` on a thread of its own.
    /// - Throws: `ThreadShortage` where none can be made.
    public static func start(_ body: @escaping @Sendable () -> Void) throws(ThreadShortage) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard code == 0 else {
            work.release()
            throw ThreadShortage(code: code)
        }
        pthread_detach(thread)
    }

    /// Tries whether `count` more threads can be made at once, before something begins that waits for them.
    /// - Throws: `ThreadShortage` where they cannot.
    public static func demand(_ count: Int = 1) throws(ThreadShortage) {
        guard count > 0 else { return }
        let trial = Trial(count)
        Self.make(trial)
        guard trial.code == 0 else { throw ThreadShortage(code: trial.code) }
    }

    /// Each thread of a trial makes the next and waits for it: so all are there at once.
    private static func make(_ trial: Trial) {
        guard trial.left > 0 else { return }
        trial.left -= 1
        var thread = pthread_t()
        trial.code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                SystemThread.make(Unmanaged<Trial>.fromOpaque(context).takeUnretainedValue())
                return nil
            }, Unmanaged.passUnretained(trial).toOpaque())
        if trial.code == 0 { pthread_join(thread, nil) }
    }

    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// What the threads of a trial share; one at a time touches it.
    private final class Trial: @unchecked Sendable {
        var left: Int
        var code: Int32 = 0
        init(_ count: Int) { left = count }
    }
}
