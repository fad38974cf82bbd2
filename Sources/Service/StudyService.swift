import Decoding
import Devices
import Formats
import Foundation
public import Pipeline
import Recorder
import Sessions
public import Signals
public import Study
import Synchronization

/// The service of one study: requests in, answers out, without sockets. `ServiceServer` puts it on the network.
public final class StudyService: Sendable {
    /// The key of the person who started the service; it is kept nowhere and ends with the program.
    public let token: AccessToken
    /// What is taken from clients.
    public let limits: ServiceLimits
    /// Told of every request when it was answered: method, the route's template (never the path, which may name
    /// somebody), status and seconds.
    public let log: (@Sendable (String, String, Int, Seconds) -> Void)?
    /// Told what went wrong here, for whoever started the service.
    public let complain: @Sendable (String) -> Void

    private let context: ServiceContext
    private let table: RouteTable
    private let gatekeeper: Gatekeeper
    private let limiter: Mutex<RateLimiter>
    private let sockets: RelaySockets

    /// The service of `study`.
    /// - Parameters:
    ///   - parameters: how sessions are computed.
    ///   - adapter: the Bluetooth adapter; nil: the first.
    ///   - now: the wall clock.
    ///   - codeUsed: told that a link of whoever started the service was used: another is needed for another window.
    /// - Throws: `StudyError` when the bookkeeping cannot be used.
    public init(
        _ study: StudyFolder, parameters: Parameters, limits: ServiceLimits = ServiceLimits(), adapter: String? = nil,
        now: @escaping @Sendable () -> Timestamp,
        log: (@Sendable (String, String, Int, Seconds) -> Void)? = nil,
        complain: @escaping @Sendable (String) -> Void = { _ in },
        codeUsed: @escaping @Sendable () -> Void = {}
    ) throws {
        (self.limits, self.log, self.complain, token) = (limits, log, complain, AccessToken())
        let bookkeeping = try Bookkeeping(study)
        let feed = LiveFeed(limits)
        let relay = RelayDesk()
        sockets = RelaySockets(limits)
        context = ServiceContext(
            study: study, bookkeeping: bookkeeping,
            desk: SessionDesk(
                study, parameters: parameters, adapter: adapter, feed: feed, relay: relay, now: now, complain: complain),
            feed: feed, relay: relay, phones: SocketIODesk(relay, sockets, limits, now: now), tickets: Tickets(),
            logins: BrowserSessions(),
            scanner: DeviceScanner(adapter: adapter), limits: limits,
            now: now)
        let routes = Self.routes(context) + LoginRoutes.routes(context, codeUsed: codeUsed)
        table = RouteTable(routes: routes + GeneralRoutes.documentRoutes(of: routes))
        gatekeeper = Gatekeeper(
            ownerHash: token.hash, bookkeeping: bookkeeping, sessions: context.logins, uses: KeyUses(), now: now)
        limiter = Mutex(RateLimiter(rate: limits.rate, burst: limits.burst))
    }

    /// A new resource is a line here.
    private static func routes(_ context: ServiceContext) -> [Route] {
        GeneralRoutes.routes(context) + ParticipantRoutes.routes(context) + DeviceRoutes.routes(context)
            + SessionRoutes.routes(context) + FileRoutes.routes(context) + LiveRoutes.routes(context)
            + RelayRoutes.routes(context) + SocketIORoutes.routes(context) + CalibrationRoutes.routes(context)
            + StimulusRoutes.routes(context)
    }

    /// A code for a link that opens the page once, for whoever started the service: `ADDRESS/#CODE`. It ends with the program.
    public func loginCode() -> String { context.logins.code() }

    /// Answers a request; every failure becomes a problem document.
    public func respond(to request: ServiceRequest) async -> ServiceResponse {
        let begin = SystemTime.now
        var template = "-"
        let response: ServiceResponse
        do {
            let caller = try caller(of: request)
            try demandPatience(of: Self.bucket(caller, request))
            let (route, found) = try table.find(request.method, request.path)
            template = route.path
            let call = try RouteTable.call(request, route, found, Gatekeeper.admit(caller, to: route))
            response = try await route.handle(call).watched(by: sockets)
        } catch {
            response = problem(error, template).response
        }
        log?(request.method, template, response.status, SystemTime.now - begin)
        return response
    }

