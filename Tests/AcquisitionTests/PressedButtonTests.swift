import Devices
import Simulation
import Testing

/// The button of a wristband that is served with a file of faults.
@Suite struct PressedButtonTests {
    @Test func thePressesThatAreAskedForReachTheServersStream() throws {
        var faults = DeviceFaults()
        faults.tags = [0.6, 1.25]
        let model = try #require(DeviceModel.named("empatica-e4"))
        let make = try #require(model.simulator)
        var simulator = make(SimulationParameters(), faults)
        var sent: [SimulatorAction] = []
        simulator.connect(at: 0, into: &sent)
        let requests = "device_connect 9ff167\r\ndevice_subscribe tag ON\r\n"
        simulator.receive(Array(requests.utf8), at: .stream, at: 0, into: &sent)
        simulator.advance(to: 2, into: &sent)
        let text = sent.reduce(into: "") { text, action in
            if case .send(let bytes, _) = action { text += String(decoding: bytes, as: UTF8.self) }
        }
        let lines = text.split(separator: "\r\n").filter { $0.hasPrefix("E4_Tag") }
        #expect(lines == ["E4_Tag 1700000000.600000", "E4_Tag 1700000001.250000"])
    }
}
