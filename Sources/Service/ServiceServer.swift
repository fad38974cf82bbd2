import FlyingFox
import FlyingSocks
import Foundation
import Glibc
import Signals

/// Puts a study's service on the network: HTTP/1.1 without TLS, on this machine alone unless told otherwise.
public struct ServiceServer: Sendable {
    private let service: StudyService
    private let address: any SocketAddress
    private let port: UInt16

    /// A server on `host` and `port`; port 0: any free one.
    /// - Throws: `ServiceError` when the address is none.
    public init(_ service: StudyService, host: String, port: UInt16) throws {
        self.service = service
        guard let address = Self.address(host, port) else {
            throw ServiceError(description: "“\(host)” is no address of this machine, such as 127.0.0.1 or ::1")
        }
        (self.address, self.port) = (address, port)
    }

    /// Serves until the task is cancelled.
    /// - Parameter ready: told the port when connections are taken.
    /// - Throws: `ServiceError` when the port is taken.
    public func run(ready: @escaping @Sendable (UInt16) -> Void) async throws {
        // The address of a socket among files has room for some hundred bytes.
        let usual = FileManager.default.temporaryDirectory
        let base = usual.path.utf8.count <= 60 ? usual : URL(fileURLWithPath: "/tmp", isDirectory: true)
        let folder = base.appendingPathComponent("marey-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            // A connection takes three files: the client's, and both ends of the one behind.
            let door = try FrontDoor(
                address, limits: service.limits,
                mostConnections: min(service.limits.connections, (Self.raiseDescriptorLimit() - 64) / 3),
                screen: { [service] head throws(Problem) in try service.screen(head) })
            try await serve(door, behind: folder.appendingPathComponent("http").path, ready)
        } catch let error where Task.isCancelled || error is CancellationError {
            // Sockets that were in use when the service was ended tell of it in their own ways.
            throw CancellationError()
        } catch SocketError.failed(_, EADDRINUSE, _) {
            throw ServiceError(
                description: "port \(port) is taken: end the program that listens there, or say another with --port")
        } catch {
            throw ServiceError(description: "the service cannot take connections: \(error.localizedDescription)")
        }
    }

    private func serve(
        _ door: FrontDoor, behind path: String, _ ready: @escaping @Sendable (UInt16) -> Void
    ) async throws {
        let (service, server) = (service, await server(at: path))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                try await server.waitUntilListening()
                if let port = door.port { ready(port) }
                try await door.run(to: path)
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(10))
                    service.keepAlive()
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func server(at path: String) async -> HTTPServer {
        var configuration = HTTPServer.Configuration(address: .unix(path: path))
        configuration.timeout = service.limits.answer
        configuration.sharedRequestReplaySize = service.limits.body
        configuration.logger = .disabled
        let handler = ServiceHandler(service: service)
        let server = HTTPServer(config: configuration, handler: handler)
        await server.appendRoute("*", for: RequestHead.rareMethods.map { HTTPMethod($0) }, to: handler)
        return server
    }

    private static func address(_ host: String, _ port: UInt16) -> (any SocketAddress)? {
        if let ip4 = try? sockaddr_in.inet(ip4: host, port: port) { return ip4 }
        return try? sockaddr_in6.inet6(ip6: host, port: port)
    }

    /// Lets this process open as many files as it may.
    /// - Returns: how many that is.
    private static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}

/// Why the service cannot be reached.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do.
    public var description: String
}

/// Carries requests and answers between the network and the service.
private struct ServiceHandler: HTTPHandler {
    let service: StudyService

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        var response = await service.respond(to: try await translate(request))
        if case .events = response.body, request.version != .http11 {
            // They go out in pieces, which HTTP/1.0 knows nothing of.
            response = Problem(505, "version", "events are sent to clients of HTTP/1.1").response
        }
        var headers = HTTPHeaders()
        for (name, value) in response.headers { headers[HTTPHeader(name)] = value }
        for (name, value) in ServiceResponse.protection where response.headers[name] == nil {
            headers[HTTPHeader(name)] = value
        }
        if let type = response.type { headers[.contentType] = type }
        let status = HTTPStatusCode(response.status, phrase: Problem.titles[response.status] ?? "OK")
        let body: HTTPBodySequence
        switch response.body {
        case .data(let data): body = HTTPBodySequence(data: data)
        case .file(let url): body = try HTTPBodySequence(file: url, suggestedBufferSize: 1 << 16)
        case .events(let subscription):
            body = HTTPBodySequence(from: EventBytes(subscription: subscription), suggestedBufferSize: 1 << 16)
        case .relay(let socket):
            return try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
        case .socketIO(let socket):
            return try await WebSocketHTTPHandler(handler: socket).handleRequest(request)
        }
        guard request.method == .HEAD else { return HTTPResponse(statusCode: status, headers: headers, body: body) }
        // Whatever the answer is, a body would be taken for the beginning of the next one.
        if let count = body.count { headers[.contentLength] = "\(count)" }
        return HTTPResponse(statusCode: status, headers: headers, body: Data())
    }

    private func translate(_ request: HTTPRequest) async throws -> ServiceRequest {
        var query: [String: String] = [:]
        for item in request.query { query[item.name] = item.value }
        var headers: [String: String] = [:]
        for (name, value) in request.headers { headers[name.rawValue.lowercased()] = value }
        let peer = headers.removeValue(forKey: FrontConnection.peerHeader.lowercased()) ?? "local"
        return ServiceRequest(
            request.method.rawValue, request.path, query: query, headers: headers, body: try await body(request),
            peer: peer)
    }

    /// The body; nil when it is too long. What is too long is not kept.
    private func body(_ request: HTTPRequest) async throws -> Data? {
        let most = service.limits.body
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most { return nil }
        var body = Data()
        for try await chunk in request.bodySequence {
            guard body.count + chunk.count <= most else { return nil }
            body.append(chunk)
        }
        return body
    }
}

/// A subscription's events as bytes.
private struct EventBytes: AsyncBufferedSequence {
    typealias Element = UInt8
    let subscription: Subscription

    func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let subscription: Subscription
        private var rest = Data()[...]

        init(subscription: Subscription) {
            self.subscription = subscription
        }

        mutating func next() async throws -> UInt8? {
            if rest.isEmpty {
                guard let data = await subscription.next() else { return nil }
                rest = data[...]
            }
            return rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard rest.isEmpty else {
                defer { rest = Data()[...] }
                return Data(rest)
            }
            return await subscription.next()
        }
    }
}
