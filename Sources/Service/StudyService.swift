import Devices
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

    private let context: ServiceContext
    private let table: RouteTable
    private let gatekeeper: Gatekeeper
    private let limiter: Mutex<RateLimiter>

    /// The service of `study`.
    /// - Parameters:
    ///   - parameters: how sessions are computed.
    ///   - adapter: the Bluetooth adapter; nil: the first.
    ///   - now: the wall clock.
    /// - Throws: `StudyError` when the bookkeeping cannot be used.
    public init(
        _ study: StudyFolder, parameters: Parameters, limits: ServiceLimits = ServiceLimits(), adapter: String? = nil,
        now: @escaping @Sendable () -> Timestamp,
        log: (@Sendable (String, String, Int, Seconds) -> Void)? = nil
    ) throws {
        (self.limits, self.log, token) = (limits, log, AccessToken())
        let bookkeeping = try Bookkeeping(study)
        let feed = LiveFeed(mostClients: limits.clients, queueCapacity: limits.queue)
        context = ServiceContext(
            study: study, bookkeeping: bookkeeping,
            desk: SessionDesk(study, parameters: parameters, adapter: adapter, feed: feed, now: now), feed: feed,
            relay: RelayDesk(), tickets: Tickets(), scanner: DeviceScanner(adapter: adapter), limits: limits, now: now)
        let routes = Self.routes(context)
        table = RouteTable(routes: routes + GeneralRoutes.documentRoutes(of: routes))
        gatekeeper = Gatekeeper(ownerHash: token.hash, bookkeeping: bookkeeping)
        limiter = Mutex(RateLimiter(rate: limits.rate, burst: limits.burst))
    }

    /// A new resource is a line here.
    private static func routes(_ context: ServiceContext) -> [Route] {
        GeneralRoutes.routes(context) + ParticipantRoutes.routes(context) + DeviceRoutes.routes(context)
            + SessionRoutes.routes(context) + FileRoutes.routes(context) + LiveRoutes.routes(context)
            + RelayRoutes.routes(context)
    }

    /// Answers a request; every failure becomes a problem document.
    public func respond(to request: ServiceRequest) async -> ServiceResponse {
        let begin = SystemTime.now
        var template = "-"
        let response: ServiceResponse
        do {
            try demandPatience(of: request)
            let (route, found) = try table.find(request.method, request.path)
            template = route.path
            let caller = try gatekeeper.admit(request, to: route)
            let call = try RouteTable.call(request, route, found, caller)
            response = try await route.handle(call)
        } catch {
            response = Self.problem(error).response
        }
        log?(request.method, template, response.status, SystemTime.now - begin)
        return response
    }

    private func demandPatience(of request: ServiceRequest) throws(Problem) {
        // By key where there is one, so that people behind one proxy do not slow each other.
        let caller = request.headers["authorization"] ?? request.peer
        guard let wait = limiter.withLock({ $0.wait(caller, at: SystemTime.now) }) else { return }
        var problem = Problem(429, "rate", "at most \(Int(limits.rate)) requests a second")
        problem.headers["Retry-After"] = "\(max(1, Int(wait.rounded(.up))))"
        throw problem
    }

    private static func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let refusal as SessionRefusal where refusal.kind == .misuse: .invalid(refusal.description)
        case let refusal as SessionRefusal: .conflict("unavailable", refusal.description)
        case let failure as DeviceFailure: .invalid(failure.description)
        case let error as LinkError: .unavailable("device", error.description)
        case let error as RecorderError: .unavailable("recorder", "\(error)")
        case let error as StudyError: .unavailable("study", error.problem)
        default: Problem(500, "unexpected", "an unexpected error; the service's own log tells more")
        }
    }

    /// Notices clients that are gone; to be called every few seconds.
    public func keepAlive() { context.feed.keepAlive() }

    /// Ends the session that runs in order, and lets everybody who looks go.
    public func close() async {
        await context.desk.finishAll()
        context.feed.close()
    }
}
