import Devices
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct MusePacketTests {
    private let eighteen = "5721C0 524906 6AF231 405899 8042FE 2C779D"
    private let twelve = [1394, 448, 1316, 2310, 1711, 561, 1029, 2201, 2052, 766, 711, 1949]

    @Test func unpacksTwelveAndTwentyFourBits() throws {
        let packet = try #require(MusePacket(bytes("1234 \(eighteen)")))
        #expect(packet.counter == 4660)
        #expect(packet.twelveBit == twelve)
        #expect(packet.twentyFourBit == [5_710_272, 5_392_646, 7_008_817, 4_216_985, 8_405_758, 2_914_205])
        #expect(packet.microvolts == twelve.map { Float(Double($0 - 2048) * 0.48828125) })
        #expect(packet.microvolts[0] == -319.3359375)
        #expect(packet.microvolts[11] == -48.33984375)
    }

    @Test func readsTheRailsAndTheMiddle() throws {
        let packet = try #require(MusePacket(bytes("FFFF 000FFF 800801 000FFF 800801 000FFF 800801")))
        #expect(packet.counter == 65535)
        #expect(
            packet.microvolts == [
                -1000, 999.51171875, 0, 0.48828125, -1000, 999.51171875, 0, 0.48828125, -1000, 999.51171875, 0,
                0.48828125,
            ])
        let other = try #require(MusePacket(bytes("0001 280380 280380 280380 280380 280380 280380")))
        #expect(other.twelveBit.prefix(2) == [640, 896])
        #expect(other.microvolts.prefix(2) == [-687.5, -562.5])
    }

    @Test func readsTelemetry() throws {
        let packet = try #require(MusePacket(bytes("014AB5B807400F7F001B00000000000000000000")))
        let telemetry = try #require(MuseTelemetry(packet))
        #expect(telemetry.counter == 330)
        #expect(telemetry.battery == 90.859375)
        #expect(abs(telemetry.fuelGauge - 4083.2) < 1e-9)
        #expect(telemetry.voltage == 3967)
        #expect(telemetry.temperature == 27)
    }

    @Test(arguments: [
        (
            "526D 0DB20D9D3C73 12050D493C35 11B711E33C8F", 21101, Muse.g,
            [0.2139894, 0.2127077, 0.9445197, 0.2815554, 0.2075807, 0.9407355, 0.2767946, 0.2794802, 0.9462287]
        ),
        (
            "016D 050C009D0073 050500490035 05B700E3008F", 365, Muse.degreesPerSecond,
            [9.6600256, 1.1738576, 0.859832, 9.607688, 0.5458064, 0.3962704, 10.9385584, 1.6972336, 1.0691824]
        ),
    ])
    func readsMotion(hex: String, counter: Int, scale: Double, values: [Double]) throws {
        let packet = try #require(MusePacket(bytes(hex)))
        #expect(Int(packet.counter) == counter)
        let isClose = zip(packet.signed16, values).allSatisfy { abs(Double($0) * scale - $1) < 1e-7 }
        #expect(isClose)
    }

    @Test func writtenPacketsReadTheSame() {
        var random = SplitMix64(seed: 9)
        for _ in 0..<200 {
            let counter = UInt16.random(in: 0...65535, using: &random)
            let eeg = (0..<12).map { _ in Int.random(in: 0...4095, using: &random) }
            #expect(MusePacket(MusePacket.eeg(counter: counter, eeg).bytes)?.twelveBit == eeg)
            let ppg = (0..<6).map { _ in Int.random(in: 0..<1 << 24, using: &random) }
            #expect(MusePacket(MusePacket.ppg(counter: counter, ppg).bytes)?.twentyFourBit == ppg)
            let motion = (0..<9).map { _ in Int.random(in: -32768...32767, using: &random) }
            #expect(MusePacket(MusePacket.motion(counter: counter, motion).bytes)?.signed16 == motion)
        }
    }

    @Test(arguments: ["", "1234", "1234 5721C0 524906 6AF231 405899 8042FE 2C779D 00"])
    func refusesPacketsOfAnotherLength(hex: String) {
        #expect(MusePacket(bytes(hex)) == nil)
    }

    @Test(arguments: [
        ("h", "02 68 0A"), ("p21", "04 70 32 31 0A"), ("s", "02 73 0A"), ("d", "02 64 0A"), ("k", "02 6B 0A"),
        ("v1", "03 76 31 0A"), ("*1", "03 2A 31 0A"), ("L0", "03 4C 30 0A"),
    ])
    func writesCommands(text: String, hex: String) {
        #expect(Muse.command(text) == bytes(hex))
    }

    private struct Published: Decodable {
        struct Values: Decodable {
            var hex: String
            var expect: [Int]
        }
        struct Control: Decodable {
            var fragments: [String]
            var expect_objects: Int
        }
        var unsigned12: Values
        var unsigned24: Values
        var control_fragments: Control
    }

    @Test(.enabled(if: RealData.has("ble_vectors/muse_classic.json")))
    func agreesWithMuseJS() throws {
        let data = try Data(contentsOf: RealData.url("ble_vectors/muse_classic.json"))
        let vectors = try JSONDecoder().decode(Published.self, from: data)
        #expect(MusePacket(bytes("0000" + vectors.unsigned12.hex))?.twelveBit == vectors.unsigned12.expect)
        #expect(MusePacket(bytes("0000" + vectors.unsigned24.hex))?.twentyFourBit == vectors.unsigned24.expect)
        var text = MuseControlText()
        var replies: [MuseReply] = []
        for fragment in vectors.control_fragments.fragments {
            let (objects, isDamaged) = text.take(fragment.utf8)
            #expect(!isDamaged)
            replies += objects
        }
        #expect(replies.count == vectors.control_fragments.expect_objects)
        #expect(replies[0].values["fw"] == "1.2.13")
        #expect(replies[3].values["sn"] == "2031-TZRW-1324")
        #expect(replies[3].values["bp"] == "82")
        #expect(replies.allSatisfy { $0.code == 0 })
    }

    @Test func paddingOfControlNotificationsIsIgnored() {
        var text = MuseControlText()
        let stale: [UInt8] = Array("stale".utf8)
        #expect(text.take(notification: bytes("05 7B 22 72 63 22") + stale).objects.isEmpty)
        let (objects, isDamaged) = text.take(notification: bytes("03 3A 30 7D") + stale)
        #expect(objects.map(\.values) == [["rc": "0"]])
        #expect(!isDamaged)
    }

    @Test func textWithoutEndIsThrownAway() {
        var text = MuseControlText()
        var damaged = 0
        for _ in 0..<1_000 { if text.take("{\"a\":\"xxxxxxxxxxxx".utf8).isDamaged { damaged += 1 } }
        #expect(damaged > 0)
        _ = text.take("\"}}}}}}".utf8)
        text.reset()
        #expect(text.take("{\"rc\":0}".utf8).objects.count == 1)
    }
}

