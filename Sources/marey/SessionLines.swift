import Acquisition
import Signals
import Synchronization

/// A session's events as JSON lines on standard output. Whoever reads slowly loses the oldest lines, never the session:
/// lines wait in a bounded queue that a task of its own empties.
final class SessionLines: Sendable {
    private let events: AsyncStream<SessionEvent>
    private let incoming: AsyncStream<SessionEvent>.Continuation
    private let dropped = Mutex(0)

    init() {
        (events, incoming) = AsyncStream.makeStream(of: SessionEvent.self, bufferingPolicy: .bufferingNewest(20_000))
    }

    func show(_ event: SessionEvent) {
        if case .dropped = incoming.yield(event) { dropped.withLock { $0 += 1 } }
    }

    func end() { incoming.finish() }

    /// Writes until `end`, or until nothing can be written any more; the session goes on.
    func write() async {
        var names: [String] = []
        for await event in events {
            if case .stream(_, _, let header, _, _) = event { names.append(header.name) }
            let lost = dropped.withLock { dropped in
                defer { dropped = 0 }
                return dropped
            }
            var text = SessionLine(streams: names).text(event)
            if lost > 0 { text = "{\"event\":\"dropped\",\"lines\":\(lost)}\n" + text }
            guard StandardOutput.follow(text) else { return }
        }
    }
}
