import Devices
import Testing

@Suite struct BluetoothUUIDTests {
    @Test(arguments: [
        ("180D", "0000180d-0000-1000-8000-00805f9b34fb"),
        ("0000fe8d", "0000fe8d-0000-1000-8000-00805f9b34fb"),
        ("FB005C81-02E7-F387-1CAD-8ACD2D8DF0C8", "fb005c81-02e7-f387-1cad-8acd2d8df0c8"),
    ])
    func readsWhatBlueZWrites(written: String, full: String) throws {
        #expect(try #require(BluetoothUUID(written)).description == full)
    }

    @Test func assignedNumbersExpandIntoTheBaseUUID() {
        #expect(BluetoothUUID(0x2A37) == BluetoothUUID("00002a37-0000-1000-8000-00805f9b34fb"))
    }

    @Test(arguments: ["", "18", "xyzw", "fb005c81-02e7-f387-1cad-8acd2d8df0c"])
    func refusesAnythingElse(text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}
