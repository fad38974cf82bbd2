import Signals
public import Study
import Synchronization

/// Who sends a request, as far as the service needs to know.
public struct Caller: Hashable, Sendable {
    /// The key's name; empty for who has none.
    public var name: String
    /// What the caller may do.
    public var rights: Set<AccessRight>
    /// The predictions the caller may start and see, by code name; nil: all.
    public var predictions: Set<String>?
    /// The key's number in the bookkeeping; nil for who started the service, and for who has none.
    public var key: Int64?

    /// Whether the caller may start and see this prediction.
    func allows(_ prediction: String) -> Bool { predictions?.contains(prediction) ?? true }

    /// Somebody without a key.
    static let nobody = Caller(name: "", rights: [], predictions: [])
    /// The person who started the service.
    static let owner = Caller(name: "owner", rights: Set(AccessRight.allCases), predictions: nil)
}

/// When keys were used last: noted once a minute, so that not every request writes.
final class KeyUses: Sendable {
    private let noted = Mutex<[Int64: Seconds]>([:])
    private static let interval: Seconds = 60

    /// A key is used.
    func note(_ key: Int64, at now: Timestamp, in bookkeeping: Bookkeeping) {
        let moment = now.secondsSince1970
        let isDue = noted.withLock { noted in
            if let last = noted[key], abs(moment - last) < Self.interval { return false }
            noted[key] = moment
            return true
        }
        // A study that cannot be written to is still served.
        if isDue { try? bookkeeping.noteKeyUse(key, at: now) }
    }
}

/// Tells callers from their keys.
struct Gatekeeper: Sendable {
    let ownerHash: String
    let bookkeeping: Bookkeeping
    let sessions: BrowserSessions
    let uses: KeyUses
    let now: @Sendable () -> Timestamp

    /// The caller behind a request; nil when a key was sent that is not valid.
    /// - Throws: when the bookkeeping cannot be read.
    func caller(_ request: ServiceRequest) throws -> Caller? {
        guard let header = request.headers["authorization"] else { return .nobody }
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let hash = AccessToken(String(parts[1])).hash
        // Hashes of secrets are compared: how long that takes tells nothing about the secret.
        if hash == ownerHash { return .owner }
        if sessions.holds(hash) { return .owner }
        guard let key = try bookkeeping.key(hash: hash, at: now()) else { return nil }
        uses.note(key.id, at: now(), in: bookkeeping)
        return Caller(name: key.name, rights: key.rights, predictions: key.predictions, key: key.id)
    }

    /// The caller, when allowed to do what the route needs.
    /// - Parameter caller: as told from the request; nil when its key is not valid.
    /// - Throws: `Problem` 401 or 403.
    static func admit(_ caller: Caller?, to route: Route) throws(Problem) -> Caller {
        guard let right = route.right else { return caller ?? .nobody }
        guard let caller, caller != .nobody else {
            var problem = Problem(401, "key", "send a valid key: Authorization: Bearer …")
            problem.headers["WWW-Authenticate"] = "Bearer"
            throw problem
        }
        guard caller.rights.contains(right) else {
            throw Problem(403, "right", "this key lacks the right to \(right.rawValue)")
        }
        return caller
    }
}
