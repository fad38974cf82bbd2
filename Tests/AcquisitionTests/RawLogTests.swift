import Acquisition
import Devices
import Foundation
import Pipeline
import Recorder
import Signals
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct RawLogTests {
    /// What a session hands to its raw log, as words.
    private func logged(_ links: [ScriptedLink], in folder: URL) async throws -> [String] {
        let file = folder.appendingPathComponent("session.xdf")
        let lines = Mutex<[String]>([])
        let session = try await LiveSession(
            recorder: try Recorder(Recorder.Session(url: file, software: "test")),
            devices: [
                SessionDevice(
                    name: "parrot", connector: ScriptedConnector(links.map { .success($0) }),
                    conversation: ParrotConversation(), reconnection: .replay)
            ], parameters: Parameters(),
            log: { report in
                let line: String? =
                    switch report.content {
                    case .connection(_, let state, _): "\(state)"
                    case .bytes(let bytes, _, let isIncoming):
                        (isIncoming ? "< " : "> ") + String(decoding: bytes, as: UTF8.self)
                    case .subscribed(let uuid): "subscribe \(uuid)"
                    case .asked(let uuid): "read \(uuid)"
                    case .refused(let error, _): "refused: \(error)"
                    case .overrun, .event, .retrying, .resubscribed: nil
                    }
                if let line { lines.withLock { $0.append(line) } }
            }, show: { _ in })
        _ = await session.run()
        return lines.withLock { $0 }
    }

    @Test func theLogLearnsOfEachConnectionItsRequestsAndWhatWasRefused() async throws {
        try await withTemporaryFolder { folder in
            func link() -> ScriptedLink {
                ScriptedLink { link, _ in
                    link.deliver(Array("a".utf8))
                    link.end(.lost("gone"))
                }
            }
            let lines = try await logged([link(), link()], in: folder)
            let battery = BluetoothUUID(0x2A19)
            let connection = [
                "connected", "subscribe \(battery)", "refused: \(LinkError.missing(battery))", "> hello", "< a",
                "disconnected",
            ]
            #expect(lines.filter { connection.contains($0) } == connection + connection)
        }
    }
}
