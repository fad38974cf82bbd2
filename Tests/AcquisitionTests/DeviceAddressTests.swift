import Acquisition
import Devices
import Testing

@Suite struct DeviceAddressTests {
    @Test func anAddressIsTakenApart() throws {
        let address = try DeviceAddress("left=polar@A0:9E:1A:00:11:22,streams=ecg,acceleration,rate=130")
        #expect(address.name == "left")
        #expect(address.model == "polar")
        #expect(address.place == "A0:9E:1A:00:11:22")
        #expect(address.options.values == ["streams": "ecg,acceleration", "rate": "130"])
    }

    @Test func theModelIsTheNameWhenNoneIsGiven() throws {
        #expect(try DeviceAddress("heart-rate@A0").name == "heart-rate")
        #expect(try DeviceAddress("empatica").place == "")
    }

    @Test func namesBecomeDistinct() throws {
        let addresses = try ["polar@A", "polar@B", "x=polar@C", "polar@D"].map { try DeviceAddress($0) }
        #expect(addresses.withDistinctNames.map(\.name) == ["polar", "polar-2", "x", "polar-3"])
    }

    @Test(arguments: ["polar@A,fast", "my strap=polar@A"])
    func whatMakesNoSenseIsNamed(text: String) {
        #expect(throws: DeviceFailure.self) { try DeviceAddress(text) }
    }

    @Test func anUnknownKindListsTheKnownOnes() throws {
        let address = try DeviceAddress("polr@A")
        #expect {
            _ = try address.device(clock: SystemClock()) { throw LinkError.unavailable("") }
        } throws: { error in
            "\(error)".contains("heart-rate")
        }
    }
}
