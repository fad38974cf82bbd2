public import FlyingSocks
import Foundation
import Glibc
import Signals

/// Waits for sockets like the pool it wraps, and keeps its patience in bounds: a connection that is silent, or does not
/// take what is sent to it, for too long is given up; while too many are open, no new one is taken; and small answers
/// go out at once instead of waiting for an acknowledgement.
struct GuardedPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base
    /// Seconds a connection may be silent or unwilling.
    let patience: Seconds
    /// Descriptors this process may have open before new connections wait.
    let mostDescriptors: Int

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        let descriptor = socket.file.rawValue
        if Self.isListening(descriptor) {
            try await base.suspendSocket(socket, untilReadyFor: events)
            while Self.openDescriptors > mostDescriptors { try await Task.sleep(for: .milliseconds(100)) }
            return
        }
        Self.sendAtOnce(descriptor)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await base.suspendSocket(socket, untilReadyFor: events) }
            group.addTask {
                try await Task.sleep(for: .seconds(patience))
                throw SocketError.disconnected
            }
            try await group.next()
            group.cancelAll()
        }
    }

    private static func isListening(_ descriptor: CInt) -> Bool {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
    }

    private static func sendAtOnce(_ descriptor: CInt) {
        var value: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    private static var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
