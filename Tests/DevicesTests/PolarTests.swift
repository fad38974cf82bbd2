import Devices
import Signals
import TestSupport
import Testing

@Suite struct PMDVectorTests {
    private func samples(_ hex: String, factor: Double = 1) throws -> [[Float]] {
        let block = try PMDFrame(bytes(hex)).samples(factor: factor)
        return (0..<block.channelCount).map(block.channel)
    }

    @Test func readsECG() throws {
        let frame = try PMDFrame(bytes("00 0094357700000000 00 0280FF 028000"))
        #expect(frame.timestamp == 2_000_000_000)
        #expect(try frame.samples() == SampleBlock([-32766, 32770]))
        let second = try PMDFrame(bytes("00 DAEBC39E98435208 00 F0FFFF 000000 E20400 0080FF"))
        #expect(second.timestamp == 599_616_023_171_427_290)
        #expect(try second.samples() == SampleBlock([-16, 0, 1250, -32768]))
    }

    @Test func readsAcceleration() throws {
        let axes = try samples("02 0094357700000000 01 F7FF FFFF E703 F8FF FEFF E503")
        #expect(axes == [[-9, -8], [-1, -2], [999, 997]])
        #expect(try samples("02 0094357700000000 00 FF 02 80") == [[-1], [2], [-128]])
        #expect(try samples("02 0094357700000000 02 FFFFFF 000080 FFFF7F") == [[-1], [-8_388_608], [8_388_607]])
    }

    @Test func readsDifferencesOfAcceleration() throws {
        // The reference and the first differences (190, -105, -85), 10 bits each.
        let axes = try samples("02 0094357700000000 80 7107 F06A 9E8D 0A 01 BE5CBEBA", factor: 2.44e-4)
        let raw: [[Double]] = [[1905, 2095], [27376, 27271], [-29282, -29367]]
        #expect(axes == raw.map { $0.map { Float($0 * (2.44e-4 * 1_000)) } })
        let milli = try samples("02 0094357700000000 81 7107 F06A 9E8D 0A 01 BE5CBEBA")
        #expect(milli == [[1905, 2095], [27376, 27271], [-29282, -29367]])
    }

    @Test func readsPPG() throws {
        let channels = try samples(
            "01 0094357700000000 00 010203 040506 FFFF7F 000000 FFFFFF 0FEFEF 000080 0FEFEF")
        #expect(channels == [[197121, -1], [394500, -1_052_913], [8_388_607, -8_388_608], [0, -1_052_913]])
    }

    // The vectors of these are those of the Polar BLE SDK's own tests (EcgDataTest, MagDataTest, PpgDataTest).

    @Test func readsECGWhoseUpperBitsAreFlags() throws {
        #expect(try samples("00 0094357700000000 01 0280FF 800200") == [[2, 640]])
        #expect(try samples("00 0094357700000000 02 8080FC FFFF03") == [[32896, 262_143]])
    }

    @Test(arguments: [1.0, 1.1]) func readsAMagnetometerInMilligauss(factor: Double) throws {
        let axes = try samples("06 0094357700000000 81 37FF 51FD 6CF6 0000 03 01 F802", factor: factor)
        let raw: [[Double]] = [[-201, -201], [-687, -688], [-2452, -2449]]
        try #require(axes.count == 3)
        for (axis, expected) in zip(axes, raw) {
            #expect(zip(axis, expected).allSatisfy { abs(Double($0) - $1 * factor / 1_000) < 1e-5 })
        }
    }

