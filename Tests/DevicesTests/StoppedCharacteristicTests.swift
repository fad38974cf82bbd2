import Devices
import Signals
import TestSupport
import Testing

/// A characteristic that stops while its device stays connected ends the connection; one measurement of several is restarted.
@Suite struct StoppedCharacteristicTests {
    private struct Talk {
        var conversation: any Conversation
        var actions: [ConversationAction] = []
        var due: Seconds?

        init(_ conversation: any Conversation) {
            self.conversation = conversation
            self.conversation.open(at: 0, into: &actions)
            look()
        }

        mutating func look() {
            for case .wake(let moment) in actions { due = moment }
        }

        /// Wakes the conversation whenever that is due, until a moment or the connection's end.
        /// - Returns: when it ended; nil where it did not.
        mutating func wait(until end: Seconds) -> Seconds? {
            while let moment = due, moment <= end {
                due = nil
                actions = []
                conversation.wake(at: moment, into: &actions)
                look()
                if actions.contains(.close) { return moment }
            }
            return nil
        }

        mutating func receive(_ bytes: [UInt8], from characteristic: BluetoothUUID, at moment: Seconds) {
            actions = []
            conversation.receive(bytes, from: .characteristic(characteristic), at: moment, into: &actions)
            look()
        }

        var failures: [String] {
            actions.compactMap { if case .emit(.failed(let failure)) = $0 { failure.code } else { nil } }
        }
    }

    private static let devices: [(conversation: any Conversation, characteristic: BluetoothUUID, value: [UInt8])] = [
        (HeartRateConversation(), BluetoothUUID(0x2A37), [0x16, 60, 0, 4]),
        (KardiaConversation(), KardiaConversation.data, Array("4.300".utf8)),
    ]

    @Test("it ends 12 s after the last value, and never while values come", arguments: 0..<2, 1...5)
    func stoppedCharacteristic(device: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (conversation, characteristic, value) = Self.devices[device]
        var talk = Talk(conversation)
        var moment = 1.0
        for _ in 0..<Int.random(in: 1..<100, using: &random) {
            talk.receive(value, from: characteristic, at: moment)
            let next = moment + Double.random(in: 0.05...11.5, using: &random)
            #expect(talk.wait(until: next) == nil)
            moment = next
        }
        talk.receive(value, from: characteristic, at: moment)
        let end = talk.wait(until: moment + 60)
        #expect(end.map { abs($0 - moment - 12) < 0.001 } == true)
        #expect(talk.failures == ["silent"])
    }

    @Test(
        "a characteristic that stops after its first values is noticed after 12 s, not after the first half minute",
        arguments: 0..<2)
    func stopsEarly(device: Int) {
        let (conversation, characteristic, value) = Self.devices[device]
        var talk = Talk(conversation)
        talk.receive(value, from: characteristic, at: 2)
        #expect(talk.wait(until: 60) == 14)
    }

    @Test(arguments: 0..<2)
    func aSensorThatFindsItsSignalHasHalfAMinute(device: Int) {
        var talk = Talk(Self.devices[device].conversation)
        #expect(talk.wait(until: 29.9) == nil)
        #expect(talk.wait(until: 31) != nil)
    }

    // MARK: - Athena and MethodSCRIPT

    @Test("one of an Athena's two characteristics that stops alone ends the connection within 15 s")
    func stoppedAthena() {
        var dialogue = Dialogue(AthenaConversation(), AthenaSimulator(session()))
        dialogue.run(until: 40)
        var talk = Talk(AthenaConversation())
        var (end, last): (Seconds?, Seconds) = (nil, 0)
        for entry in dialogue.log {
            guard case .received(let bytes, .characteristic(let uuid)) = entry.content else { continue }
            end = talk.wait(until: entry.moment)
            if end != nil { break }
            // The other characteristic brings the same packets until it stops.
            let isOther = uuid == AthenaConversation.data[0] && entry.moment < 10 && Int(entry.moment * 2) % 2 == 1
            if isOther { last = entry.moment }
            talk.receive(bytes, from: isOther ? AthenaConversation.data[1] : uuid, at: entry.moment)
        }
        // It is looked for every three seconds.
        #expect(end.map { (12...15.1).contains($0 - last) } == true)
        #expect(talk.failures == ["silent"])
    }

    /// An instrument that runs a script over Bluetooth since 1 s.
    private func running() throws -> Talk {
        let script = try MethodSCRIPTScript(text: MethodSCRIPTConversationTests.amperometry)
        var talk = Talk(MethodSCRIPTConversation(MethodSCRIPTSettings(.bluetooth, script: script)))
        _ = talk.wait(until: 0.9)
        for answer in ["tespico1304#Oct 22 2021 14:38:26\nR*\n", "iEP21\n", "v01\n", "e\n", "M0007\n"] {
            talk.receive(Array(answer.utf8), from: MethodSCRIPTSettings.output, at: 1)
        }
        return talk
    }

