import Acquisition
import Devices
import Foundation
import Pipeline
import Recorder
import Signals
import TestSupport
import Testing

/// A device that sends markers and nothing else, as a computer does that shows stimuli.
@Suite(.timeLimit(.minutes(1))) struct MarkersAloneTests {
    private struct Stimuli: Conversation {
        mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {}
        mutating func receive(
            _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
        ) {
            actions.emit(.marker(label: String(decoding: bytes, as: UTF8.self), deviceTime: nil))
        }
        mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}
        mutating func perform(
            _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
        ) {
            actions.append(.close)
        }
        mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
    }

    @Test(arguments: [["face", "house"], []]) func whatItSendsHasArrived(labels: [String]) async throws {
        try await withTemporaryFolder { folder in
            let link = ScriptedLink()
            for label in labels { link.deliver(Array(label.utf8)) }
            link.end(nil)
            let session = try await LiveSession(
                recorder: Recorder(
                    Recorder.Session(url: folder.appendingPathComponent("s.xdf"), software: "test")),
                devices: [
                    SessionDevice(
                        name: "stimuli", connector: ScriptedConnector([.success(link)]), conversation: Stimuli(),
                        reconnection: .replay)
                ], parameters: Parameters()
            ) { _ in }
            // A tag that somebody sets is no sign of a device.
            await session.tag("begun")
            let summary = await session.run()
            #expect(summary.markers == labels.count && summary.hasArrived == !labels.isEmpty)
        }
    }
}