    @Test func readsPPGOfManyChannels() throws {
        let sixteen = try samples(
            "01 0094357700000000 87 09AE20 8A7C23 583B19 80B918 DB2E22 FA881D D7BB18 C2B81F 7A4426 48DF23 A1F217 3A371B"
                + "FFFF00 7C0800 70F502 FFFF00 28C411 18 01 87FEFF EC0200 01FEFF FB0000 8DF9FF B1FFFF 0CFEFF 26FEFF EEFEFF"
                + "890200 DF0200 51FEFF 000000 000000 000000 000000 AEA68F")
        try #require(sixteen.count == 17)
        #expect(sixteen[0] == [2_141_705, 2_141_705 - 377] && sixteen[1] == [2_325_642, 2_325_642 + 748])
        #expect(sixteen[15].first == 65535 && sixteen[16].first == 1_164_328)
        let twentyFour = try samples(
            "01 0094357700000000 88 031001 051002 FFFFFF 091004 0B1005 031006 051007 071008 091009 0B100A 03100B 05100C"
                + "07100D 09100E 0B100F 031010 051011 071012 091013 0B1014 031015 051016 071017 091018 FFFFFF 03 01"
                + "49922449922449922400")
        try #require(twentyFour.count == 25)
        #expect(twentyFour[0] == [69635, 69636] && twentyFour[1] == [135_173, 135_174] && twentyFour[2].first == -1)
        #expect(twentyFour[23].first == 1_576_969 && twentyFour[24].first == 16_777_215)
        let coloured = try samples(
            "01 C06E6A43E161EE0A 8A 350B18 6BDF1D C58D1A 6CE11A 4D931B 48BA16 A21018 3BD01B 321D1E 63BD1A 08F317 FB2F11"
                + "000100 A00714 C27F19 700A22 977D19 CC0822 A00714 57F3A5 FFCF03")
        #expect(
            coloured.map { $0[0] } == [
                1_575_733, 1_957_739, 1_740_229, 1_761_644, 1_807_181, 1_489_480, 1_577_122, 1_822_779, 1_973_554,
                1_752_419, 1_569_544, 1_126_395, 256, 1_312_672, 1_671_106, 2_230_896, 1_670_551, 2_230_476, 1_312_672,
                -5_901_481, 249_855,
            ])
    }

    @Test func readsPulseIntervals() throws {
        let frame = try PMDFrame(bytes("03 0094357700000000 00 80 8080 8080 FF 00 0100 0100 00"))
        let intervals = try PMDPulseInterval.list(frame)
        #expect(intervals.map(\.heartRate) == [128, 0])
        #expect(intervals.map(\.interval) == [32896, 1])
        #expect(intervals.map(\.error) == [32896, 1])
        #expect(intervals.map(\.isBlocked) == [true, false])
        #expect(intervals.map(\.contact) == [true, nil])
    }

    @Test(
        arguments: [
            ("6400 CEFF E803 05 03 2378BF07001F", [100, -50, 1000, 103, -49, 998, 101, -54, 1001, 101, -54, 1000]),
            ("0100 FEFF 2C01 00 02", [1, -2, 300, 1, -2, 300, 1, -2, 300]),
            // Differences of one bit are 0 or -1.
            ("0100 0200 0300 01 02 35", [1, 2, 3, 0, 2, 2, 0, 1, 1]),
        ] as [(String, [Int32])])
    func addsUpDifferences(hex: String, values: [Int32]) throws {
        #expect(try PMDDeltas.decode(bytes(hex), channels: 3, referenceBytes: 2) == values)
    }

    @Test func differencesSurviveTheRoundTrip() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<500 {
            let channels = Int.random(in: 1...4, using: &random)
            let size = Int32(1) << Int32.random(in: 0...22, using: &random)
            let count = Int.random(in: 1...60, using: &random)
            let values = (0..<channels * count).map { _ in Int32.random(in: -size...size - 1, using: &random) }
            let encoded = PMDDeltas.encode(values, channels: channels, referenceBytes: 3)
            #expect(try PMDDeltas.decode(encoded, channels: channels, referenceBytes: 3) == values)
        }
    }

    @Test(arguments: [
        "", "6400 CEFF", "6400 CEFF E803 05", "6400 CEFF E803 05 03 2378BF0700", "6400 CEFF E803 21 01 00",
    ])
    func refusesDifferencesThatRunPastTheFrame(hex: String) {
        #expect(throws: PMDError.self) { try PMDDeltas.decode(bytes(hex), channels: 3, referenceBytes: 2) }
    }

    @Test(arguments: ["00", "00 0094357700000000", "00 0094357700000000 00", "00 0094357700000000 00 0102"])
    func refusesTruncatedFrames(hex: String) {
        #expect(throws: PMDError.self) { try PMDFrame(bytes(hex)).samples() }
    }

    @Test func readsSettings() throws {
        let settings = try PMDSettings(bytes("00 01 3400 01 01 1000 02 04 F500 F401 E803 D007 04 01 03"))
        #expect(
            settings.values == [
                .sampleRate: [52], .resolution: [16], .range: [245, 500, 1000, 2000], .channels: [3],
            ])
        #expect(settings.bytes == bytes("00 01 3400 01 01 1000 02 04 F500 F401 E803 D007 04 01 03"))
        #expect(try PMDSettings(bytes("05 01 0000803F")).factor == 1)
        #expect(throws: PMDError.self) { try PMDSettings(bytes("00 02 3400")) }
        #expect(throws: PMDError.self) { try PMDSettings(bytes("09 01 3400")) }
    }

    @Test func writesTheCommandsKnownFromOtherClients() throws {
        let ecg = PMDSettings([.sampleRate: [130], .resolution: [14]])
        #expect(PMDCommand.start(.ecg, ecg).bytes == bytes("02 00 00 01 82 00 01 01 0E 00"))
        let acceleration = PMDSettings([.sampleRate: [200], .resolution: [16], .range: [8]])
        #expect(
            PMDCommand.start(.acceleration, acceleration).bytes
                == bytes("02 02 00 01 C8 00 01 01 10 00 02 01 08 00"))
        let ppg = PMDSettings([.sampleRate: [55], .resolution: [22], .channels: [4]])
        #expect(PMDCommand.start(.ppg, ppg).bytes == bytes("02 01 00 01 37 00 01 01 16 00 04 01 04"))
        #expect(PMDCommand.start(.pulseIntervals, PMDSettings()).bytes == bytes("02 03"))
        #expect(PMDCommand.stop(.ecg).bytes == bytes("03 00"))
        #expect(PMDCommand.getSettings(.acceleration).bytes == bytes("01 02"))
    }

    @Test func readsAnswers() throws {
        guard case .reply(let success) = try PMDIndication(bytes("F0 01 02 00 00 FFFFFF")) else {
            Issue.record("not an answer")
            return
        }
        #expect(success.type == .acceleration && success.status == .success && !success.hasMore)
        #expect(success.parameters == [0xFF, 0xFF, 0xFF])
        guard case .reply(let failure) = try PMDIndication(bytes("F0 01 06 07 00")) else {
            Issue.record("not an answer")
            return
        }
        #expect(failure.type == .magnetometer && failure.status == .invalidResolution && failure.parameters.isEmpty)
        #expect(try PMDIndication(bytes("01 01 02")) == .stopped([.ppg, .acceleration]))
        guard case .reply(let short) = try PMDIndication(bytes("F0 03 00 00")) else {
            Issue.record("not an answer")
            return
        }
        #expect(short.status == .success && !short.hasMore)
    }

    @Test func readsFeatures() throws {
        #expect(PMDFeatures(bytes("0F 05 00"))?.types == [.ecg, .acceleration])
        #expect(PMDFeatures(bytes("0F 6F 02 00"))?.types.contains(.sdkMode) == true)
        #expect(PMDFeatures(bytes("0F")) == nil)
        #expect(PMDFeatures(bytes("0E 05 00")) == nil)
    }
}

