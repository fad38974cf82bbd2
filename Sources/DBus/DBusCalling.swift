import CSystemd
import Foundation

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
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<[DBusValue], any Error>) in
            let reply = PendingReply { waiting.resume(with: $0) }
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
    }
}

extension DBusError {
    /// The bus closed the connection.
    package static let ended = DBusError(name: "errno.\(ENOTCONN)", message: "the D-Bus connection has ended")
}

/// A call on its way; handed through C as the user data of its answer.
private final class PendingReply: @unchecked Sendable {
    private var deliver: ((Result<[DBusValue], any Error>) -> Void)?

    init(_ deliver: @escaping (Result<[DBusValue], any Error>) -> Void) {
        self.deliver = deliver
    }

    func finish(_ result: Result<[DBusValue], any Error>) {
        deliver?(result)
        deliver = nil
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