@Suite struct MuseConversationTests {
    /// A packet whose every sample tells its channel and round.
    private func eeg(round: Int, channel: Int) -> [UInt8] {
        MusePacket.eeg(
            counter: UInt16(truncatingIfNeeded: round), Array(repeating: (round * 5 + channel) & 0xFFF, count: 12)
        )
        .bytes
    }

    private func value(round: Int, channel: Int) -> Float { Float(((round * 5 + channel) & 0xFFF) - 2048) * 125 / 256 }

    /// What becomes of EEG packets, given as round and channel, that arrive at their rounds' moments.
    private func placed(_ packets: [(round: Int, channel: Int)], from start: Int = 0) -> [DeviceEvent] {
        var conversation = MuseConversation(preset: "p21")
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        actions = []
        for packet in packets {
            conversation.receive(
                eeg(round: packet.round, channel: packet.channel),
                from: .characteristic(Muse.electrodes[packet.channel].characteristic),
                at: Double(packet.round - start) * 12 / 256, into: &actions)
        }
        conversation.close(at: 1e6, into: &actions)
        return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
    }

    private static let order = [3, 2, 0, 1]

    private func rounds(_ range: Range<Int>) -> [(round: Int, channel: Int)] {
        range.flatMap { round in Self.order.map { (round, $0) } }
    }

    @Test func startsWithTheKnownCommands() {
        var conversation = MuseConversation(preset: "p21")
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        let sent = actions.compactMap { if case .send(let bytes, _, false) = $0 { bytes } else { nil } }
        let known = ["v1", "h", "p21", "s", "d"].map { Muse.command($0) }
        #expect(sent == known)
        #expect(actions.contains(.subscribe(Muse.control, isRequired: true)))
        #expect(!actions.contains(.emit(.ready)))
    }

