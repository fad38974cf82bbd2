import CSystemd
import Foundation
import Synchronization

/// A connection to a D-Bus message bus.
///
/// sd-bus is not thread-safe: one thread owns the bus, everything else hands it work through a queue and is woken by
/// callbacks from that thread.
package final class DBusConnection: @unchecked Sendable {
    private let bus: OpaquePointer
    private let wakeRead: Int32
    private let wakeWrite: Int32
    private let queue = Mutex(Queue())

    private struct Queue {
        var work: [@Sendable (DBusConnection) -> Void] = []
        var isClosing = false
        var isEnded = false
        var endings: [@Sendable () -> Void] = []
    }

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
        try checkBus(sd_bus_set_address(bus, address), "the D-Bus address “\(address)”")
        try checkBus(sd_bus_set_bus_client(bus, 1), "making a D-Bus connection")
        try checkBus(sd_bus_start(bus), "connecting to the D-Bus at \(address)")
        return try DBusConnection(bus)
    }

    private init(_ opened: OpaquePointer?) throws(DBusError) {
        var ends: [Int32] = [-1, -1]
        guard let opened, pipe(&ends) == 0 else {
            throw DBusError(result: -errno, doing: "making a D-Bus connection")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (bus, wakeRead, wakeWrite) = (opened, ends[0], ends[1])
        let thread = Thread { [self] in run() }
        thread.name = "dbus"
        thread.start()
    }

    /// Ends the connection after what is queued.
    package func close() {
        queue.withLock { $0.isClosing = true }
        wake()
    }

    /// Calls `body` once when the bus is gone, at once if it is already.
    package func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let isEnded = queue.withLock { queue in
            if !queue.isEnded { queue.endings.append(body) }
            return queue.isEnded
        }
        if isEnded { body() }
    }

    /// Runs `body` on the bus's thread; false when the connection has ended.
    @discardableResult
    func perform(_ body: @escaping @Sendable (DBusConnection) -> Void) -> Bool {
        let isOpen = queue.withLock { queue in
            if !queue.isEnded { queue.work.append(body) }
            return !queue.isEnded
        }
        if isOpen { wake() }
        return isOpen
    }

    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakeWrite, &byte, 1)
    }

    // MARK: - On the bus's thread

    private func run() {
        while turn() {}
        sd_bus_flush_close_unref(bus)
        let (work, endings) = queue.withLock { queue in
            queue.isEnded = true
            defer { (queue.work, queue.endings) = ([], []) }
            return (queue.work, queue.endings)
        }
        // Queued calls find the bus closed and fail.
        for body in work { body(self) }
        for body in endings { body() }
        Foundation.close(wakeRead)
        Foundation.close(wakeWrite)
    }

    private func turn() -> Bool {
        let (work, isClosing) = queue.withLock { queue in
            defer { queue.work = [] }
            return (queue.work, queue.isClosing)
        }
        for body in work { body(self) }
        if isClosing { return false }
        while true {
            let result = sd_bus_process(bus, nil)
            if result < 0 { return false }
            if result == 0 { break }
        }
        var deadline: UInt64 = .max
        sd_bus_get_timeout(bus, &deadline)
        var descriptors = [
            pollfd(fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: sd_bus_get_events(bus)), revents: 0),
            pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0),
        ]
        poll(&descriptors, 2, Self.milliseconds(until: deadline))
        var drained = [UInt8](repeating: 0, count: 64)
        while read(wakeRead, &drained, drained.count) > 0 {}
        return true
    }

    private static func milliseconds(until deadline: UInt64) -> Int32 {
        guard deadline != .max else { return -1 }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
        return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000 + 1)
    }

    /// The bus itself, for work running on its thread; nil once it is closed.
    var open: OpaquePointer? {
        queue.withLock { $0.isEnded } ? nil : bus
    }
}
