import CSystemd
import Foundation
import Synchronization

/// What sd-bus points to: kept by the bus's thread for as long as it may be called, and touched on that thread only.
protocol DBusCallee: AnyObject {
    /// The bus is closed: nothing calls it any more.
    func busClosed()
}

/// The thread that owns a bus, and the queue of what it is to do.
final class DBusThread: @unchecked Sendable {
    typealias Work = @Sendable (DBusThread) -> Void

    private let wakeRead: Int32
    private let wakeWrite: Int32
    private let queue = Mutex(Queue())
    /// The bus, for work running on its thread; nil once it is closed.
    private(set) var bus: OpaquePointer?
    private var callees: [ObjectIdentifier: any DBusCallee] = [:]

    private struct Queue {
        var work: [Work] = []
        var isClosing = false
        var isEnded = false
        var endings: [Int: @Sendable () -> Void] = [:]
        var endingCount = 0
    }

    /// Takes over a bus, which `start` then serves.
    init(_ opened: OpaquePointer?) throws(DBusError) {
        var ends: [Int32] = [-1, -1]
        guard let opened, pipe(&ends) == 0 else {
            let problem = DBusError(result: -errno, doing: "making a D-Bus connection")
            sd_bus_close_unref(opened)
            throw problem
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (bus, wakeRead, wakeWrite) = (opened, ends[0], ends[1])
    }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "dbus"
        thread.start()
    }

    // MARK: - From anywhere

    /// Ends it after what is queued.
    func close() {
        queue.withLock { queue in
            guard !queue.isEnded else { return }
            queue.isClosing = true
            wake()
        }
    }

    /// Runs `body` on the thread; false when that has ended.
    @discardableResult
    func perform(_ body: @escaping Work) -> Bool {
        queue.withLock { queue in
            guard !queue.isEnded else { return false }
            queue.work.append(body)
            wake()
            return true
        }
    }

    /// Calls `body` once the bus is gone, at once if it is already.
    /// - Returns: its number among those that wait for that; nil when it was called at once.
    func whenEnded(_ body: @escaping @Sendable () -> Void) -> Int? {
        let number: Int? = queue.withLock { queue in
            guard !queue.isEnded else { return nil }
            queue.endingCount += 1
            queue.endings[queue.endingCount] = body
            return queue.endingCount
        }
        if number == nil { body() }
        return number
    }

    func forgetEnding(_ number: Int) {
        // Handed out: what it holds may go only when the queue is free again.
        _ = queue.withLock { $0.endings.removeValue(forKey: number) }
    }

    /// Only with the queue locked and before the end: the descriptors may be somebody else's afterwards.
    private func wake() {
        var byte: UInt8 = 1
        _ = write(wakeWrite, &byte, 1)
    }

    // MARK: - On the thread

    /// Keeps what sd-bus was given a pointer to.
    func keep(_ callee: any DBusCallee) { callees[ObjectIdentifier(callee)] = callee }

    /// Sd-bus does not point to it any more.
    func forget(_ callee: any DBusCallee) { callees[ObjectIdentifier(callee)] = nil }

    private func run() {
        while turn() {}
        sd_bus_flush(bus)
        sd_bus_close(bus)
        for callee in callees.values { callee.busClosed() }
        callees = [:]
        sd_bus_unref(bus)
        bus = nil
        let (work, endings) = queue.withLock { queue in
            queue.isEnded = true
            Foundation.close(wakeRead)
            Foundation.close(wakeWrite)
            defer { (queue.work, queue.endings) = ([], [:]) }
            return (queue.work, queue.endings)
        }
        // Queued calls find the bus closed and fail.
        for body in work { body(self) }
        for body in endings.values { body() }
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
}
