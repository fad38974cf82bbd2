import Devices
public import FlyingFox
import Foundation
import Signals

/// The relay over a WebSocket: each text message is a sample `{"amplitude","time"}`, answered by
/// `{"heartRate","statusCode"}`; `{"event":"disconnect"}` says that the board is gone. A message is read when the one
/// before was answered, so nothing piles up. The socket ends (1008) when its key was taken back, at the first message or
/// ping after that or else within seconds, and when more messages come with its key than the limits allow.
public struct RelaySocket: WSHandler {
    let desk: RelayDesk
    let sender: RelaySender
    let now: @Sendable () -> Timestamp
    /// Whether the sender's key is still valid: a socket may outlive it.
    let isAllowed: @Sendable () -> Bool
    /// The other sockets of the service; nil: there are none.
    var sockets: RelaySockets?
    /// Why a connection ends whose key was taken back.
    static let revoked = "this key was taken back"
    private static let takenBack = WSCloseCode(1008, reason: revoked)
    private static let longestMessage = 1 << 16

    /// The answers to a client's frames.
    public func makeFrames(
        for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
        let frames = RelayReader(client, key: sender.key)
        sockets?.insert(frames)
        let socket = self
        return AsyncStream {
            while let frame = await frames.next() {
                if let answer = socket.answer(frame, isEnded: &frames.isEnded) { return answer }
                if frames.isEnded { break }
            }
            socket.desk.disconnect(socket.sender)
            guard frames.isTakenBack, !frames.isEnded else { return nil }
            frames.isEnded = true
            return .close(code: Self.takenBack)
        }
    }

    /// The frame that answers one of the client's; nil when it needs none.
    func answer(_ frame: WSFrame, isEnded: inout Bool) -> WSFrame? {
        if frame.opcode != .close, let objection = objection(to: frame) {
            isEnded = true
            return .close(code: objection)
        }
        switch frame.opcode {
        case .ping: return WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload)
        case .pong: return nil
        case .close:
            isEnded = true
            return .close(code: .normalClosure)
        case .text where frame.fin && frame.payload.count <= Self.longestMessage:
            return Self.text(reply(to: String(decoding: frame.payload, as: UTF8.self)))
        default:
            isEnded = true
            return .close(message: "one text frame of at most 64 KiB per message")
        }
    }

    /// Why the sender may not go on; nil when it may.
    private func objection(to frame: WSFrame) -> WSCloseCode? {
        if let sockets, !sockets.admitsMessage(of: sender.key, at: SystemTime.now) {
            return WSCloseCode(1008, reason: "too many messages a second")
        }
        // What asks for nothing needs no key.
        return frame.opcode == .pong || isAllowed() ? nil : Self.takenBack
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
