import Acquisition
import Devices
import Foundation
import Signals
import Testing

/// The cause of a connection that failed or ended, for programs.
@Suite struct ConnectionCauseTests {
    private static let errors: [(error: LinkError, cause: String)] = [
        (.lost("gone"), "connection"), (.lost("ended", by: .notifications), "notifications"),
        (.lost("restarted", by: .service), "service"), (.lost("quiet", by: .silence), "silence"),
        (.unreachable("nobody"), "unreachable"), (.missing(BluetoothUUID(0x2A37)), "missing"),
        (.refused("no"), "refused"), (.unavailable("no adapter"), "unavailable"),
    ]

    @Test(arguments: errors.indices) func connectionEventCarriesTheCause(index: Int) throws {
        let (error, cause) = Self.errors[index]
        let event = SessionEvent.connection(
            device: "strap", .disconnected, reason: error.description, cause: error.cause, at: 3)
        let line = SessionLine(streams: []).text(event)
        let fields = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(fields["cause"] as? String == cause && fields["reason"] as? String == error.description)
    }

    @Test func connectionWithoutErrorHasNoCause() {
        let line = SessionLine(streams: []).text(.connection(device: "strap", .connected, reason: nil, at: 3))
        #expect(line.contains(#""cause":null"#))
    }
}
