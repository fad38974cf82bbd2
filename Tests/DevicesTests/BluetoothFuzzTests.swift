import Devices
import Signals
import TestSupport
import Testing

/// Mutated and random packets: nothing crashes, nothing grows, every stream is announced before its samples, indices
/// never decrease by themselves.
@Suite struct BluetoothFuzzTests {
    /// What a conversation must never do, whatever arrives.
    struct Watch {
        var announced: [String: Int] = [:]
        var ends: [String: Int] = [:]
        var violations = 0

        mutating func look(at actions: [ConversationAction]) {
            if actions.count > 4_096 { violations += 1 }
            for case .emit(let event) in actions {
                switch event {
                case .stream(let stream):
                    if announced.updateValue(stream.header.channels.count, forKey: stream.id) != nil { violations += 1 }
                case .samples(let samples):
                    if announced[samples.stream] != samples.block.channelCount { violations += 1 }
                    if samples.block.samples.count > 1 << 16 { violations += 1 }
                    if !samples.restarted, samples.index < ends[samples.stream, default: 0] { violations += 1 }
                    if let time = samples.deviceTime, !time.isFinite { violations += 1 }
                    ends[samples.stream] = samples.index + samples.block.frameCount
                case .values(let stream, let values):
                    if values.contains(where: { $0.values.count != announced[stream] }) { violations += 1 }
                case .malformed(let message):
                    if message.bytes.count > 64 { violations += 1 }
                default: break
                }
            }
        }
    }

    private func fuzz(
        _ conversation: any Conversation, _ seeds: [(BluetoothUUID, [UInt8])], count: Int, seed: UInt64
    ) -> Watch {
        var conversation = conversation
        var random = SplitMix64(seed: seed)
        var watch = Watch()
        var actions: [ConversationAction] = []
        var moment = 0.0
        conversation.open(at: moment, into: &actions)
        for (uuid, value) in seeds {
            conversation.receive(value, from: .characteristic(uuid), at: moment, into: &actions)
        }
        watch.look(at: actions)
        for round in 0..<mutants(count) {
            actions.removeAll(keepingCapacity: true)
            let bits = random.next()
            let (uuid, value) = seeds[Int(bits % UInt64(seeds.count))]
            var bytes = value
            switch bits >> 8 & 7 {
            case 0: bytes = (0..<Int(bits >> 16 & 31)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            case 1: bytes = Array(bytes.prefix(Int(bits >> 16 & 31)))
            default:
                for _ in 0...(bits >> 11 & 3) where !bytes.isEmpty {
                    let change = random.next()
                    bytes[Int(change % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: change >> 32)
                }
            }
            moment += Double(bits >> 40 & 0xFF) * 1e-3
            conversation.receive(bytes, from: .characteristic(uuid), at: moment, into: &actions)
            if round & 0xFF == 0 { conversation.wake(at: moment, into: &actions) }
            if round & 0xFFFF == 0xFFFF {
                conversation.close(at: moment, into: &actions)
                watch.look(at: actions)
                actions.removeAll()
                watch.ends = [:]
                conversation.open(at: moment, into: &actions)
            }
            watch.look(at: actions)
        }
        return watch
    }

    @Test func heartRate() {
        let seeds: [(BluetoothUUID, [UInt8])] = [
            (HeartRateMeasurement.characteristic, bytes("1F 04 01 FF FF 00 04 00 02")),
            (HeartRateMeasurement.characteristic, bytes("16 48 50 03 64 03 48 03")),
            (BodySensorLocation.characteristic, [1]), (BluetoothUUID(0x2A19), [100]),
            (BluetoothUUID(0x2A23), bytes("0102030405060708")), (BluetoothUUID(0x2A50), bytes("016B0007000102")),
            (BluetoothUUID(0x2A29), Array("Polar\0".utf8)),
        ]
        #expect(fuzz(HeartRateConversation(), seeds, count: 100_000, seed: 1).violations == 0)
    }

    @Test func polar() {
        var content: [UInt8] = []
        for value in 0..<219 { content.append(UInt8(value)) }
        let seeds: [(BluetoothUUID, [UInt8])] = [
            (PMD.controlPoint, bytes("0F FF FF")), (PMD.controlPoint, bytes("F0 01 00 00 00 00 01 82 00 01 01 0E 00")),
            (PMD.controlPoint, bytes("F0 02 00 00 00")),
            (PMD.controlPoint, bytes("F0 01 01 00 00 00 01 37 00 01 01 16 00 04 01 04")),
            (PMD.controlPoint, bytes("F0 02 01 00 00")),
            (PMD.controlPoint, bytes("F0 01 02 00 00 00 01 34 00 01 01 10 00 02 01 08 00")),
            (PMD.controlPoint, bytes("F0 02 02 00 00 05 01 00 00 80 3F")), (PMD.controlPoint, bytes("F0 02 03 00 00")),
            (PMD.data, PMDFrame(type: .ecg, timestamp: 1 << 40, content: content).bytes),
            (PMD.data, bytes("02 0094357700000000 81 7107 F06A 9E8D 0A 01 BE5CBEBA 00 FF 03 05 0102030405060708")),
            (PMD.data, bytes("01 0094357700000000 00 010203 040506 FFFF7F 000000")),
            (PMD.data, bytes("03 0094357700000000 00 80 8080 8080 FF 00 0100 0100 00")),
        ]
        #expect(fuzz(PolarConversation(), seeds, count: 100_000, seed: 2).violations == 0)
    }

    @Test func muse() {
        let eeg = bytes("1234 5721C0 524906 6AF231 405899 8042FE 2C779D")
        var seeds: [(BluetoothUUID, [UInt8])] = Muse.electrodes.map { ($0.characteristic, eeg) }
        seeds += Muse.optics.map { ($0.characteristic, eeg) }
        seeds += [
            (Muse.acceleration, eeg), (Muse.gyroscope, eeg),
            (Muse.telemetry, bytes("014AB5B807400F7F001B00000000000000000000")),
            (Muse.control, bytes("05 7B 22 72 63 22")), (Muse.control, bytes("03 3A 30 7D")),
        ]
        #expect(fuzz(MuseConversation(preset: "p50"), seeds, count: 100_000, seed: 3).violations == 0)
    }

    @Test func athena() {
        let seeds: [(BluetoothUUID, [UInt8])] = AthenaTag.allCases.map { tag in
            let content = (0..<tag.length).map { UInt8(truncatingIfNeeded: $0 * 37) }
            let entry = AthenaMessage.Entry(tag: tag, counter: 1, ticks: 256_000, content: content)
            return (AthenaConversation.data[0], AthenaMessage.packet(counter: 1, [entry]))
        }
        #expect(fuzz(AthenaConversation(), seeds, count: 100_000, seed: 5).violations == 0)
    }

    @Test func kardia() {
        let seeds: [(BluetoothUUID, [UInt8])] = [
            (KardiaConversation.data, Array("4.995".utf8)), (KardiaConversation.data, Array("4.512.2553.233".utf8)),
            (KardiaConversation.data, Array("4.995,4.715,4.715,4.".utf8)),
        ]
        #expect(fuzz(KardiaConversation(), seeds, count: 100_000, seed: 4).violations == 0)
    }
}