    /// Who asks: told by the key, or by the Socket.IO session that began with one.
    private func caller(of request: ServiceRequest) throws -> Caller? {
        let isPhone = SocketIORoutes.owns(request.path) && request.headers["authorization"] == nil
        guard isPhone else { return try gatekeeper.caller(request) }
        if let caller = context.phones.caller(path: request.path, query: request.query) {
            return context.isValid(caller.key) ? caller : nil
        }
        guard let key = request.query["key"] else { return .nobody }
        var request = request
        request.headers["authorization"] = "Bearer \(key)"
        return try gatekeeper.caller(request)
    }

    /// Says no to a long body before it is read, by its head.
    /// - Throws: `Problem` 401, 403, 404, 405 or 413.
    func screen(_ head: RequestHead) throws(Problem) {
        let target = URLComponents(string: head.target)
        let path = target?.percentEncodedPath ?? ""
        let (route, _) = try table.find(head.method, path)
        guard route.body != nil || route.takesText else {
            throw Problem(413, "tooLarge", "this resource needs no body, and reads none over \(limits.smallBody) bytes")
        }
        var headers: [String: String] = [:]
        headers["authorization"] = head.authorization
        let caller: Caller?
        do {
            let query = (target?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
            caller = try self.caller(
                of: ServiceRequest(head.method, path, query: Dictionary(query) { $1 }, headers: headers))
        } catch {
            throw problem(error, route.path)
        }
        _ = try Gatekeeper.admit(caller, to: route)
    }

    /// Whose requests are counted together: those of a valid key, so that people behind one proxy do not slow each other;
    /// else those of an address. There keys that are not valid, and what a browser asks for without one, are counted apart:
    /// a program with a wrong key does not keep the page from others.
    private static func bucket(_ caller: Caller?, _ request: ServiceRequest) -> String {
        guard let caller else { return "no key \(request.peer)" }
        if caller != .nobody { return "key \(caller.key.map(String.init) ?? "owner")" }
        let isOfPage = ["/", "/openapi.json"].contains(request.path) || request.path.hasPrefix("/open/")
        return isOfPage ? "page \(request.peer)" : request.peer
    }

    private func demandPatience(of caller: String) throws(Problem) {
        guard let wait = limiter.withLock({ $0.wait(caller, at: SystemTime.now) }) else { return }
        var problem = Problem(429, "rate", "at most \(Int(limits.rate)) requests a second")
        problem.headers["Retry-After"] = "\(max(1, Int(wait.rounded(.up))))"
        throw problem
    }

    private func problem(_ error: any Error, _ template: String) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let refusal as SessionRefusal where refusal.kind == .misuse: return .invalid(refusal.description)
        case let refusal as SessionRefusal: return .conflict("unavailable", refusal.description)
        case let refusal as PredictionRefusal: return Self.problem(refusal)
        case let refusal as CalibrationRefusal: return .conflict("calibration", refusal.description)
        case let error as ModelError: return .unavailable("model", error.description)
        case let error as FormatError: return .unavailable("recording", error.description)
        case let error as PipelineError: return .invalid(error.description)
        case let failure as DeviceFailure: return .invalid(failure.description)
        case let error as LinkError: return .unavailable("device", error.description)
        case let error as RecorderError: return .unavailable("recorder", "\(error)")
        case let error as StudyError: return .unavailable("study", error.told)
        default:
            complain("\(template): \(Discretion.text(error))")
            return Problem(500, "unexpected", "an unexpected error; the service has told whoever started it")
        }
    }

    private static func problem(_ refusal: PredictionRefusal) -> Problem {
        switch refusal {
        case .unknown, .excludesOthers: Problem(400, refusal.reason, refusal.description)
        case .notAuthorised: Problem(403, refusal.reason, refusal.description)
        case .stream, .notCalibrated, .modelMismatch: .conflict(refusal.reason, refusal.description)
        }
    }

    /// Notices clients that are gone, and lets those go whose keys were taken back; to be called every few seconds.
    public func keepAlive() {
        if let keys = try? context.bookkeeping.keys() {
            let now = context.now()
            let valid = Set(keys.filter { $0.isValid(at: now) }.map(\.id))
            context.feed.keep(keys: valid)
            sockets.keep(keys: valid)
            context.phones.keep(keys: valid)
        }
        context.feed.keepAlive()
    }

    /// Ends the session that runs in order, and lets everybody who looks go.
    public func close() async {
        await context.desk.finishAll()
        context.phones.close()
        context.feed.close()
    }
}
