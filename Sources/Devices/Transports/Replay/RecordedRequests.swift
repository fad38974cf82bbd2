import Foundation
import Signals

/// What was asked of a device in the connections of its log, and what it refused. Looks as far ahead in the log as a
/// question needs.
struct RecordedRequests {
    /// Something asked of a device.
    enum Request: Hashable {
        case send([UInt8], to: Endpoint)
        case subscribe(BluetoothUUID)
        case read(BluetoothUUID)

        /// What an entry of a log says was asked; nil of one that says something else.
        init?(_ entry: ByteLogEntry) {
            switch entry.content {
            case .sent(let bytes, let endpoint): self = .send(bytes, to: endpoint)
            case .subscribed(let uuid): self = .subscribe(uuid)
            case .asked(let uuid): self = .read(uuid)
            case .opened, .received, .refused, .overrun, .closed: return nil
            }
        }

        var endpoint: Endpoint {
            switch self {
            case .send(_, let endpoint): endpoint
            case .subscribe(let uuid), .read(let uuid): .characteristic(uuid)
            }
        }
    }

    /// What became of a request.
    enum Answer: Hashable {
        case taken
        case refused(LinkError)
        /// Nobody asked for it.
        case unknown
    }

    private struct Occasion {
        var moment: Seconds
        var refusal: LinkError?
    }

    private let reader: ByteLogReader
    private var connections = ByteLogConnections()
    /// The moment of the last entry read.
    private var reached = -Seconds.infinity
    private var occasions: [Int: [Request: [Occasion]]] = [:]
    private var latest: [Endpoint: Request] = [:]
    private var used: [Request: Int] = [:]
    private var current = 0
    /// No device takes longer to refuse (Bluetooth Core Specification, Vol 3, Part F, 3.3.3).
    private static let answerTime: Seconds = 30

    init(_ log: URL) throws {
        reader = try ByteLogReader(log)
    }

    /// What became of this request in a connection of the log: of the first one the first time it is asked, then of the
    /// next; what is asked more often fares as it did the last time.
    mutating func answer(_ request: Request, connection: Int) throws -> Answer {
        if connection != current {
            current = connection
            used = [:]
            occasions = occasions.filter { $0.key >= connection }
        }
        let isHeld = if case .send = request { true } else { reader.header.holdsRequests == true }
        guard isHeld else { return .taken }
        let number = used[request, default: 0]
        while (occasions[connection]?[request]?.count ?? 0) <= number, try advance(in: connection) {}
        guard let found = occasions[connection]?[request] else { return .unknown }
        let index = min(number, found.count - 1)
        while found[index].refusal == nil, reached < found[index].moment + Self.answerTime, try advance(in: connection)
        {}
        used[request] = number + 1
        return occasions[connection]?[request]?[index].refusal.map { .refused($0) } ?? .taken
    }

    /// Reads one more entry, when there is one and the connection is not over.
    private mutating func advance(in connection: Int) throws -> Bool {
        guard connections.count <= connection, let entry = try reader.next() else { return false }
        connections.pass(entry)
        reached = entry.moment
        if let request = Request(entry) {
            occasions[connections.count, default: [:]][request, default: []].append(Occasion(moment: entry.moment))
            latest[request.endpoint] = request
        } else if case .refused(let error, let endpoint) = entry.content, let request = latest[endpoint],
            let last = occasions[connections.count]?[request]?.indices.last
        {
            occasions[connections.count]?[request]?[last].refusal = error
        }
        return true
    }
}
