import Foundation
import Signals
import Testing

struct MarkerTests {
    @Test("a marker survives JSON with its role", arguments: [Marker.Role.event, .beat])
    func roundTrip(role: Marker.Role) throws {
        let marker = Marker(onset: 1.5, duration: 2, label: "N", stream: "ecg", role: role)
        let data = try JSONEncoder().encode(marker)
        #expect(try JSONDecoder().decode(Marker.self, from: data) == marker)
        #expect(String(decoding: data, as: UTF8.self).contains("role") == (role == .beat))
    }

    @Test("a marker of an earlier version is an event")
    func earlierVersion() throws {
        let marker = try JSONDecoder().decode(Marker.self, from: Data(#"{"onset":1,"duration":0,"label":"tag"}"#.utf8))
        #expect(marker == Marker(onset: 1, label: "tag"))
    }
}
