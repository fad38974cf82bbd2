import CSystemd
import Foundation
import Synchronization

extension DBusConnection {
    /// Calls a method and waits for the answer.
    /// - Parameters:
    ///   - destination: the service, such as `org.bluez`.
    ///   - timeout: seconds to wait for the answer.
    ///   - isCancellable: whether a task that is cancelled stops waiting; what it asked for goes on.
    /// - Throws: `DBusError` with the service's error name, or of the bus; `CancellationError` where that is wanted.
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: [DBusValue] = [], timeout: Double = 25, isCancellable: Bool = false
    ) async throws -> [DBusValue] {
        if isCancellable { try Task.checkCancellation() }
        // Whoever waits for an answer holds the connection.
        defer { withExtendedLifetime(self) {} }
        let reply = PendingReply(thread)
        let accepted = thread.perform { thread in
            do {
                guard let bus = thread.bus else { throw DBusError.ended }
                var pointer: OpaquePointer?
                try checkBus(
                    sd_bus_message_new_method_call(bus, &pointer, destination, path, interface, member),
                    "calling \(interface).\(member)")
                guard let pointer else { throw DBusError.ended }
                let message = DBusMessage(owning: pointer)
                try message.append(arguments)
                try reply.send(message, on: bus, timeout: timeout)
            } catch {
                reply.finish(.failure(error))
            }
        }
        if !accepted { reply.finish(.failure(DBusError.ended)) }
        return try await withTaskCancellationHandler {
            try await reply.values()
        } onCancel: {
            if isCancellable { reply.finish(.failure(CancellationError())) }
        }
    }
}

extension DBusError {
    /// The bus closed the connection.
    package static let ended = DBusError(name: "errno.\(ENOTCONN)", message: "the D-Bus connection has ended")
}

/// A call on its way; handed through C as the user data of its answer. The outcome goes from the bus's thread to the
/// caller's under a lock, which those who watch for races see.
private final class PendingReply: DBusCallee, Sendable {
    private let thread: DBusThread
    private let state = Mutex(State())

    private struct State {
        var outcome: Result<[DBusValue], any Error>?
        var waiting: CheckedContinuation<Void, Never>?
    }

    init(_ thread: DBusThread) {
        self.thread = thread
    }

    /// What the answer holds, once it is there.
    func values() async throws -> [DBusValue] {
        await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
            let isFinished = state.withLock { state in
                if state.outcome == nil { state.waiting = waiting }
                return state.outcome != nil
            }
            if isFinished { waiting.resume() }
        }
        let outcome = state.withLock { $0.outcome } ?? .failure(DBusError.ended)
        return try outcome.get()
    }

    /// Takes the first outcome.
    func finish(_ result: Result<[DBusValue], any Error>) {
        let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.outcome == nil else { return (false, nil) }
            state.outcome = result
            defer { state.waiting = nil }
            return (true, state.waiting)
        }
        waiting?.resume()
        // Nobody waits for it any more.
        if !isFirst, case .success(let values) = result { values.closeDescriptors() }
    }

    func send(_ message: DBusMessage, on bus: OpaquePointer, timeout: Double) throws(DBusError) {
        let result = sd_bus_call_async(
            bus, nil, message.pointer,
            { answer, userdata, _ in
                guard let answer, let userdata else { return 0 }
                let pending = Unmanaged<PendingReply>.fromOpaque(userdata).takeUnretainedValue()
                pending.take(DBusMessage(borrowing: answer))
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque(), UInt64(timeout * 1_000_000))
        try checkBus(result, "sending a call")
        thread.keep(self)
    }

    private func take(_ answer: DBusMessage) {
        thread.forget(self)
        if let error = answer.error {
            finish(.failure(error))
        } else {
            finish(Result { try answer.values() })
        }
    }

    func busClosed() { finish(.failure(DBusError.ended)) }
}
