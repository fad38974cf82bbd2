import Acquisition
import Devices
import Quality
import Signals
import Testing

/// How devices stand, as a terminal and a page show it alike.
@Suite struct DeviceStatesTests {
    @Test func `the wait for the next attempt is known until it is made`() {
        var states = DeviceStates()
        states.take(.connection(device: "band", .connectionFailed, reason: "out of reach", at: 1))
        states.take(.retrying(device: "band", in: 4, at: 1))
        #expect(states["band"]?.wait == 4 && states["band"]?.reason == "out of reach")
        #expect(states["band"]?.isConnected == false)
        states.take(.connection(device: "band", .connecting, reason: nil, at: 5))
        #expect(states["band"]?.wait == nil && states["band"]?.reason == nil)
        states.take(.connection(device: "band", .connected, reason: nil, at: 6))
        #expect(states["band"]?.isConnected == true)
    }

    @Test func `a lost device takes with it what was said of its signals, and nothing else`() throws {
        var states = DeviceStates()
        var identity = DeviceIdentity()
        (identity.manufacturer, identity.model) = ("Maker", "Band 2")
        states.take(.identity(device: "band", identity, at: 0))
        states.take(.connection(device: "band", .connected, reason: nil, at: 0))
        states.take(.status(device: "band", .battery(0.5), at: 1))
        states.take(.status(device: "band", .electrodes(["AF7": 0.1]), at: 1))
        states.take(.status(device: "band", .electrodes(["AF8": 0.9]), at: 2))
        #expect(states["band"]?.electrodes == ["AF7": 0.1, "AF8": 0.9])
        states.take(.status(device: "band", .paused(true), at: 2))
        states.take(.verdict(device: "band", QAVerdict(passed: true), at: 2))
        #expect(states["band"]?.verdict?.passed == true && states["band"]?.isPaused == true)
        states.take(.connection(device: "band", .disconnected, reason: "gone", at: 3))
        let band = try #require(states["band"])
        #expect(band.verdict == nil && !band.isPaused)
        #expect(band.title == "Maker Band 2" && band.battery == 0.5)
        #expect(band.electrodes.isEmpty)
    }

    @Test func `devices keep the order in which they were heard of`() {
        var states = DeviceStates()
        for name in ["wrist", "band", "wrist"] {
            states.take(.connection(device: name, .connecting, reason: nil, at: 0))
        }
        #expect(states.all.map(\.name) == ["wrist", "band"])
        #expect(states["ankle"] == nil)
    }
}