@Suite struct PolarConversationTests {
    /// A conversation past its hand-shake, streaming ECG at 130 Hz.
    private func streaming() -> (PolarConversation, [ConversationAction]) {
        var conversation = PolarConversation(streams: [PolarStream(.ecg)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for answer in [
            "0F 05 00", "F0 01 00 00 00 00 01 82 00 01 01 0E 00", "F0 02 00 00 00 05 01 00 00 80 3F",
        ] {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        }
        return (conversation, actions)
    }

    private func frame(stamp: Seconds, _ first: Int, count: Int = 73) -> [UInt8] {
        var content: [UInt8] = []
        for value in first..<first + count {
            content += [UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(value >> 16 & 255)]
        }
        return PMDFrame(type: .ecg, timestamp: UInt64((stamp * 1e9).rounded()), content: content).bytes
    }

    private func sent(_ actions: [ConversationAction]) -> [[UInt8]] {
        actions.compactMap { if case .send(let bytes, _, _) = $0 { bytes } else { nil } }
    }

    private func blocks(_ actions: [ConversationAction]) -> [DeviceSamples] {
        actions.compactMap { if case .emit(.samples(let samples)) = $0 { samples } else { nil } }
    }

    private static let start = 599_616_000.0
    private static let period = 73 / 130.0

    /// What the conversation makes of frames with these stamps (seconds after the start) and arrivals.
    private func placed(_ frames: [(stamp: Seconds, arrival: Seconds)]) -> (
        blocks: [DeviceSamples], events: [DeviceEvent]
    ) {
        var (conversation, _) = streaming()
        var actions: [ConversationAction] = []
        for (index, frame) in frames.enumerated() {
            conversation.receive(
                self.frame(stamp: Self.start + frame.stamp, index * 1000), from: .characteristic(PMD.data),
                at: 1 + frame.arrival, into: &actions)
        }
        return (blocks(actions), actions.compactMap { if case .emit(let event) = $0 { event } else { nil } })
    }

    @Test func asksForFeaturesAndSettingsThenStarts() {
        let (_, actions) = streaming()
        #expect(sent(actions) == [bytes("01 00"), bytes("02 00 00 01 82 00 01 01 0E 00")])
        #expect(actions.contains(.subscribe(PMD.controlPoint, isRequired: true)))
        #expect(actions.contains(.emit(.ready)))
        let streams = actions.compactMap { if case .emit(.stream(let stream)) = $0 { stream } else { nil } }
        #expect(streams.map(\.id) == ["ecg"])
        #expect(streams.first?.header.sampleRate == 130)
        #expect(streams.first?.clock == .deviceTime)
    }

    @Test func joinsAnswersThatComeInParts() {
        var conversation = PolarConversation(streams: [PolarStream(.acceleration, sampleRate: 100)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for answer in [
            "0F 05 00", "F0 01 02 00 01 00 04 19 00 32",
            "F0 01 02 00 00 00 64 00 C8 00 01 01 10 00 02 03 02 00 04 00 08 00",
        ] {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        }
        #expect(sent(actions).last == bytes("02 02 00 01 64 00 01 01 10 00 02 01 08 00"))
    }

    @Test func framesFollowEachOtherByTheirStamps() {
        let result = placed((0..<10).map { (Double($0) * Self.period, Double($0) * Self.period) })
        #expect(result.blocks.map(\.index) == (0..<10).map { $0 * 73 })
        #expect(result.blocks.allSatisfy { !$0.restarted })
        let first = result.blocks[0].deviceTime!
        #expect(abs(first - (Self.start + PMD.epoch - 72 / 130.0)) < 1e-6)
        #expect(abs(result.blocks[9].deviceTime! - first - 9 * Self.period) < 1e-6)
    }

    @Test(arguments: [1, 2, 7, 60, 600])
    func lostFramesLeaveAGapOfTheirLength(lost: Int) {
        // The device's rate is half a per cent off its nominal one.
        let period = Self.period * 1.005
        let times =
            (0..<40).filter { $0 < 20 || $0 >= 20 + lost }.map { Double($0) * period }
            + (0..<20).map { Double(20 + lost + $0) * period }
        let result = placed(times.map { ($0, $0) })
        #expect(result.blocks[20].index == (20 + lost) * 73)
        #expect(!result.blocks[20].restarted)
    }

    @Test func stallsAreNotLosses() {
        // Frames 5…24 arrive together, 11 s late.
        let result = placed(
            (0..<40).map { (Double($0) * Self.period, Double((5..<25).contains($0) ? 25 : $0) * Self.period) })
        #expect(result.blocks.map(\.index) == (0..<40).map { $0 * 73 })
    }

    @Test(arguments: [200_000.0, -200_000, -5, 100])
    func aClockThatJumpsStartsAnewAndIsReported(jump: Seconds) {
        let result = placed(
            (0..<20).map { (Double($0) * Self.period + ($0 >= 10 ? jump : 0) + 200_000, Double($0) * Self.period) })
        #expect(result.blocks.count == 20)
        #expect(result.blocks.map(\.restarted) == (0..<20).map { $0 == 10 })
        #expect(result.blocks.map(\.index) == (0..<20).map { ($0 % 10) * 73 })
        let jumps = result.events.compactMap { if case .status(.clockJump("ecg", let by)) = $0 { by } else { nil } }
        #expect(jumps.count == 1 && abs(jumps[0] - jump) < 0.01)
    }

    @Test(arguments: [4.0, 4.02, 4.4, 4.6, 4.98, 5])
    func aClockThatStandsStillForAWhileLosesNothing(moment: Double) {
        let result = placed(
            (0..<20).map {
                ((5..<8).contains($0) ? moment * Self.period : Double($0) * Self.period, Double($0) * Self.period)
            })
        #expect(result.blocks.map(\.index) == (0..<20).map { $0 * 73 })
        #expect(result.blocks.allSatisfy { !$0.restarted })
    }

    @Test func framesThatComeTwiceOrTooLateAreLeftOut() {
        var (conversation, _) = streaming()
        var actions: [ConversationAction] = []
        for order in [0, 1, 1, 3, 2, 4] {
            conversation.receive(
                frame(stamp: Self.start + Double(order) * Self.period, order * 1000), from: .characteristic(PMD.data),
                at: 1 + Double(order) * Self.period, into: &actions)
        }
        #expect(blocks(actions).map(\.index) == [0, 73, 219, 292])
        let malformed = actions.filter { if case .emit(.malformed) = $0 { true } else { false } }
        #expect(malformed.count == 2)
    }

    @Test func framesOfAnUnknownLayoutAreToldOnceAndBreakNothing() {
        var (conversation, _) = streaming()
        var actions: [ConversationAction] = []
        let unknown = PMDFrame(type: .ecg, timestamp: 1, frameType: 3, content: Array(repeating: 0, count: 14)).bytes
        for message in [unknown, unknown, frame(stamp: Self.start, 7), unknown] {
            conversation.receive(message, from: .characteristic(PMD.data), at: 1, into: &actions)
        }
        let told = actions.compactMap { if case .emit(.failed(let failure)) = $0 { failure.description } else { nil } }
        #expect(told.count == 1 && told[0].contains("unsupported frame type 3 of ECG") && told[0].contains("--raw-log"))
        #expect(!actions.contains { if case .emit(.malformed) = $0 { true } else { false } })
        #expect(blocks(actions).count == 1)
    }

    @Test(arguments: [(0x80, 4, "ambient"), (0x87, 17, "status"), (0x8A, 21, "status")])
    func theChannelsOfPPGAreThoseOfItsFrames(layout: UInt8, channels: Int, last: String) {
        var conversation = PolarConversation(streams: [PolarStream(.ppg)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for answer in ["0F 02 00", "F0 01 01 00 00 00 01 3700 01 01 1600", "F0 02 01 00 00"] {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        }
        for stamp in [UInt64(599_616_000_000_000_000), 599_616_000_036_363_636] {
            let content = [UInt8](repeating: 1, count: channels * 3) + [0, 1]
            let frame = PMDFrame(
                type: .ppg, timestamp: stamp, isCompressed: true, frameType: layout & 0x7F, content: content)
            conversation.receive(frame.bytes, from: .characteristic(PMD.data), at: 1, into: &actions)
        }
        let streams = actions.compactMap { if case .emit(.stream(let stream)) = $0 { stream } else { nil } }
        #expect(streams.count == 1 && streams[0].header.sampleRate == 55)
        #expect(streams[0].header.channels.count == channels && streams[0].header.channels.last?.label == last)
        #expect(blocks(actions).map(\.block.channelCount) == [channels, channels])
    }

    @Test(arguments: [(13, true), (8, false), (77, false)])
    func aRefusalNamesItsReason(code: Int, isCharging: Bool) {
        var conversation = PolarConversation(streams: [PolarStream(.ecg)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        conversation.receive(bytes("0F 05 00"), from: .characteristic(PMD.controlPoint), at: 0, into: &actions)
        conversation.receive(
            [0xF0, 1, 0, UInt8(code)], from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        let failures = actions.compactMap { if case .emit(.failed(let failure)) = $0 { failure } else { nil } }
        #expect(failures.first?.code == String(code))
        #expect(actions.contains(.emit(.status(.charging(true)))) == isCharging)
    }

    @Test("a sensor that measures again is plugged in no longer", arguments: [false, true])
    func theChargerEnds(isReconnected: Bool) {
        var conversation = PolarConversation(streams: [PolarStream(.acceleration), PolarStream(.ecg)])
        var actions: [ConversationAction] = []
        var answers = ["0F 05 00", "F0 01 02 0D"]
        if isReconnected { answers += ["F0 01 00 0D"] }
        conversation.open(at: 0, into: &actions)
        for answer in answers {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        }
        var told: [Bool] {
            actions.compactMap { if case .emit(.status(.charging(let value))) = $0 { value } else { nil } }
        }
        #expect(told.last == true && !told.contains(false))
        answers = ["F0 01 00 00 00 00 01 82 00 01 01 0E 00", "F0 02 00 00 00"]
        if isReconnected {
            conversation.close(at: 5, into: &actions)
            conversation.open(at: 6, into: &actions)
            answers = ["0F 01 00"] + answers
        }
        for answer in answers {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 6.1, into: &actions)
        }
        #expect(told.last == false)
    }

    @Test func aMeasurementLeftRunningIsStoppedAndStartedAgain() {
        var conversation = PolarConversation(streams: [PolarStream(.ecg)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        for answer in [
            "0F 05 00", "F0 01 00 00 00 00 01 82 00 01 01 0E 00", "F0 02 00 06", "F0 03 00 00", "F0 02 00 00 00",
        ] {
            conversation.receive(bytes(answer), from: .characteristic(PMD.controlPoint), at: 0.1, into: &actions)
        }
        #expect(sent(actions).map(\.[0]) == [1, 2, 3, 2])
        #expect(actions.contains(.emit(.ready)))
    }

    @Test func unansweredCommandsAreRepeatedThenGivenUp() {
        var conversation = PolarConversation(streams: [PolarStream(.ecg)])
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        conversation.receive(bytes("0F 05 00"), from: .characteristic(PMD.controlPoint), at: 0, into: &actions)
        for moment in stride(from: 10.0, through: 30, by: 10) { conversation.wake(at: moment, into: &actions) }
        #expect(sent(actions) == [bytes("01 00"), bytes("01 00"), bytes("01 00")])
        #expect(
            actions.contains { if case .emit(.failed(let failure)) = $0 { failure.code == "timeout" } else { false } })
    }

    @Test func stopsItsMeasurementsBeforeItCloses() {
        var (conversation, _) = streaming()
        var actions: [ConversationAction] = []
        conversation.perform(.stop, at: 5, into: &actions)
        #expect(sent(actions) == [bytes("03 00")])
        #expect(!actions.contains(.close))
        conversation.receive(bytes("F0 03 00 00"), from: .characteristic(PMD.controlPoint), at: 5.1, into: &actions)
        #expect(Array(actions.suffix(2)) == [.emit(.finished), .close])
    }

    @Test func reportsMeasurementsTheDeviceStopsByItself() {
        var (conversation, _) = streaming()
        var actions: [ConversationAction] = []
        conversation.receive(bytes("01 00"), from: .characteristic(PMD.controlPoint), at: 5, into: &actions)
        #expect(
            actions.contains { if case .emit(.failed(let failure)) = $0 { failure.code == "stopped" } else { false } })
    }

    @Test(arguments: ["ecg", "ecg,acceleration:100", "ppi"])
    func streamsCanBeChosen(text: String) throws {
        let model = try #require(DeviceModel.named("polar"))
        _ = try model.conversation(["streams": text])
    }

    @Test(arguments: ["eeg", "ecg:0", "ecg:x", ""])
    func unknownStreamsAreRefused(text: String) throws {
        let model = try #require(DeviceModel.named("polar"))
        #expect(throws: DeviceFailure.self) { try model.conversation(["streams": text]) }
    }
}
