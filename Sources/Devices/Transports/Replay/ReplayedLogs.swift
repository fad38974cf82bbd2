import Signals
import Synchronization

/// The logs that are replayed in one session. Those that were written in one session all begin with the first
/// connection of any of them, so that they lie as they did then; any other begins with its own.
public final class ReplayedLogs: Sendable {
    private let origins = Mutex<[ReplayOrigin]>([])

    /// No logs yet.
    public init() {}

    /// Where the log with this header begins, whose own first connection was at `moment`.
    func origin(of header: ByteLogHeader, connected moment: Seconds) -> ReplayOrigin {
        origins.withLock { origins in
            if let origin = origins.first(where: { $0.takes(header, connected: moment) }) { return origin }
            let origin = ReplayOrigin(header, connected: moment)
            origins.append(origin)
            return origin
        }
    }
}

/// Where the logs of one session begin, then and now.
final class ReplayOrigin: Sendable {
    private let header: ByteLogHeader
    private let start: Mutex<Start>

    private struct Start {
        var log: Seconds
        /// Nil: none of them was begun yet.
        var host: Seconds?
    }

    /// The most that the wall clocks of a session's logs differ by, and the moments at which they were begun, seconds.
    private static let (clockTolerance, longestBeginning) = (1.0, 5.0)

    init(_ header: ByteLogHeader, connected moment: Seconds) {
        self.header = header
        start = Mutex(Start(log: moment))
    }

    /// Whether a log is of the session too, and in time: what is being played is not moved any more.
    func takes(_ other: ByteLogHeader, connected moment: Seconds) -> Bool {
        let difference = (other.wallClock - other.hostTime) - (header.wallClock - header.hostTime)
        guard abs(difference) <= Self.clockTolerance,
            abs(other.hostTime - header.hostTime) <= Self.longestBeginning
        else { return false }
        return start.withLock { start in
            guard start.host == nil else { return false }
            start.log = min(start.log, moment)
            return true
        }
    }

    /// The beginning on the clock of the logs and on `clock`, where it is the present when it is first asked for.
    func begin(by clock: any HostClock) -> (log: Seconds, host: Seconds) {
        start.withLock { start in
            let host = start.host ?? clock.now
            start.host = host
            return (log: start.log, host: host)
        }
    }
}
