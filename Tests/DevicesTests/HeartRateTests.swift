import Devices
import Foundation
import Signals
import Simulation
import TestSupport
import Testing

@Suite struct HeartRateMeasurementTests {
    struct Vector: Sendable {
        var hex: String
        var rate: Int
        var contact: Bool?
        var energy: Int?
        var milliseconds: [Double] = []
        var excess = 0
    }

    @Test(arguments: [
        Vector(hex: "00 FF", rate: 255),
        Vector(hex: "00 7F", rate: 127),
        Vector(hex: "01 80 80", rate: 32896),
        Vector(hex: "04 00", rate: 0, contact: false),
        Vector(hex: "06 00", rate: 0, contact: true),
        Vector(hex: "02 00", rate: 0),
        Vector(hex: "09 00 00 FF FF", rate: 0, energy: 65535),
        Vector(hex: "08 00 7F 80", rate: 0, energy: 32895),
        Vector(hex: "11 00 00 FF FF 7F 80", rate: 0, milliseconds: [63999.0234375, 32124.0234375]),
        Vector(hex: "01 2C 01", rate: 300),
        Vector(hex: "16 48 50 03 64 03 48 03", rate: 72, contact: true, milliseconds: [828.125, 847.65625, 820.3125]),
        Vector(hex: "1E 41 10 27 9A 03", rate: 65, contact: true, energy: 10000, milliseconds: [900.390625]),
        Vector(
            hex: "1F 04 01 FF FF 00 04 00 02", rate: 260, contact: true, energy: 65535, milliseconds: [1000, 500]),
        Vector(hex: "10 3C", rate: 60),
        Vector(hex: "10 3C 00", rate: 60, excess: 1),
    ])
    func decodesPublishedVectors(vector: Vector) throws {
        let value = bytes(vector.hex)
        let measurement = try HeartRateMeasurement(value)
        #expect(measurement.heartRate == vector.rate)
        #expect(measurement.contact == vector.contact)
        #expect(measurement.energy == vector.energy)
        #expect(measurement.intervals.map { Double($0) * 1000 / 1024 } == vector.milliseconds)
        #expect(measurement.excess == vector.excess)
        // Contact bits without the supported bit are not written back.
        if vector.excess == 0, value[0] & 0x06 != 0x02 { #expect(measurement.bytes == value) }
    }

    @Test(arguments: ["", "01 2C", "00", "FF 64", "08 40 01", "09 40 00 01"])
    func refusesValuesShorterThanTheirFlagsSay(hex: String) {
        #expect(throws: HeartRateMeasurement.Truncated.self) { try HeartRateMeasurement(bytes(hex)) }
    }

    private struct Published: Decodable {
        struct Expectation: Decodable {
            var hr_bpm: Int?
            var hr_uint16: Bool?
            var contact_supported: Bool?
            var contact_detected: Bool?
            var energy_kj: Int?
            var rr_raw_1024: [Int]?
            var error: String?
        }
        var hex: String
        var expect: Expectation
    }

    @Test(.enabled(if: RealData.has("ble_vectors/heart_rate_measurement_2a37.json")))
    func agreesWithThreeOtherDecoders() throws {
        let url = RealData.url("ble_vectors/heart_rate_measurement_2a37.json")
        let vectors = try JSONDecoder().decode([Published].self, from: Data(contentsOf: url))
        #expect(vectors.count == 8)
        for vector in vectors {
            guard vector.expect.error == nil else {
                #expect(throws: HeartRateMeasurement.Truncated.self) { try HeartRateMeasurement(bytes(vector.hex)) }
                continue
            }
            let measurement = try HeartRateMeasurement(bytes(vector.hex))
            #expect(measurement.heartRate == vector.expect.hr_bpm)
            #expect(measurement.isWide == vector.expect.hr_uint16)
            #expect((measurement.contact != nil) == vector.expect.contact_supported)
            #expect(measurement.contact == vector.expect.contact_detected)
            #expect(measurement.energy == vector.expect.energy_kj)
            #expect(measurement.intervals == vector.expect.rr_raw_1024)
        }
    }

    @Test(arguments: [(UInt8(1), "chest"), (6, "foot"), (7, "reserved (7)")])
    func namesSensorLocations(number: UInt8, name: String) {
        #expect(BodySensorLocation(number).name == name)
    }
}

@Suite struct HeartRateConversationTests {
    private func events(_ messages: [(hex: String, at: Seconds)], from uuid: UInt16 = 0x2A37) -> [DeviceEvent] {
        var conversation = HeartRateConversation()
        var actions: [ConversationAction] = []
        conversation.open(at: 100, into: &actions)
        actions = []
        for message in messages {
            conversation.receive(
                bytes(message.hex), from: .characteristic(BluetoothUUID(uuid)), at: message.at, into: &actions)
        }
        return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    private func intervals(_ events: [DeviceEvent]) -> [DeviceValue] {
        events.flatMap { if case .values("ibi", let values) = $0 { values } else { [DeviceValue]() } }
    }

    private func isContiguous(_ earlier: DeviceValue, _ later: DeviceValue) -> Bool {
        later.deviceTime! - earlier.deviceTime! == later.values[0]
    }

    @Test func beatsOfSuccessiveMessagesAreContiguousToTheLastBit() {
        let values = intervals(events([("10 48 50 03 64 03", 100.3), ("10 48 48 03", 101.3), ("10 48 51 03", 102.3)]))
        #expect(values.map { $0.values[0] * 1024 } == [848, 868, 840, 849])
        #expect(zip(values, values.dropFirst()).allSatisfy { isContiguous($0, $1) })
        #expect(values.map(\.age) == [868.0 / 1024, 0, 0, 0])
        #expect(abs(values[1].deviceTime! - 100.3) < 0.001)
    }

    @Test func missingBeatsBreakTheChain() {
        let values = intervals(events([("10 48 50 03", 100), ("10 48 48 03", 103.5), ("10 48 48 03", 104.5)]))
        #expect(!isContiguous(values[0], values[1]))
        #expect(isContiguous(values[1], values[2]))
        // Messages without intervals keep the chain together while the heart pauses.
        let pause = intervals(
            events([("10 48 00 04", 100), ("10 48", 101.5), ("10 48", 103), ("10 48", 104.5), ("10 48 00 14", 105)]))
        #expect(isContiguous(pause[0], pause[1]))
    }

    @Test(arguments: 1...120)
    func aMessageMissingFromClockworkBreaksTheChainWhateverTheNextOneHolds(lost: Int) {
        // Beats every 0.875 s (896/1024), told at every full second: in one message of seven there are two.
        let messages = (21..<180).map { second in
            let count = Int(Double(second + 1) / 0.875) - Int(Double(second) / 0.875)
            return ("10 44" + String(repeating: " 80 03", count: count), 101 + Double(second))
        }
        var kept = messages
        kept.remove(at: lost + 6)
        let values = intervals(events(kept))
        let breaks = zip(values, values.dropFirst()).filter { !isContiguous($0, $1) }
        #expect(breaks.count == 1)
        #expect(breaks.first.map { (-0.001...0.876).contains(kept[lost + 6].1 - $0.1.deviceTime!) } == true)
        let complete = intervals(events(messages))
        #expect(zip(complete, complete.dropFirst()).allSatisfy { isContiguous($0, $1) })
    }

    @Test func driftOfTheSensorsClockDoesNotBreakTheChain() {
        // Twelve hours with a crystal that is 60 ppm slow: 2.6 s in all.
        let messages = (0..<43_200).map { ("10 3C 00 04", 100 + Double($0) * 1.000_06) }
        let values = intervals(events(messages))
        #expect(values.count == 43_200)
        #expect(zip(values, values.dropFirst()).allSatisfy { isContiguous($0, $1) })
    }

    @Test func contactIsReportedWhenItChangesAndARateOfZeroIsNoMeasurement() {
        let events = events([("16 48 50 03", 100), ("16 48 50 03", 101), ("14 00", 102), ("06 00", 103)])
        let contacts = events.compactMap { if case .status(.contact(let contact)) = $0 { contact } else { nil } }
        #expect(contacts == [true, false, true])
        let rates = events.flatMap { if case .values("heartRate", let values) = $0 { values } else { [DeviceValue]() } }
        #expect(rates.map(\.values) == [[72], [72]])
    }

    @Test func anIntervalOfZeroIsMalformedAndSeparatesItsNeighbours() {
        let events = events([("10 48 50 03 00 00 64 03", 100)])
        let values = intervals(events)
        #expect(values.map { $0.values[0] * 1024 } == [848, 868])
        #expect(!isContiguous(values[0], values[1]))
        #expect(
            events.contains { if case .malformed(let message) = $0 { message.place == "RR intervals" } else { false } })
    }

