import Devices
import Signals
import TestSupport
import Testing

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
