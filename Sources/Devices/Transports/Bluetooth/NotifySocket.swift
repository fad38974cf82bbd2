import Foundation

/// The socket of one subscription (`AcquireNotify`): each read is one value, which may be empty.
final class NotifySocket: @unchecked Sendable {
    private static let queue = DispatchQueue(label: "bluetooth.notify", qos: .userInteractive)
    private let source: any DispatchSourceRead
    private let descriptor: Int32
    private let received: @Sendable ([UInt8]) -> Void

    /// The outcome of one read.
    private enum Reading {
        case value([UInt8])
        case nothingYet
        case end
    }

    /// Reads values from `descriptor`, which it owns, until the other end closes or it is cancelled.
    /// - Parameters:
    ///   - received: called for each value, also for an empty one.
    ///   - ended: called once when the other end has closed; not after `cancel`.
    init(
        _ descriptor: Int32, received: @escaping @Sendable ([UInt8]) -> Void, ended: @escaping @Sendable () -> Void
    ) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        // Distinguishes an empty value, which has its sender's credentials, from the end: both read as 0 bytes.
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        (self.source, self.descriptor, self.received) = (source, descriptor, received)
        // One value at a time: values that wait in several sockets are read in turn, about in the order of sending. After the
        // other end has closed no further event follows: the rest is read at once.
        source.setEventHandler {
            guard !source.isCancelled else { return }
            repeat {
                switch Self.read(descriptor) {
                case .value(let value): received(value)
                case .nothingYet: return
                case .end:
                    source.cancel()
                    return ended()
                }
            } while Self.hasHungUp(descriptor)
        }
        source.setCancelHandler { Foundation.close(descriptor) }
        source.resume()
    }

    func cancel() {
        source.cancel()
    }

    /// Reads the values that are waiting, then ends. Must not be called from `received` or `ended`.
    func drain() {
        Self.queue.sync {
            // After the cancellation the descriptor may be closed.
            while !source.isCancelled, case .value(let value) = Self.read(descriptor) { received(value) }
            source.cancel()
        }
    }

    /// Reads one value. An ATT value has at most 512 bytes.
    private static func read(_ descriptor: Int32) -> Reading {
        var value = [UInt8](repeating: 0, count: 1_024)
        var credentials = [UInt8](repeating: 0, count: 128)
        var controlLength = 0
        let count = value.withUnsafeMutableBytes { bytes in
            credentials.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    let count = recvmsg(descriptor, &message, 0)
                    controlLength = Int(message.msg_controllen)
                    return count
                }
            }
        }
        if count > 0 { return .value(Array(value[..<count])) }
        if count < 0 { return errno == EAGAIN || errno == EINTR ? .nothingYet : .end }
        return controlLength > 0 || !hasHungUp(descriptor) ? .value([]) : .end
    }

    /// `POLLRDHUP` of Linux, which the C library declares for GNU sources alone.
    private static let peerHungUp: Int16 = 0x2000

    /// Returns true when the other end has closed.
    private static func hasHungUp(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN) | peerHungUp, revents: 0)
        guard poll(&state, 1, 0) > 0 else { return false }
        return state.revents & (Int16(POLLHUP) | peerHungUp | Int16(POLLERR) | Int16(POLLNVAL)) != 0
    }
}
