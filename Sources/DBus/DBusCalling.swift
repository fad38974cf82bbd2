import CSystemd
import Foundation
import Synchronization

extension DBusConnection {
    /// Calls a method and waits for the answer.
    /// - Parameters:
    ///   - destination: the service, such as `org.bluez`.
    ///   - timeout: seconds to wait for the answer.
    /// - Throws: `DBusError` with the service's error name, or of the bus.
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: [DBusValue] = [], timeout: Double = 25
    ) async throws -> [DBusValue] {
        let reply = PendingReply()
        await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in
            reply.whenFinished { waiting.resume() }
            let accepted = perform { connection in
                do {
                    guard let bus = connection.open else { throw DBusError.ended }
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
        }
        return try reply.outcome.get()
    }
}

extension DBusError {
    /// The bus closed the connection.
    package static let ended = DBusError(name: "errno.\(ENOTCONN)", message: "the D-Bus connection has ended")
}

/// A call on its way; handed through C as the user data of its answer. The outcome goes from the bus's thread to the
/// caller's under a lock, which those who watch for races see.
private final class PendingReply: Sendable {
    private let state = Mutex(State())

    private struct State {
        var outcome: Result<[DBusValue], any Error> = .failure(DBusError.ended)
        var wake: (@Sendable () -> Void)?
    }

    /// What came of it; only after it has finished.
    var outcome: Result<[DBusValue], any Error> { state.withLock { $0.outcome } }

    func whenFinished(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Takes the first outcome.
    func finish(_ result: Result<[DBusValue], any Error>) {
        let wake = state.withLock { state in
            defer { state.wake = nil }
            if state.wake != nil { state.outcome = result }
            return state.wake
        }
        wake?()
    }

    func send(_ message: DBusMessage, on bus: OpaquePointer, timeout: Double) throws(DBusError) {
        let held = Unmanaged.passRetained(self)
        let result = sd_bus_call_async(
            bus, nil, message.pointer,
            { answer, userdata, _ in
                guard let answer, let userdata else { return 0 }
                let pending = Unmanaged<PendingReply>.fromOpaque(userdata).takeRetainedValue()
                let message = DBusMessage(borrowing: answer)
                if let error = message.error {
                    pending.finish(.failure(error))
                } else {
                    pending.finish(Result { try message.values() })
                }
                return 0
            },
            held.toOpaque(), UInt64(timeout * 1_000_000))
        if result < 0 { held.release() }
        try checkBus(result, "sending a call")
    }
}