    @Test func eachStreamIsAnnouncedOnceBeforeItsValues() {
        var announced: Set<String> = []
        for event in events([("1E 48 01 00 50 03", 100), ("1E 48 02 00 50 03", 101)]) {
            switch event {
            case .stream(let stream): #expect(announced.insert(stream.id).inserted)
            case .values(let stream, _): #expect(announced.contains(stream))
            default: break
            }
        }
        #expect(announced == ["heartRate", "ibi", "energy"])
    }

    @Test(arguments: [("64", 1.0), ("5A", 0.9), ("00", 0.0)])
    func readsTheBattery(hex: String, charge: Double) {
        #expect(events([(hex, 100)], from: 0x2A19).contains(.status(.battery(charge))))
    }

    @Test(arguments: ["65", "FF", "", "64 00"])
    func refusesBatteryLevelsThatCannotBe(hex: String) {
        let events = events([(hex, 100)], from: 0x2A19)
        #expect(events.count == 1)
        #expect(events.allSatisfy { if case .malformed = $0 { true } else { false } })
    }

    @Test("who a sensor is is known before its battery's stream is described")
    func theIdentityComesBeforeTheBattery() {
        func reads(_ conversation: any Conversation) -> [BluetoothUUID] {
            var conversation = conversation
            var actions: [ConversationAction] = []
            conversation.open(at: 0, into: &actions)
            return actions.compactMap { action in
                switch action {
                case .read(let uuid), .subscribe(let uuid, _): uuid
                default: nil
                }
            }
        }
        let level = BluetoothUUID(0x2A19)
        for asked in [reads(HeartRateConversation()), reads(PolarConversation())] {
            #expect(asked.suffix(2) == [level, level] && asked.contains(BluetoothUUID(0x2A25)))
        }
    }

    @Test func collectsTheIdentityWithoutTrailingZeros() {
        var conversation = HeartRateConversation()
        var actions: [ConversationAction] = []
        let answers: [(UInt16, [UInt8])] = [
            (0x2A29, Array("Polar Electro Oy\0".utf8)), (0x2A24, Array("H10\0\0".utf8)),
            (0x2A50, bytes("01 6B 00 07 00 01 02")), (0x2A23, bytes("01 02 03 04 05 06 07 08")),
        ]
        for (uuid, value) in answers {
            conversation.receive(value, from: .characteristic(BluetoothUUID(uuid)), at: 1, into: &actions)
        }
        guard case .emit(.identity(let identity)) = actions.last else { Issue.record("no identity"); return }
        #expect(identity.manufacturer == "Polar Electro Oy")
        #expect(identity.model == "H10")
        #expect(identity.details["plugAndPlayID"] == "Bluetooth vendor 107, product 7, version 513")
        #expect(identity.details["systemID"] == "504030201-80706")
    }
}
