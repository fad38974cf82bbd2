import FlyingSocks
import Foundation
import Glibc
import Signals

/// One client's connection, carried on to the server behind as far as it keeps within bounds.
final class FrontConnection: Sendable {
    private let client: AsyncSocket
    private let limits: ServiceLimits
    private let deadlines: FrontDeadlines
    private let share: BodyShare
    private let screen: @Sendable (RequestHead) throws(Problem) -> Void

    /// The header line that tells the server behind who asks.
    static let peerHeader = "X-Marey-Peer"

    /// - Parameter screen: throws why a long body need not be read.
    init(
        _ client: AsyncSocket, limits: ServiceLimits, budget: BodyBudget,
        screen: @escaping @Sendable (RequestHead) throws(Problem) -> Void
    ) {
        (self.client, self.limits, deadlines) = (client, limits, FrontDeadlines(limits))
        (share, self.screen) = (BodyShare(budget), screen)
        var value: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Carries bytes both ways until either side ends it.
    /// - Parameter connect: connects to the server behind.
    func run(connect: () async throws -> AsyncSocket) async {
        defer { share.end() }
        var framing = RequestFraming(
            RequestFraming.Bounds(head: limits.head, body: limits.body, frame: limits.frame),
            addition: "\(Self.peerHeader): \(peer)",
            admit: { [self] head throws(Problem) in try admit(head) })
        do {
            var passed: [UInt8] = []
            while framing.requests == 0 {
                try framing.take(try await client.read(atMost: Self.piece), into: &passed)
                clientMoved(framing)
            }
            let server = try await connect()
            defer { try? server.close() }
            try await server.write(Data(passed))
            // Of a later request nobody can tell here whether the answers before it are over: its client goes on by itself.
            if framing.isAskedToContinue { try await client.write(Self.goOn) }
            if framing.isInHandshake { try await handshake(&framing, server) }
            try await carry(framing, server)
        } catch let problem as Problem {
            if deadlines.isFresh { await refuse(problem, isHeadOnly: framing.isHeadOnly) }
        } catch {
            // Whoever went away, or was silent for too long, needs no answer.
        }
    }

    /// Shuts the connection when its time is over.
    func close(ifOverAt now: Seconds) {
        guard deadlines.areOver(at: now) else { return }
        if deadlines.isFresh {
            let answer = Self.answer(Problem(408, "tooSlow", "the request was too long in coming"), isHeadOnly: false)
            _ = answer.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
        }
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// How readily it makes room for another, the least first; nil: not at all.
    var readiness: (order: Int, since: Seconds)? { deadlines.readiness }

    /// Whether it was told to make room.
    var isLeaving: Bool { deadlines.isLeaving }

    /// Shuts the connection, so that there is room for another.
    func leave() {
        deadlines.leave()
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    private static let piece = 4_096
    /// Tells a client that it may send the body.
    private static let goOn = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    private var descriptor: CInt { client.socket.file.rawValue }

    private var peer: String {
        switch try? client.socket.remotePeer() {
        case .ip4(let address, _), .ip6(let address, _): address
        default: "local"
        }
    }

    /// Looks at a head before its body comes.
    private func admit(_ head: RequestHead) throws(Problem) {
        guard head.length > limits.smallBody else { return }
        try screen(head)
        try share.take(head.length)
    }

    private func clientMoved(_ framing: RequestFraming) {
        share.clientMoved(isInBody: framing.isInBody)
        deadlines.clientMoved(framing)
    }

    /// Waits for the answer to a handshake.
    private func handshake(_ framing: inout RequestFraming, _ server: AsyncSocket) async throws {
        let agreed = Array("HTTP/1.1 101".utf8)
        var answer: [UInt8] = []
        while answer.count < agreed.count { answer += try await server.read(atMost: Self.piece) }
        framing.switched(toFrames: answer.starts(with: agreed))
        deadlines.serverMoves(isEndless: framing.isInFrames)
        try await client.write(Data(answer))
        deadlines.serverMoved()
    }

    private func carry(_ framing: RequestFraming, _ server: AsyncSocket) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.carryRequests(framing, to: server) }
            group.addTask { try await self.carryAnswers(of: server) }
            defer { group.cancelAll() }
            // A client that has said all it has to say still waits for the answer.
            while try await group.next() != nil {}
        }
    }

    private func carryRequests(_ begun: RequestFraming, to server: AsyncSocket) async throws {
        var (framing, passed) = (begun, [UInt8]())
        while true {
            let bytes: [UInt8]
            do {
                bytes = try await client.read(atMost: Self.piece)
            } catch SocketError.disconnected {
                shutdown(server.socket.file.rawValue, CInt(SHUT_WR))
                return
            }
            try framing.take(bytes, into: &passed)
            clientMoved(framing)
            if !passed.isEmpty { try await server.write(Data(passed)) }
            passed.removeAll(keepingCapacity: true)
        }
    }

    /// Ends by an error: when the server has nothing more to say, or the client is gone.
    private func carryAnswers(of server: AsyncSocket) async throws {
        while true {
            let bytes = Data(try await server.read(atMost: Self.piece))
            deadlines.serverMoves(isEndless: Self.isEndless(bytes))
            share.serverMoved()
            try await client.write(bytes)
            deadlines.serverMoved()
        }
    }

    /// Whether an answer begins whose end is not known: events. All others tell their length.
    private static func isEndless(_ bytes: Data) -> Bool {
        bytes.starts(with: "HTTP/1.1 200".utf8) && bytes.range(of: Data("Transfer-Encoding: chunked".utf8)) != nil
    }

    /// Answers, and reads on for a moment: what is left unread would take the answer away.
    private func refuse(_ problem: Problem, isHeadOnly: Bool) async {
        deadlines.ending(in: 2)
        do {
            try await client.write(Self.answer(problem, isHeadOnly: isHeadOnly))
            shutdown(descriptor, CInt(SHUT_WR))
            while true { _ = try await client.read(atMost: Self.piece) }
        } catch {
            // The client is gone.
        }
    }

    private static func answer(_ problem: Problem, isHeadOnly: Bool) -> Data {
        let response = problem.response
        let body = response.data
        var headers = ServiceResponse.protection.merging(response.headers) { $1 }
        headers["Content-Type"] = response.type
        headers["Content-Length"] = "\(body.count)"
        headers["Connection"] = "close"
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.sorted().joined()
        let head = "HTTP/1.1 \(problem.status) \(Problem.titles[problem.status] ?? "Problem")\r\n\(lines)\r\n"
        return Data(head.utf8) + (isHeadOnly ? Data() : body)
    }
}