    @Test func joinsChannelsByTheirCounterAcrossTheWrap() {
        let events = placed(rounds(65_530..<65_545), from: 65_530)
        let blocks = events.samples("eeg")
        #expect(blocks.map(\.index) == (0..<15).map { $0 * 12 })
        for (offset, block) in blocks.enumerated() {
            for channel in 0..<4 {
                #expect(
                    block.block.channel(channel)
                        == Array(repeating: value(round: 65_530 + offset, channel: channel), count: 12))
            }
        }
        #expect(events.malformed.isEmpty)
        #expect(events.contains(.ready))
    }

    @Test(arguments: [1, 7, 600])
    func lostRoundsAreAGapOfTheirLength(lost: Int) {
        let blocks = placed(rounds(0..<10) + rounds(10 + lost..<20 + lost)).samples("eeg")
        #expect(blocks.count == 20)
        #expect(blocks[10].index - blocks[9].index == 12 * (lost + 1))
        #expect(!blocks[10].restarted)
    }

    @Test func aLostChannelIsMissingInItsRoundOnly() {
        let packets = rounds(0..<10).filter { !($0.round == 5 && $0.channel == 2) }
        let blocks = placed(packets).samples("eeg")
        #expect(blocks.map(\.index) == (0..<10).map { $0 * 12 })
        #expect(blocks[5].block.channel(2).allSatisfy { $0.isNaN })
        #expect(blocks[5].block.channel(1) == Array(repeating: value(round: 5, channel: 1), count: 12))
        #expect(!blocks[6].block.samples.contains { $0.isNaN })
    }

    @Test func aChannelThatNeverStreamsIsNotWaitedFor() {
        var conversation = MuseConversation(preset: "p21")
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        var after: [Int] = []
        for round in 0..<20 {
            actions = []
            for channel in [0, 1, 3] {
                conversation.receive(
                    eeg(round: round, channel: channel), from: .characteristic(Muse.electrodes[channel].characteristic),
                    at: Double(round) * 12 / 256, into: &actions)
            }
            after.append(actions.filter { if case .emit(.samples) = $0 { true } else { false } }.count)
        }
        // The last round comes at once.
        #expect(after.reduce(0, +) == 20)
    }

    /// A busy computer reads what waits of one channel before it turns to the next.
    @Test(arguments: [2, 5, 8], [false, true])
    func channelsThatAreAheadOfOthersAreJoinedAllTheSame(ahead: Int, hasLoss: Bool) {
        var packets = rounds(0..<10)
        for start in stride(from: 10, to: 10 + 4 * ahead, by: ahead) {
            packets += Self.order.flatMap { channel in (start..<start + ahead).map { ($0, channel) } }
        }
        if hasLoss { packets.removeAll { $0.round == 11 && $0.channel == 0 } }
        let events = placed(packets)
        let blocks = events.samples("eeg")
        #expect(events.malformed.isEmpty)
        #expect(blocks.map(\.index) == (0..<10 + 4 * ahead).map { $0 * 12 })
        for (round, block) in blocks.enumerated() {
            for channel in 0..<4 {
                let isLost = hasLoss && round == 11 && channel == 0
                let expected = isLost ? Float.nan : value(round: round, channel: channel)
                #expect(block.block.channel(channel).allSatisfy { $0 == expected || isLost && $0.isNaN })
            }
        }
    }

    @Test(arguments: 0..<4) func aChannelThatWasSilentForLongIsHeardAgain(channel: Int) {
        let packets = rounds(0..<60).filter { !($0.channel == channel && (20..<40).contains($0.round)) }
        let blocks = placed(packets).samples("eeg")
        #expect(blocks.map(\.index) == (0..<60).map { $0 * 12 })
        let missing = blocks.indices.filter { blocks[$0].block.channel(channel).contains { $0.isNaN } }
        #expect(missing.starts(with: 20..<40) && missing.count <= 21)
    }

    @Test func packetsThatComeTwiceOrLateAreLeftOut() {
        let packets = rounds(0..<3) + [(2, 1)] + rounds(4..<6) + [(3, 0)]
        let events = placed(packets)
        #expect(events.samples("eeg").map(\.index) == [0, 12, 24, 48, 60])
        #expect(events.malformed.count == 2)
    }

    @Test(arguments: [17, 20, 25, 50]) func onePacketThatComesLateIsLeftOutAlone(by count: Int) {
        var packets = rounds(0..<100)
        packets.removeAll { $0.round == 30 && $0.channel == 1 }
        packets.insert((30, 1), at: (30 + count) * 4)
        let events = placed(packets)
        let blocks = events.samples("eeg")
        #expect(blocks.map(\.index) == (0..<100).map { $0 * 12 } && blocks.allSatisfy { !$0.restarted })
        #expect(events.malformed.count == 1)
    }

    @Test func aCounterThatStartsAnewIsNotAGap() {
        let events = placed(rounds(5_000..<5_010) + rounds(0..<10), from: 5_000)
        let blocks = events.samples("eeg")
        #expect(blocks.map(\.restarted) == (0..<20).map { $0 == 10 })
        #expect(blocks[10].index == 0)
    }

    @Test func silenceOfThreeSecondsEndsTheConnection() {
        var conversation = MuseConversation(preset: "p21")
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        // The start is tried twice.
        actions = []
        conversation.wake(at: 3, into: &actions)
        #expect(!actions.contains(.close))
        conversation.receive(
            eeg(round: 0, channel: 0), from: .characteristic(Muse.electrodes[0].characteristic), at: 4, into: &actions)
        actions = []
        conversation.wake(at: 6, into: &actions)
        #expect(!actions.contains(.close))
        #expect(actions.contains(.wake(at: 7)))
        conversation.wake(at: 7, into: &actions)
        #expect(actions.contains(.close))
        #expect(
            actions.contains { if case .emit(.failed(let failure)) = $0 { failure.code == "silent" } else { false } })
    }

    @Test func aRefusedCommandIsToldWithItsCode() {
        var conversation = MuseConversation()
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        let text = Array("{\"rc\":3}".utf8)
        conversation.receive(
            [UInt8(text.count)] + text, from: .characteristic(Muse.control), at: 1, into: &actions)
        #expect(actions.contains { if case .emit(.failed(let failure)) = $0 { failure.code == "3" } else { false } })
    }
}

