import Devices
public import FlyingFox
import Foundation
import Signals

/// The relay over a WebSocket: each text message is a sample `{"amplitude","time"}`, answered by
/// `{"heartRate","statusCode"}`; `{"event":"disconnect"}` says that the board is gone. A message is read when the one
/// before was answered, so nothing piles up. The first message after its key was taken back ends the socket (1008).
public struct RelaySocket: WSHandler {
    let desk: RelayDesk
    let sender: RelaySender
    let now: @Sendable () -> Timestamp
    /// Whether the sender's key is still valid: a socket may outlive it.
    let isAllowed: @Sendable () -> Bool
    private static let longestMessage = 1 << 16

    /// The answers to a client's frames.
    public func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
        let frames = FrameReader(client)
        let socket = self
        return AsyncStream {
            while let frame = await frames.next() {
                if let answer = socket.answer(frame, isEnded: &frames.isEnded) { return answer }
                if frames.isEnded { break }
            }
            socket.desk.disconnect(socket.sender)
            return nil
        }
    }

    /// The frame that answers one of the client's; nil when it needs none.
    func answer(_ frame: WSFrame, isEnded: inout Bool) -> WSFrame? {
        switch frame.opcode {
        case .ping: return WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload)
        case .pong: return nil
        case .close:
            isEnded = true
            return .close(code: .normalClosure)
        case .text where frame.fin && frame.payload.count <= Self.longestMessage:
            guard isAllowed() else {
                isEnded = true
                return .close(code: WSCloseCode(1008, reason: "this key was taken back"))
            }
            return Self.text(reply(to: String(decoding: frame.payload, as: UTF8.self)))
        default:
            isEnded = true
            return .close(message: "one text frame of at most 64 KiB per message")
        }
    }

    private func reply(to message: String) -> String {
        if let value = try? JSONValue(Data(message.utf8)), let event = value["event"]?.text {
            guard event == "disconnect" else { return #"{"error":"unknown event"}"# }
            desk.disconnect(sender)
            return #"{"event":"disconnected"}"#
        }
        do throws(Problem) {
            if let sample = RelaySample(json: message), let reply = try desk.take(sample, from: sender, at: now()) {
                return reply.json
            }
        } catch {
            return String(decoding: JSONValue.object(["error": .text(error.detail)]).data, as: UTF8.self)
        }
        return #"{"error":"expected amplitude and time as texts"}"#
    }

    private static func text(_ text: String) -> WSFrame {
        WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8))
    }
}

/// Pulls frames one at a time; used by the one task that answers them.
private final class FrameReader: @unchecked Sendable {
    private var iterator: AsyncThrowingStream<WSFrame, any Error>.AsyncIterator
    var isEnded = false

    init(_ frames: AsyncThrowingStream<WSFrame, any Error>) {
        iterator = frames.makeAsyncIterator()
    }

    func next() async -> WSFrame? {
        guard !isEnded else { return nil }
        return try? await iterator.next()
    }
}
