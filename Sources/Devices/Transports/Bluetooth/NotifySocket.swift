import Foundation

/// The socket of one subscription (`AcquireNotify`): each read is one value.
final class NotifySocket: @unchecked Sendable {
    private static let queue = DispatchQueue(label: "bluetooth.notify", qos: .userInteractive)
    private let source: any DispatchSourceRead

    /// Reads values from `descriptor`, which it owns, until the other end closes or it is cancelled.
    init(_ descriptor: Int32, _ received: @escaping @Sendable ([UInt8]) -> Void) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
        self.source = source
        // One value at a time: what waits in several sockets is read in turn, about as it was sent.
        source.setEventHandler {
            var value = [UInt8](repeating: 0, count: 1_024)
            let count = Foundation.read(descriptor, &value, value.count)
            if count > 0 {
                received(Array(value[..<count]))
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                // 0 is the end; with nothing left to read the next value calls again.
                source.cancel()
            }
        }
        source.setCancelHandler { Foundation.close(descriptor) }
        source.resume()
    }

    func cancel() {
        source.cancel()
    }
}
