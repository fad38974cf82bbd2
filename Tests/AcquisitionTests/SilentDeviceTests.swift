import Acquisition
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Pipeline
import Quality
import Recorder
import Signals
import Synchronization
import TestSupport
import Testing

/// Devices whose samples come as they come, without a rate.
@Suite(.timeLimit(.minutes(3))) struct SilentDeviceTests {
    /// A kind of device, how an amplitude of it comes, and what else it may tell.
    struct Board: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var conversation: any Conversation
        var endpoint: Endpoint
        /// An amplitude as it is sent.
        var sample: @Sendable (String) -> [UInt8]
        var other: (bytes: [UInt8], endpoint: Endpoint)?
    }

    private static let boards = [
        Board(
            testDescription: "a board over Bluetooth, which tells its charge meanwhile",
            conversation: KardiaConversation(), endpoint: .characteristic(KardiaConversation.data),
            sample: { Array($0.utf8) }, other: ([90], .characteristic(BluetoothUUID(0x2A19)))),
        Board(
            testDescription: "a phone of the relay", conversation: RelayConversation(id: "x"), endpoint: .stream,
            sample: { Array(#"42["message",{"amplitude":"\#($0)","time":"none"}]"#.utf8) }, other: nil),
    ]

    @Test("an irregular stream of a known pace that falls silent is told, and that it goes on", arguments: boards)
    func silence(board: Board) async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 5)
            let link = ScriptedLink()
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("s.xdf"), software: "test"), clock: clock)
            let (events, shown) = AsyncStream.makeStream(of: SessionEvent.self)
            let device = SessionDevice(
                name: "board", connector: ScriptedConnector([.success(link)]), conversation: board.conversation,
                reconnection: Reconnection(attempts: 1))
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
            ) { shown.yield($0) }
            let running = Task { await session.run() }
            // One that stood still would be flat.
            var amplitudes = 0
            func sample() {
                amplitudes += 1
                link.deliver(board.sample("4.30\(amplitudes % 2)"), from: board.endpoint, at: clock.now)
            }
            // It speaks until it passes, is silent until that is told, and speaks again until it passes.
            var verdicts: [QAVerdict] = []
            var signals: [Bool] = []
            var pulses = 0
            sample()
            loop: for await event in events {
                switch event {
                case .pulse:
                    if verdicts.count != 1 { sample() }
                    // Values of an uncertain pace are held for some seconds before they are shown.
                    if verdicts.count == 3 { pulses += 1 }
                    if pulses > 20 || verdicts.count == 3 && signals.last == true { break loop }
                    if let other = board.other { link.deliver(other.bytes, from: other.endpoint, at: clock.now) }
                case .verdict(_, let verdict, _):
                    if verdicts.count < 3, verdict.passed == (verdicts.count != 1) { verdicts.append(verdict) }
                case .signal(let signal, _): signals.append(signal.isPresent)
                default: break
                }
            }
            await session.stop()
            _ = await running.value
            #expect(verdicts.map(\.reasons) == [[], [.gap], []])
            // Its signal ended, and came again.
            #expect(signals.first == false && signals.last == true)
        }
    }

    @Test func aServerWithoutItsWristbandDoesNotPass() async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 5)
            let link = ScriptedLink { link, _ in
                link.deliver(Array("R device_list 0\r\n".utf8), at: clock.now)
            }
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("s.xdf"), software: "test"), clock: clock)
            let (events, shown) = AsyncStream.makeStream(of: SessionEvent.self)
            let device = SessionDevice(
                name: "wrist", connector: ScriptedConnector([.success(link)]),
                conversation: EmpaticaServerConversation(), reconnection: Reconnection(attempts: 1))
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
            ) { shown.yield($0) }
            let running = Task { await session.run() }
            var verdict: QAVerdict?
            for await event in events {
                guard case .verdict(_, let told, _) = event else { continue }
                verdict = told
                break
            }
            await session.stop()
            _ = await running.value
            #expect(verdict?.passed == false && verdict?.reasons == [.gap])
        }
    }
}
