import Devices
public import FlyingFox
import Foundation
import Signals

/// A Socket.IO session over a WebSocket: from its beginning, or one that began by polling and goes on here.
public struct SocketIOSocket: WSHandler {
    let session: SocketIOSession

    /// The frames that go to the client.
    public func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
        let session = session
        do throws(Problem) { try session.attachSocket() } catch {
            return AsyncStream { stream in
                stream.yield(.close(code: WSCloseCode(1008, reason: error.detail)))
                stream.finish()
            }
        }
        let reading = Task {
            do {
                for try await frame in client {
                    Self.take(frame, session)
                    if session.end != nil || frame.opcode == .close { break }
                }
            } catch {
                // The connection broke.
            }
            session.detachSocket()
        }
        let outbox = Outbox(session)
        return AsyncStream {
            let frame = await outbox.next()
            if frame == nil { reading.cancel() }
            return frame
        }
    }

    private static func take(_ frame: WSFrame, _ session: SocketIOSession) {
        switch frame.opcode {
        case .ping: session.pong(frame.payload)
        case .pong, .close: break
        case .text where frame.fin: session.take(frame: frame.payload, at: SystemTime.now)
        case .binary where frame.fin: session.refuseBinary()
        default: session.finish(.refused("one frame per packet"))
        }
    }
}

/// The frames of a session one by one; used by the one task that writes them.
private final class Outbox: @unchecked Sendable {
    private let session: SocketIOSession
    private var waiting: ArraySlice<SocketIOSession.Outgoing> = []
    private var isOver = false

    init(_ session: SocketIOSession) { self.session = session }

    func next() async -> WSFrame? {
        guard !isOver else { return nil }
        if waiting.isEmpty { waiting = (await session.socketFrames() ?? [])[...] }
        switch waiting.popFirst() {
        case .packet(let packet):
            return WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(packet.encoded.utf8))
        case .pong(let payload): return WSFrame(fin: true, opcode: .pong, mask: nil, payload: payload)
        case nil:
            isOver = true
            return .close(code: session.end?.reason.map { WSCloseCode(1008, reason: $0) } ?? .normalClosure)
        }
    }
}
