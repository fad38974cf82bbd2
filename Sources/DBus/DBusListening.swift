import CSystemd
import Foundation
import Synchronization

/// A signal somebody sent over the bus.
package struct DBusSignal: Sendable {
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]
}

/// Keeps a match alive; signals stop when it is cancelled or released.
package final class DBusSubscription: Sendable {
    private let thread: DBusThread
    private let listener: Listener

    fileprivate init(_ thread: DBusThread, _ listener: Listener) {
        (self.thread, self.listener) = (thread, listener)
    }

    package func cancel() {
        listener.cancel()
        // A thread that has ended has released it.
        thread.perform { [listener] thread in listener.release(on: thread) }
    }

    deinit { cancel() }
}

extension DBusConnection {
    /// Calls `handler` on the bus's thread for each signal that matches the rule (D-Bus Specification, "Match Rules"),
    /// in order, until the subscription is cancelled. Returns once the bus has accepted the rule.
    /// - Throws: `DBusError` when the bus refuses the rule.
    package func listen(
        _ rule: String, _ handler: @escaping @Sendable (DBusSignal) -> Void
    ) async throws -> DBusSubscription {
        let listener = Listener(handler)
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            let accepted = thread.perform { thread in
                waiting.resume(with: Result { try listener.add(rule, on: thread) })
            }
            if !accepted { waiting.resume(throwing: DBusError.ended) }
        }
        return DBusSubscription(thread, listener)
    }
}

/// What a match calls; touched on the bus's thread only, but for `cancel`.
private final class Listener: DBusCallee, @unchecked Sendable {
    let handler: @Sendable (DBusSignal) -> Void
    private let isCancelled = Mutex(false)
    private var slot: OpaquePointer?

    init(_ handler: @escaping @Sendable (DBusSignal) -> Void) {
        self.handler = handler
    }

    func add(_ rule: String, on thread: DBusThread) throws(DBusError) {
        guard let bus = thread.bus else { throw .ended }
        let result = sd_bus_add_match(
            bus, &slot, rule,
            { signal, userdata, _ in
                guard let signal, let userdata else { return 0 }
                Unmanaged<Listener>.fromOpaque(userdata).takeUnretainedValue().receive(DBusMessage(borrowing: signal))
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque())
        try checkBus(result, "listening for \(rule)")
        thread.keep(self)
    }

    func cancel() { isCancelled.withLock { $0 = true } }

    private func receive(_ message: DBusMessage) {
        guard !isCancelled.withLock(\.self), let arguments = try? message.values() else { return }
        handler(
            DBusSignal(
                path: message.path, interface: message.interface, member: message.member, arguments: arguments))
    }

    func release(on thread: DBusThread) {
        thread.forget(self)
        busClosed()
    }

    func busClosed() {
        sd_bus_slot_unref(slot)
        slot = nil
    }
}
