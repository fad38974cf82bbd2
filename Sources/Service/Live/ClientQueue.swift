public import Foundation
import Synchronization

/// Messages on their way to one client: bounded, so that a client who does not keep up is let go instead of filling the
/// memory, and never waited for.
public final class ClientQueue: Sendable {
    private struct State {
        var messages: [Data] = []
        var byteCount = 0
        var isEnded = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// A queue that holds so many bytes.
    public init(capacity: Int) {
        self.capacity = capacity
    }

    /// Puts a message into the queue. When there is no room the client is let go: what waited is dropped, and the last
    /// thing it gets is why.
    /// - Returns: whether the client is still there.
    @discardableResult
    public func offer(_ message: Data) -> Bool {
        let (isThere, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard !state.isEnded else { return (false, nil) }
            if state.byteCount + message.count > capacity {
                state.messages = [ServerSentEvent.text("dropped", #"{"reason":"the client does not keep up"}"#)]
                state.isEnded = true
            } else {
                state.messages.append(message)
                state.byteCount += message.count
            }
            defer { state.waiting = nil }
            return (!state.isEnded, state.waiting)
        }
        waiting?.resume()
        return isThere
    }

    /// No more messages will come; those that wait are still sent.
    public func end() {
        let waiting = state.withLock { state in
            state.isEnded = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// All that waits, as one piece; waits for something. Nil at the end. One reader at a time.
    public func next() async -> Data? {
        await withTaskCancellationHandler {
            while true {
                let (data, isEnded) = take()
                if let data { return data }
                if isEnded || Task.isCancelled { return nil }
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        guard state.messages.isEmpty, !state.isEnded else { return true }
                        state.waiting = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            }
        } onCancel: {
            end()
        }
    }

    private func take() -> (Data?, isEnded: Bool) {
        state.withLock { state in
            guard !state.messages.isEmpty else { return (nil, state.isEnded) }
            var data = Data(capacity: state.byteCount)
            for message in state.messages { data.append(message) }
            state.messages.removeAll(keepingCapacity: true)
            state.byteCount = 0
            return (data, state.isEnded)
        }
    }
}

/// The text of server-sent events (HTML Living Standard, 9.2).
enum ServerSentEvent {
    /// An event whose data is one line.
    static func text(_ name: String, _ data: String) -> Data {
        Data("event: \(name)\ndata: \(data)\n\n".utf8)
    }

    /// Nothing, to keep a connection alive and find out whether anybody is there.
    static let comment = Data(":\n\n".utf8)
}
