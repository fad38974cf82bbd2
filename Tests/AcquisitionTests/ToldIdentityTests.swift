import Acquisition
import Devices
import Foundation
import Pipeline
import Recorder
import Signals
import Synchronization
import TestSupport
import Testing

/// Says who it is piece by piece, as the services of a Bluetooth device do, and hangs up.
private struct ShyConversation: Conversation {
    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        var (maker, place) = (DeviceIdentity(), DeviceIdentity())
        maker.manufacturer = "Polar"
        place.details["sensorLocation"] = "chest"
        for identity in [maker, place] { actions.emit(.identity(identity)) }
        actions.append(.close)
    }

    mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {}

    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}
    mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {}
    mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
}

@Suite(.timeLimit(.minutes(1))) struct ToldIdentityTests {
    @Test func whatADeviceSaysOfItselfIsShownWithWhatItSaidBefore() async throws {
        try await withTemporaryFolder { folder in
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("s.xdf"), software: "test"))
            let shown = Mutex<[DeviceIdentity]>([])
            let device = SessionDevice(
                name: "strap", connector: ScriptedConnector([.success(ScriptedLink())]),
                conversation: ShyConversation(), reconnection: Reconnection(attempts: 1))
            let session = try await LiveSession(
                recorder: recorder, devices: [device], parameters: Parameters()
            ) { event in
                if case .identity(_, let identity, _) = event { shown.withLock { $0.append(identity) } }
            }
            _ = await session.run()
            let told = shown.withLock { $0 }
            #expect(told.map(\.manufacturer) == ["Polar", "Polar"])
            #expect(told.last?.details == ["sensorLocation": "chest"])
        }
    }
}