@Suite struct KardiaTests {
    @Test(
        arguments: [
            ("34 2E 39 39 35", [4.995], false, 0), ("34 2E 37 31 35", [4.715], false, 0),
            ("34 2E 35 31 32 2E 32 35 35 33 2E 32 33 33", [4.512], true, 0), ("", [], false, 1),
            ("20 34 2E 39 0D 0A", [4.9], false, 0), ("FF FE", [], false, 1), ("6E 61 6E", [], false, 1),
            ("69 6E 66", [], false, 1), ("34 2E 35 31 32 34 2E 35 31 32", [4.512], true, 0),
            ("31 65 39 39 39", [], false, 1), ("2D 34 2E 35", [-4.5], false, 0),
        ] as [(String, [Double], Bool, Int)])
    func readsNotifications(hex: String, amplitudes: [Double], isStacked: Bool, rejected: Int) {
        var text = KardiaText()
        let reading = text.read(bytes(hex))
        #expect(reading.amplitudes == amplitudes)
        #expect(reading.isStacked == isStacked)
        #expect(reading.rejected == rejected)
    }

    @Test func joinsAListCutIntoTwoNotifications() {
        var text = KardiaText()
        let list = Array("4.995,4.715,4.715,4.205,4.830".utf8)
        let read = text.read(Array(list[..<20])).amplitudes + text.read(Array(list[20...])).amplitudes
        #expect(read == [4.995, 4.715, 4.715, 4.205, 4.830])
    }

    @Test func amplitudesBecomeAStreamAndTheRestIsCounted() {
        let heard = events(
            KardiaConversation(), ["34 2E 39 39 35", "", "FF", "34 2E 37 31 35"].map(bytes),
            from: .characteristic(KardiaConversation.data))
        #expect(heard.values("ecg").map(\.values) == [[4.995], [4.715]])
        #expect(heard.malformed.count == 2)
        #expect(heard.streams.map(\.id) == ["ecg"])
    }
}
