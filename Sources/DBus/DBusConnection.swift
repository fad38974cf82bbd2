import CSystemd

/// A connection to a D-Bus message bus, which ends when nobody holds it any more.
///
/// sd-bus is not thread-safe: one thread owns the bus, everything else hands it work through a queue and is woken by
/// callbacks from that thread. The thread does not hold the connection.
package final class DBusConnection: Sendable {
    let thread: DBusThread

    /// Connects to the system bus, or to the bus `DBUS_SYSTEM_BUS_ADDRESS` names.
    /// - Throws: `DBusError` when no bus answers.
    package static func system() throws(DBusError) -> DBusConnection {
        var bus: OpaquePointer?
        try checkBus(sd_bus_open_system(&bus), "connecting to the system's D-Bus")
        return try DBusConnection(bus)
    }

    /// Connects to the bus at an address such as `unix:path=/run/dbus/system_bus_socket`.
    /// - Throws: `DBusError` when no bus answers.
    package static func bus(at address: String) throws(DBusError) -> DBusConnection {
        var bus: OpaquePointer?
        try checkBus(sd_bus_new(&bus), "making a D-Bus connection")
        do throws(DBusError) {
            try checkBus(sd_bus_set_address(bus, address), "the D-Bus address “\(address)”")
            try checkBus(sd_bus_set_bus_client(bus, 1), "making a D-Bus connection")
            try checkBus(sd_bus_start(bus), "connecting to the D-Bus at \(address)")
        } catch {
            sd_bus_close_unref(bus)
            throw error
        }
        return try DBusConnection(bus)
    }

    private init(_ opened: OpaquePointer?) throws(DBusError) {
        thread = try DBusThread(opened)
        thread.start()
    }

    deinit { thread.close() }

    /// Ends the connection after what is queued; calls that wait for their answer fail.
    package func close() { thread.close() }

    /// Calls `body` once when the bus is gone, at once if it is already, unless what is returned is cancelled or
    /// released before.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) -> DBusEnding {
        DBusEnding(thread, number: thread.whenEnded(body))
    }
}

/// Keeps alive that somebody is told of a connection's end.
package final class DBusEnding: Sendable {
    private let thread: DBusThread
    private let number: Int?

    fileprivate init(_ thread: DBusThread, number: Int?) {
        (self.thread, self.number) = (thread, number)
    }

    package func cancel() {
        if let number { thread.forgetEnding(number) }
    }

    deinit { cancel() }
}
