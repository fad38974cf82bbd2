import Devices
import Foundation
import Signals
import Synchronization

/// The Socket.IO sessions of the relay: each is known by a secret of its own, which represents the key it began with.
final class SocketIODesk: Sendable {
    private struct Place {
        var session: SocketIOSession
        var caller: Caller
        var pinging: Task<Void, Never>?
    }

    private let relay: RelayDesk
    private let sockets: RelaySockets
    private let limits: ServiceLimits
    private let now: @Sendable () -> Timestamp
    private let places = Mutex<[String: Place]>([:])

    init(_ relay: RelayDesk, _ sockets: RelaySockets, _ limits: ServiceLimits, now: @escaping @Sendable () -> Timestamp)
    {
        (self.relay, self.sockets, self.limits, self.now) = (relay, sockets, limits, now)
    }

    /// Begins a session.
    /// - Parameter isAllowed: whether the caller's key is still valid.
    /// - Throws: `Problem` 503 when there are as many as there may be.
    func open(
        _ version: EngineIOVersion, _ transport: SocketIOSession.Transport, for caller: Caller,
        isAllowed: @escaping @Sendable () -> Bool
    ) throws(Problem) -> SocketIOSession {
        let id = String(AccessToken().text.dropFirst("marey_".count))
        let edges = SocketIOSession.Edges(
            desk: relay, sockets: sockets, limits: limits, now: now, isAllowed: isAllowed,
            ended: { [weak self] in self?.remove($0) })
        let session = SocketIOSession(
            id, version, transport, sender: RelaySender(key: caller.key, socket: id), at: SystemTime.now, edges)
        try places.withLock { places throws(Problem) in
            let own = places.values.count { $0.caller.key == caller.key }
            guard places.count < limits.phones, own < max(1, limits.phones / 4) else {
                throw .unavailable("tooManyPhones", "as many phones as can be are connected: disconnect one of them")
            }
            places[id] = Place(session: session, caller: caller)
        }
        let pinging = Task {
            while let next = session.wake(at: SystemTime.now) {
                do { try await Task.sleep(for: .seconds(max(0.001, next - SystemTime.now))) } catch { return }
            }
        }
        places.withLock { places in
            if places[id] == nil { pinging.cancel() } else { places[id]?.pinging = pinging }
        }
        return session
    }

    /// The session of this id that began with the caller's key.
    /// - Throws: `Problem` 400.
    func session(_ id: String, for caller: Caller) throws(Problem) -> SocketIOSession {
        guard let place = places.withLock({ $0[id] }), place.caller.key == caller.key else {
            throw Problem(400, "unknownSession", "there is no such session, or it is over: connect again")
        }
        return place.session
    }

    /// Who began the session that a request without a key belongs to; nil for other requests.
    func caller(path: String, query: [String: String]) -> Caller? {
        guard SocketIORoutes.owns(path), let id = query["sid"] else { return nil }
        return places.withLock { $0[id]?.caller }
    }

    /// Ends the sessions whose key is not among these; the owner's need no key.
    func keep(keys: Set<Int64>) {
        let sessions = places.withLock { $0.values.map(\.session) }
        for session in sessions {
            if let key = session.sender.key, !keys.contains(key) { session.finish(.refused(RelaySocket.revoked)) }
        }
    }

    /// Ends all.
    func close() {
        for session in places.withLock({ $0.values.map(\.session) }) { session.finish(.refused("the service ends")) }
    }

    private func remove(_ id: String) {
        places.withLock { $0.removeValue(forKey: id) }?.pinging?.cancel()
    }
}
