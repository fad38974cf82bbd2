import CSystemd
import Foundation

/// A method call somebody made to this connection; answer it once, from any thread.
package final class DBusCall: @unchecked Sendable {
    private let thread: DBusThread
    private let message: DBusMessage
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [DBusValue]

    fileprivate init(_ thread: DBusThread, _ message: DBusMessage) throws(DBusError) {
        self.thread = thread
        self.message = message
        (path, interface, member) = (message.path, message.interface, message.member)
        arguments = try message.values()
    }

    /// Answers with values. Descriptors among them are duplicated by the bus: close your own after `sent`.
    package func reply(_ values: [DBusValue] = [], sent: @escaping @Sendable () -> Void = {}) {
        answer(sent: sent) { call, reply in
            sd_bus_message_new_method_return(call, &reply)
        } fill: {
            values
        }
    }

    /// Answers with an error.
    package func fail(_ name: String, _ text: String) {
        answer(sent: {}) { call, reply in
            name.withCString { name in
                text.withCString { text in
                    var error = sd_bus_error(name: name, message: text, _need_free: 0)
                    return sd_bus_message_new_method_error(call, &reply, &error)
                }
            }
        } fill: {
            []
        }
    }

    private func answer(
        sent: @escaping @Sendable () -> Void,
        make: @escaping @Sendable (OpaquePointer, inout OpaquePointer?) -> Int32,
        fill: @escaping @Sendable () -> [DBusValue]
    ) {
        let accepted = thread.perform { [message] thread in
            var pointer: OpaquePointer?
            guard let bus = thread.bus, make(message.pointer, &pointer) >= 0, let pointer else { return sent() }
            let reply = DBusMessage(owning: pointer)
            if (try? reply.append(fill())) != nil { sd_bus_send(bus, reply.pointer, nil) }
            sent()
        }
        if !accepted { sent() }
    }
}

extension DBusConnection {
    /// Owns a name on the bus and hands every method call to `handler`, on the bus's thread.
    /// - Throws: `DBusError` when the name is taken.
    package func serve(_ name: String, _ handler: @escaping @Sendable (DBusCall) -> Void) async throws {
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            let accepted = thread.perform { thread in
                waiting.resume(
                    with: Result {
                        guard let bus = thread.bus else { throw DBusError.ended }
                        try Server(thread, handler).add(to: bus)
                        try checkBus(sd_bus_request_name(bus, name, 0), "owning the name \(name) on the bus")
                    })
            }
            if !accepted { waiting.resume(throwing: DBusError.ended) }
        }
    }

    /// Sends a signal.
    package func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
        thread.perform { thread in
            var pointer: OpaquePointer?
            guard let bus = thread.bus, sd_bus_message_new_signal(bus, &pointer, path, interface, member) >= 0,
                let pointer
            else { return }
            let message = DBusMessage(owning: pointer)
            if (try? message.append(arguments)) != nil { sd_bus_send(bus, message.pointer, nil) }
        }
    }
}

private final class Server: DBusCallee {
    private unowned let thread: DBusThread
    private let handler: @Sendable (DBusCall) -> Void

    init(_ thread: DBusThread, _ handler: @escaping @Sendable (DBusCall) -> Void) {
        self.thread = thread
        self.handler = handler
    }

    func add(to bus: OpaquePointer) throws(DBusError) {
        let result = sd_bus_add_filter(
            bus, nil,
            { message, userdata, _ in
                guard let message, let userdata, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
                let server = Unmanaged<Server>.fromOpaque(userdata).takeUnretainedValue()
                guard let call = try? DBusCall(server.thread, DBusMessage(borrowing: message)) else { return 0 }
                server.handler(call)
                return 1
            },
            Unmanaged.passUnretained(self).toOpaque())
        try checkBus(result, "serving on the bus")
        // The filter lasts as long as the bus.
        thread.keep(self)
    }

    func busClosed() {}
}
