import FlyingSocks
import Foundation
import Glibc
import Signals

/// One client's connection, carried on to the server behind as far as it keeps within bounds.
final class FrontConnection: Sendable {
    private let client: AsyncSocket
    private let limits: ServiceLimits
    private let deadlines: FrontDeadlines

    /// The header line that tells the server behind who asks.
    static let peerHeader = "X-Marey-Peer"

    init(_ client: AsyncSocket, limits: ServiceLimits) {
        (self.client, self.limits, deadlines) = (client, limits, FrontDeadlines(limits))
        var value: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &value, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Carries bytes both ways until either side ends it.
    /// - Parameter connect: connects to the server behind.
    func run(connect: () async throws -> AsyncSocket) async {
        do {
            var framing = RequestFraming(
                RequestFraming.Bounds(head: limits.head, body: limits.body, frame: limits.frame),
                addition: "\(Self.peerHeader): \(peer)")
            var passed: [UInt8] = []
            while framing.requests == 0 {
                try framing.take(try await client.read(atMost: Self.piece), into: &passed)
                deadlines.clientMoved(framing)
            }
            let server = try await connect()
            defer { try? server.close() }
            try await server.write(Data(passed))
            if framing.isInHandshake { try await handshake(&framing, server) }
            try await carry(framing, server)
        } catch let problem as Problem {
            if deadlines.isFresh { await refuse(problem) }
        } catch {
            // Whoever went away, or was silent for too long, needs no answer.
        }
    }

    /// Shuts the connection when its time is over.
    func close(ifOverAt now: Seconds) {
        guard deadlines.areOver(at: now) else { return }
        if deadlines.isFresh {
            let answer = Self.answer(Problem(408, "tooSlow", "the request was too long in coming"))
            _ = answer.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
        }
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    private static let piece = 4_096

    private var descriptor: CInt { client.socket.file.rawValue }

    private var peer: String {
        switch try? client.socket.remotePeer() {
        case .ip4(let address, _), .ip6(let address, _): address
        default: "local"
        }
    }

    /// Waits for the answer to a handshake.
    private func handshake(_ framing: inout RequestFraming, _ server: AsyncSocket) async throws {
        let agreed = Array("HTTP/1.1 101".utf8)
        var answer: [UInt8] = []
        while answer.count < agreed.count { answer += try await server.read(atMost: Self.piece) }
        framing.switched(toFrames: answer.starts(with: agreed))
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
            deadlines.clientMoved(framing)
            if !passed.isEmpty { try await server.write(Data(passed)) }
            passed.removeAll(keepingCapacity: true)
        }
    }

    /// Ends by an error: when the server has nothing more to say, or the client is gone.
    private func carryAnswers(of server: AsyncSocket) async throws {
        while true {
            let bytes = try await server.read(atMost: Self.piece)
            try await client.write(Data(bytes))
            deadlines.serverMoved()
        }
    }

    /// Answers, and reads on for a moment: what is left unread would take the answer away.
    private func refuse(_ problem: Problem) async {
        deadlines.ending(in: 2)
        do {
            try await client.write(Self.answer(problem))
            shutdown(descriptor, CInt(SHUT_WR))
            while true { _ = try await client.read(atMost: Self.piece) }
        } catch {
            // The client is gone.
        }
    }

    private static func answer(_ problem: Problem) -> Data {
        guard case .data(let body) = problem.response.body else { return Data() }
        let title = Problem.titles[problem.status] ?? "Problem"
        let head =
            "HTTP/1.1 \(problem.status) \(title)\r\nContent-Type: application/problem+json\r\n"
            + "Content-Length: \(body.count)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        return Data(head.utf8) + body
    }
}
