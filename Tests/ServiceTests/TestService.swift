import Devices
import Foundation
import Pipeline
import Service
import Signals
import Simulation
import Study
import TestSupport
import Testing

/// A service of a new study in a folder of its own, without sockets.
struct TestService {
    let study: StudyFolder
    let service: StudyService
    let bookkeeping: Bookkeeping

    init(
        in folder: URL, limits: ServiceLimits? = nil, complain: @escaping @Sendable (String) -> Void = { _ in },
        now: @escaping @Sendable () -> Timestamp = Self.now
    ) throws {
        study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "Test", version: "test")
        var standard = ServiceLimits()
        (standard.rate, standard.burst) = (1e6, 1e6)
        service = try StudyService(
            study, parameters: Parameters(), limits: limits ?? standard, now: now, complain: complain)
        bookkeeping = try Bookkeeping(study)
        // Which places keys may connect to is tested for itself.
        try bookkeeping.addDevicePlace("*", at: Self.now())
    }

    @Sendable static func now() -> Timestamp { Timestamp(secondsSince1970: Date().timeIntervalSince1970) }

    /// A new key with these rights.
    /// - Parameter predictions: those it allows; nil: all.
    func key(
        _ name: String, _ rights: Set<AccessRight>, predictions: Set<String>? = nil
    ) throws -> AccessToken {
        let token = AccessToken()
        _ = try bookkeeping.addKey(name, hash: token.hash, rights: rights, predictions: predictions, at: Self.now())
        return token
    }

    /// Asks with the key of whoever started the service, or with another, or (nil) with none.
    func ask(
        _ method: String, _ path: String, _ body: JSONValue? = nil, key: AccessToken?
    ) async -> ServiceResponse {
        var headers: [String: String] = [:]
        if let key { headers["authorization"] = "Bearer \(key.text)" }
        if body != nil { headers["content-type"] = "application/json" }
        return await service.respond(
            to: ServiceRequest(method, path, headers: headers, body: body?.data ?? Data()))
    }

    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async -> ServiceResponse {
        await ask(method, path, body, key: service.token)
    }

    /// What happens, with so much of the signals.
    func follow(_ detail: String, key: AccessToken? = nil) async throws -> Subscription {
        let answer = await service.respond(
            to: ServiceRequest(
                "GET", "/api/live/events", query: ["detail": detail],
                headers: ["authorization": "Bearer \((key ?? service.token).text)"]))
        guard case .events(let subscription) = answer.body else { throw CancellationError() }
        return subscription
    }

    /// Runs `body` with the service's address on the network, such as `http://127.0.0.1:40000`.
    func served<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let server = try ServiceServer(service, host: "127.0.0.1", port: 0)
        let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
        let running = Task { try await server.run { found.yield($0) } }
        defer { running.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw CancellationError() }
        return try await body("http://127.0.0.1:\(port)")
    }

    /// All methods and paths of the API's document, with whether they need a key. Parameters are filled in.
    func operations() async throws -> [(method: String, path: String, needsKey: Bool)] {
        let document = try JSONValue(await ask("GET", "/openapi.json").data)
        guard case .object(let paths)? = document["paths"] else { return [] }
        return paths.flatMap { path, operations -> [(method: String, path: String, needsKey: Bool)] in
            guard case .object(let operations) = operations else { return [] }
            let filled = path.replacing("{session}", with: "1").replacing("{event}", with: "1")
                .replacing("{file}", with: "report.html").replacing("{ticket}", with: "x")
                .replacing("{model}", with: "1").replacing("{stimulus}", with: "a.png")
            return operations.map { ($0.key.uppercased(), filled, $0.value["security"] != nil) }
        }
    }
}

extension Subscription {
    /// What comes until `isEnough`, or the end.
    func text(until isEnough: (String) -> Bool = { _ in false }) async -> String {
        var text = ""
        while !isEnough(text), let data = await next() { text += String(decoding: data, as: UTF8.self) }
        return text
    }
}

/// A simulated wristband behind TCP.
enum Wristband {
    /// Runs `body` with the address of one that is being served.
    static func served(_ body: (String) async throws -> Void) async throws {
        let model = try #require(DeviceModel.named("empatica-e4"))
        let make = try #require(model.simulator)
        let host = try StreamSimulatorHost(tcp: SimulatorRunner(make(SimulationParameters(), DeviceFaults())))
        let serving = Task { try await host.run() }
        defer { serving.cancel() }
        try await body("empatica-e4@\(host.place)")
    }
}

extension ServiceResponse {
    /// The body as JSON.
    var json: JSONValue { (try? JSONValue(data)) ?? .null }
    /// The word of a problem.
    var reason: String? { json["reason"]?.text }
}
