import FlyingFox
import FlyingSocks
import Foundation
import Signals
import Synchronization

/// Takes connections from the network, keeps them within bounds, and carries them on to the server behind, which listens on
/// a socket of this machine's files: that server reads whatever a client sends, for as long as it does.
struct FrontDoor: Sendable {
    private let socket: Socket
    private let limits: ServiceLimits
    private let mostConnections: Int
    private let connections = Connections()
    private let budget: BodyBudget
    private let screen: @Sendable (RequestHead) throws(Problem) -> Void

    /// A door at an address.
    /// - Parameters:
    ///   - mostConnections: for more, those make room that have waited longest for their clients.
    ///   - screen: throws why a long body need not be read.
    /// - Throws: `SocketError` when the address is taken.
    init(
        _ address: any SocketAddress, limits: ServiceLimits, mostConnections: Int,
        screen: @escaping @Sendable (RequestHead) throws(Problem) -> Void
    ) throws {
        (self.limits, self.mostConnections, self.screen) = (limits, max(1, mostConnections), screen)
        budget = BodyBudget(max(limits.bodies, limits.body))
        socket = try Socket(domain: Int32(type(of: address).family))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
        } catch {
            try? socket.close()
            throw error
        }
    }

    /// The port it is at.
    var port: UInt16? {
        switch try? socket.sockname() {
        case .ip4(_, let port), .ip6(_, let port): port
        default: nil
        }
    }

    /// Carries connections on to the socket at `path` until the task is cancelled.
    func run(to path: String) async throws {
        let pool = HTTPServer.defaultPool()
        try await pool.prepare()
        let listening = try AsyncSocket(socket: socket, pool: pool)
        defer { try? listening.close() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run() }
            group.addTask { try await watch() }
            group.addTask {
                await accept(listening) { try await AsyncSocket.connected(to: .unix(path: path), pool: pool) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func accept(
        _ listening: AsyncSocket, connect: @escaping @Sendable () async throws -> AsyncSocket
    ) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard let client = try? await listening.accept() else {
                    // This process may open no more files: somebody has to go first.
                    try? await Task.sleep(for: .milliseconds(50))
                    continue
                }
                await waitForRoom()
                let connection = FrontConnection(client, limits: limits, budget: budget, screen: screen)
                connections.insert(connection)
                group.addTask {
                    await connection.run(connect: connect)
                    connections.remove(connection)
                    try? client.close()
                }
            }
        }
    }

    /// Waits until there is a place, and sees to it that there will be: whoever is silent keeps nobody out.
    private func waitForRoom() async {
        while connections.count >= mostConnections, !Task.isCancelled {
            connections.makeRoom(below: mostConnections)
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private func watch() async throws {
        while true {
            try await Task.sleep(for: .seconds(min(1, limits.headPatience / 4)))
            connections.closeOverdue(at: SystemTime.now)
        }
    }
}

/// The connections that are open.
private final class Connections: Sendable {
    private let all = Mutex<[ObjectIdentifier: FrontConnection]>([:])

    var count: Int { all.withLock(\.count) }

    func insert(_ connection: FrontConnection) { all.withLock { $0[ObjectIdentifier(connection)] = connection } }

    func remove(_ connection: FrontConnection) { all.withLock { $0[ObjectIdentifier(connection)] = nil } }

    /// While the list is held none is removed, so no descriptor can be another's already.
    func closeOverdue(at now: Seconds) {
        all.withLock { for connection in $0.values { connection.close(ifOverAt: now) } }
    }

    /// Shuts the one that has waited longest for its client, unless so many have been shut already that there will be room.
    func makeRoom(below most: Int) {
        all.withLock { all in
            guard all.values.count(where: { !$0.isLeaving }) >= most else { return }
            var first: (connection: FrontConnection, order: Int, since: Seconds)?
            for connection in all.values {
                guard let next = connection.readiness else { continue }
                if let first, (first.order, first.since) <= (next.order, next.since) { continue }
                first = (connection, next.order, next.since)
            }
            first?.connection.leave()
        }
    }
}