    @Test("an instrument that is silent while a script runs is asked, and may be silent for hours where it answers")
    func silentScript() throws {
        var talk = try running()
        var moment = 1.0
        for _ in 0..<200 {
            #expect(talk.wait(until: moment + 12) == nil)
            moment += 12
            #expect(sent(talk) == [bytes("74 0A")])
            talk.receive(Array("t!0006\n".utf8), from: MethodSCRIPTSettings.output, at: moment + 0.1)
            moment += 0.1
            #expect(talk.actions.allSatisfy { if case .emit = $0 { false } else { true } })
        }
        #expect(talk.wait(until: moment + 60).map { abs($0 - moment - 17) < 0.001 } == true)
        #expect(talk.failures == ["silent"])
    }

    // MARK: - Measurements

    /// A Polar sensor that measures ECG and acceleration since 0.1 s.
    private func measuring() -> Talk {
        var talk = Talk(PolarConversation(streams: [PolarStream(.ecg), PolarStream(.acceleration)]))
        for answer in [
            "0F 05 00", "F0 01 02 00 00 00 01 32 00 01 01 10 00 02 01 08 00", "F0 02 02 00 00",
            "F0 01 00 00 00 00 01 82 00 01 01 0E 00", "F0 02 00 00 00",
        ] { talk.receive(bytes(answer), from: PMD.controlPoint, at: 0.1) }
        return talk
    }

    private func frame(_ type: PMDType, at moment: Seconds) -> [UInt8] {
        PMDFrame(
            type: type, timestamp: UInt64((600_000_000 + moment) * 1e9), frameType: type == .ecg ? 0 : 1,
            content: [UInt8](repeating: 0, count: 18)
        ).bytes
    }

    private func sent(_ talk: Talk) -> [[UInt8]] {
        talk.actions.compactMap { if case .send(let bytes, _, _) = $0 { bytes } else { nil } }
    }

    @Test func aMeasurementThatTheSensorStopsIsStartedAgain() {
        var talk = measuring()
        talk.receive(frame(.ecg, at: 1), from: PMD.data, at: 1)
        talk.receive(bytes("01 00"), from: PMD.controlPoint, at: 2)
        #expect(talk.failures == ["stopped"])
        #expect(talk.wait(until: 2) == nil)
        #expect(sent(talk) == [bytes("01 00")])
        talk.receive(bytes("F0 01 00 00 00 00 01 82 00 01 01 0E 00"), from: PMD.controlPoint, at: 2.1)
        #expect(sent(talk) == [bytes("02 00 00 01 82 00 01 01 0E 00")])
        talk.receive(bytes("F0 02 00 00 00"), from: PMD.controlPoint, at: 2.2)
        talk.receive(frame(.ecg, at: 3), from: PMD.data, at: 3)
        #expect(talk.actions.contains { if case .emit(.samples) = $0 { true } else { false } })
    }

    @Test func aMeasurementThatIsRefusedIsTriedAgainLaterEachTime() {
        var talk = measuring()
        talk.receive(bytes("01 00"), from: PMD.controlPoint, at: 2)
        var moment = 2.0
        var waits: [Seconds] = []
        for _ in 0..<8 {
            let before = moment
            // Acceleration goes on.
            while sent(talk).isEmpty, moment < before + 60 {
                talk.receive(frame(.acceleration, at: moment), from: PMD.data, at: moment)
                #expect(talk.wait(until: moment) == nil)
                if sent(talk).isEmpty { moment += 0.25 }
            }
            waits.append(moment - before)
            // In its charger.
            talk.receive(bytes("F0 01 00 0D 00"), from: PMD.controlPoint, at: moment)
        }
        #expect(waits == [0, 1, 2, 4, 8, 15, 15, 15])
    }

    @Test(
        "of a measurement that falls silent alone it is started again, and the connection ends where that does not help"
    )
    func silentMeasurement() {
        var talk = measuring()
        var restarts: [Seconds] = []
        var end: Seconds?
        for step in 1..<160 where end == nil {
            let moment = Double(step) * 0.5
            talk.receive(frame(.acceleration, at: moment), from: PMD.data, at: moment)
            end = talk.wait(until: moment)
            if end != nil { break }
            guard let command = sent(talk).first else { continue }
            restarts.append(moment)
            #expect(command == bytes("03 00"))
            for answer in ["F0 03 00 00 00", "F0 01 00 00 00 00 01 82 00 01 01 0E 00", "F0 02 00 00 00"] {
                talk.receive(bytes(answer), from: PMD.controlPoint, at: moment)
            }
        }
        #expect(restarts == [12.5])
        #expect(end.map { abs($0 - 24.5) < 0.6 } == true)
    }
}
