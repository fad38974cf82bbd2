import Foundation
package import Signals

/// Wakes a thread that waits in `poll`.
package final class Interrupt: Sendable {
    /// Becomes readable when fired.
    let descriptor: CInt
    private let input: CInt

    package init() {
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { prepareDescriptor(end) }
        descriptor = ends[0]
        input = ends[1]
    }

    deinit {
        Glibc.close(descriptor)
        Glibc.close(input)
    }

    /// Wakes the thread, now or when it next waits.
    package func fire() {
        // A full pipe wakes as well.
        var byte: UInt8 = 1
        _ = Glibc.write(input, &byte, 1)
    }

    /// Waits until it is fired, or for `seconds` of the monotonic clock. `DispatchSemaphore` waits by the wall clock on Linux:
    /// when that is set back by an hour, it returns an hour late.
    /// - Returns: true when it was fired.
    package func wait(atMost seconds: Seconds) -> Bool {
        var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        return poll(&descriptors, 1, CInt(seconds * 1_000)) > 0
    }

    /// Forgets that it was fired.
    func reset() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while Glibc.read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}

/// Makes a descriptor one that does not block and is not inherited by child processes.
func prepareDescriptor(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

/// Runs blocking work on a thread of its own, so that it holds up no task. `interrupt` fires when the waiting task is
/// cancelled; the work then ends as soon as it can.
func onThread<Value: Sendable>(
    _ work: @escaping @Sendable (_ interrupt: Interrupt) throws -> Value
) async throws -> Value {
    let interrupt = Interrupt()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work(interrupt) }) }
        }
    } onCancel: {
        interrupt.fire()
    }
}

/// What the system says of the last error.
func systemError() -> String { String(cString: strerror(errno)) }
