import Acquisition
import Devices
import Foundation
import TestSupport
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

    @Test func logsWithoutNamesAreCalledAsTheirDevices() throws {
        try withTemporaryFolder { folder in
            let logs = try ["polar", "kardia", "polar"].enumerated().map { number, model in
                let log = folder.appendingPathComponent("\(number).bytes")
                let header = ByteLogHeader(device: model, place: "A0:9E:1A:00:11:22", clock: SystemClock())
                try ByteLogWriter(log, header: header).close()
                return try DeviceAddress("replay@\(log.path)")
            }
            let named = logs.withDistinctNames
            #expect(named.map(\.name) == ["polar", "kardia", "polar-2"])
            let devices = try named.map { try $0.device(clock: SystemClock()) { throw LinkError.unavailable("") } }
            #expect(devices.map(\.name) == ["polar", "kardia", "polar-2"])
        }
    }

    @Test(
        "a server is named by its host and port, the address of IPv6 in brackets",
        arguments: [
            ("", "127.0.0.1", 28_000), ("@lab", "lab", 28_000), ("@10.0.0.1:28401", "10.0.0.1", 28_401),
            ("@[::1]:28401", "::1", 28_401), ("@[fe80::1]", "fe80::1", 28_000),
        ] as [(String, String, UInt16)])
    func serversAreFound(place: String, host: String, port: UInt16) throws {
        let device = try DeviceAddress("empatica-e4\(place)").device(clock: SystemClock()) {
            throw LinkError.unavailable("")
        }
        let connector = try #require(device.connector as? TCPConnector)
        #expect(connector.host == host && connector.port == port)
    }

    @Test(arguments: ["lab:", "lab:x", "lab:70000", "[::1]28401", "[::1]:"])
    func whatIsNoPlaceOfAServerSaysHowOneIsWritten(place: String) throws {
        let address = try DeviceAddress("empatica-e4@\(place)")
        #expect {
            _ = try address.device(clock: SystemClock()) { throw LinkError.unavailable("") }
        } throws: { error in
            "\(error)".contains("HOST:PORT")
        }
    }

    @Test(arguments: [
        (["polar@A", "polar@B"], false), (["polar@A", "x=polar@a"], true), (["polar@A", "heart-rate@A"], true),
        (["methodscript@/dev/ttyUSB0", "methodscript@/dev/ttyUSB1"], false),
        (["methodscript@/dev/ttyUSB0", "methodscript@/dev/ttyUSB0,baud=9600"], true),
        (["empatica-e4,device=a", "empatica-e4,device=b"], false), (["empatica-e4", "empatica-e4"], true),
        (["lsl@EEG", "lsl@ECG", "relay@one", "relay@two"], false),
    ])
    func aDeviceIsNamedOnce(devices: [String], isTwice: Bool) throws {
        let addresses = try devices.map { try DeviceAddress($0) }
        #expect((try? addresses.demandDistinct()) == nil ? isTwice : !isTwice)
    }

    @Test(arguments: [
        "polar@A,fast", "my strap=polar@A", String(repeating: "x", count: 65) + "=polar@A", "calibration=polar@A",
    ])
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

    @Test func aBluetoothDevicesLogIsPlayedThroughItsConversationOthersAreBytes() throws {
        try withTemporaryFolder { folder in
            func connector(_ model: String) throws -> any Connector {
                let log = folder.appendingPathComponent("\(model).bytes")
                let header = ByteLogHeader(device: model, place: "A0:9E:1A:00:11:22", clock: SystemClock())
                try ByteLogWriter(log, header: header).close()
                return try DeviceAddress("replay@\(log.path)").device(clock: SystemClock()) {
                    throw LinkError.unavailable("")
                }.connector
            }
            let bluetooth = try connector("heart-rate") as? GattConnector
            #expect(bluetooth?.central is RecordedCentral && bluetooth?.address == "A0:9E:1A:00:11:22")
            #expect(try connector("empatica-e4") is ReplayConnector)
        }
    }

    @Test(
        "a log is replayed without its device's script, and where it did not fit into the log that is said of the log",
        arguments: [(1, true), (4_000, false)])
    func aLogKeepsItsScript(comments: Int, isKept: Bool) throws {
        try withTemporaryFolder { folder in
            let (script, log) = (folder.appendingPathComponent("ca.mscr"), folder.appendingPathComponent("g.bytes"))
            let text = String(repeating: "# \u{B5}A, \"cell\"\n", count: comments) + "var c\nabort\n"
            try Data(text.utf8).write(to: script)
            let header = ByteLogHeader(
                device: "methodscript", place: "/dev/null", options: ["script": script.path], clock: SystemClock())
            try ByteLogWriter(log, header: header).close()
            try FileManager.default.removeItem(at: script)
            let recorded = try DeviceModel.recorded(in: log)
            #expect(recorded.options.texts["script"] == (isKept ? text : nil))
            let address = try DeviceAddress("replay@\(log.path)")
            func replay() throws { _ = try address.device(clock: SystemClock()) { throw LinkError.unavailable("") } }
            if isKept {
                try replay()
                _ = try address.expectedSize(clock: SystemClock())
            } else {
                #expect {
                    try replay()
                } throws: { error in
                    "\(error)".contains("g.bytes") && "\(error)".contains("ca.mscr")
                }
            }
        }
    }

    @Test func aLogNamesAFileThatItDoesNotKeepByItsWholePath() {
        let header = ByteLogHeader(
            device: "methodscript", place: "/dev/null", options: ["script": "none/ca.mscr", "baud": "9600"],
            clock: SystemClock())
        let path = FileManager.default.currentDirectoryPath + "/none/ca.mscr"
        #expect(header.options == ["script": path, "baud": "9600"] && header.files == nil)
    }

    @Test func withoutAServiceARelayIsExplained() throws {
        let address = try DeviceAddress("relay@phone")
        #expect {
            _ = try address.device(clock: SystemClock()) { throw LinkError.unavailable("") }
        } throws: { error in
            "\(error)".contains("marey serve")
        }
    }

    @Test(
        "a serial port has the rate that was asked for, else the usual one",
        arguments: [("", 230_400), (",baud=921600", 921_600)])
    func serialPortsHaveARate(option: String, rate: Int) throws {
        let address = try DeviceAddress("methodscript@/dev/ttyUSB0\(option)")
        let device = try address.device(clock: SystemClock()) { throw LinkError.unavailable("") }
        #expect((device.connector as? SerialConnector)?.baudRate == rate)
    }

    @Test(arguments: ["fast", "921601", "1e300", "", "-9600"])
    func aRateThatNoPortHasNamesThosePossible(rate: String) throws {
        let address = try DeviceAddress("methodscript@/dev/ttyUSB0,baud=\(rate)")
        #expect {
            _ = try address.device(clock: SystemClock()) { throw LinkError.unavailable("") }
        } throws: { error in
            "\(error)".contains("baud") && "\(error)".contains("230400, 460800, 500000, 921600")
        }
    }

    @Test func onlyWhatIsReachedOverASerialPortHasARate() throws {
        let withRate = DeviceModel.all.filter { $0.options.contains { $0.name == "baud" } }
        #expect(withRate.map(\.id) == ["methodscript"])
        let address = try DeviceAddress("heart-rate@A0:9E:1A:00:11:22,baud=921600")
        #expect(throws: DeviceFailure.self) {
            try address.device(clock: SystemClock()) { throw LinkError.unavailable("") }
        }
    }
}
