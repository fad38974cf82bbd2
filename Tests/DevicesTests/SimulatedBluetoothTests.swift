import Devices
import Signals
import Simulation
import TestSupport
import Testing

/// Checks what a conversation heard against what the device measured: every frame that was heard has the measured
/// values at its index, and every other one lies in a gap of the indices.
///
/// - Returns: frames heard and measured.
@discardableResult
func checkAgainstTruth(
    _ heard: [DeviceSamples], _ measured: [MeasuredSamples], sourceLocation: SourceLocation = #_sourceLocation
) -> (heard: Int, measured: Int) {
    var truth: [[Float]] = []
    for block in measured {
        #expect(block.index == truth.count, "the truth has no gaps", sourceLocation: sourceLocation)
        for frame in 0..<block.block.frameCount {
            truth.append(
                (0..<block.block.channelCount).map { block.block.samples[$0 * block.block.frameCount + frame] })
        }
    }
    var offset: Int?
    var end = 0
    var count = 0
    var wrong = 0
    for samples in heard {
        let block = samples.block
        let frames = (0..<block.frameCount).map { frame in
            (0..<block.channelCount).map { block.samples[$0 * block.frameCount + frame] }
        }
        func agrees(at place: Int) -> Bool {
            guard place >= end, place + frames.count <= truth.count else { return false }
            return frames.enumerated().allSatisfy { index, frame in
                zip(frame, truth[place + index]).allSatisfy { $0.isNaN || $0 == $1 }
            }
        }
        if samples.restarted || offset == nil {
            // Where a stream starts anew only its values tell.
            guard let place = (end..<max(end, truth.count)).first(where: agrees) else {
                wrong += 1
                continue
            }
            offset = place - samples.index
        }
        guard let offset, agrees(at: samples.index + offset) else {
            wrong += 1
            continue
        }
        end = samples.index + offset + block.frameCount
        count += block.frameCount
    }
    #expect(wrong == 0, "blocks that differ from what was measured", sourceLocation: sourceLocation)
    return (count, truth.count)
}

/// A session without streams of its own: the devices sample its rhythm.
func session(seed: UInt64 = 1, rate: Double = 70) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.rhythm.meanRate = rate
    return parameters
}

/// A headband that slips and is switched off and on.
var wornDevice: DeviceFaults {
    var device = DeviceFaults()
    device.clockDrift = -40
    device.contactLost = [30..<40]
    device.resets = [200]
    return device
}

/// A connection to a headband with everything that goes wrong on the air.
func badConnection(_ seed: UInt64) -> LinkFaults {
    var link = LinkFaults()
    link.seed = seed
    link.loss = 0.01
    link.duplication = 0.005
    link.reordering = 0.003
    link.garbage = 0.005
    link.delay = 0.01...0.04
    link.stalls = [60..<62, 140..<142.5]
    link.disconnects = [100]
    link.spared = [Muse.control]
    return link
}

@Suite struct SimulatedBluetoothTests {
    private func isContiguous(_ earlier: DeviceValue, _ later: DeviceValue) -> Bool {
        guard let first = earlier.deviceTime, let second = later.deviceTime else { return false }
        return second - first == later.values[0]
    }

    private func intervals(_ measured: [MeasuredSamples]) -> [Double] {
        measured.filter { $0.stream == "ibi" }.map { Double($0.block.samples[0]) }
    }

    @Test(arguments: [0.0, 50, -80])
    func theStrapsIntervalsArriveExactly(drift: Double) {
        var faults = DeviceFaults()
        faults.clockDrift = drift
        let parameters = session(seed: 3)
        var dialogue = Dialogue(HeartRateConversation(), HeartRateSimulator(parameters, faults: faults))
        dialogue.run(until: 600)
        let heard = dialogue.events.values("ibi")
        let truth = intervals(dialogue.measured)
        #expect(heard.map { $0.values[0] } == truth)
        #expect(zip(heard, heard.dropFirst()).allSatisfy { isContiguous($0, $1) })
        // Against the rhythm itself: within a step of the clock, and no error that adds up.
        let beats = HeartRhythm(parameters.rhythm, seed: parameters.seed).prefix(truth.count + 1).map(\.onset)
        #expect(abs(truth.reduce(0, +) - (beats.last! - beats[0]) * (1 + drift * 1e-6)) < 2.0 / 1024)
        for (index, interval) in truth.enumerated() {
            #expect(abs(interval - (beats[index + 1] - beats[index]) * (1 + drift * 1e-6)) <= 1.0 / 1024)
        }
    }

    @Test func lostNotificationsNeverJoinBeatsAcrossALongGap() {
        var faults = LinkFaults()
        faults.loss = 0.05
        faults.stalls = [100..<108]
        faults.disconnects = [200, 300]
        let simulator = FaultInjector(HeartRateSimulator(session(seed: 4)), faults)
        var dialogue = Dialogue(HeartRateConversation(), simulator)
        dialogue.reconnectsAfter = 7
        dialogue.run(until: 900)
        let truth = intervals(dialogue.measured)
        let heard = dialogue.events.values("ibi")
        #expect(dialogue.connections == 3)
        #expect(heard.count > truth.count * 8 / 10)
        // What was heard is a part of the truth, in its order.
        var place = 0
        for value in heard {
            while place < truth.count, truth[place] != value.values[0] { place += 1 }
            place += 1
        }
        #expect(place <= truth.count)
        let breaks = zip(heard, heard.dropFirst()).filter { !isContiguous($0, $1) }.count
        #expect(breaks >= 2)
    }

    @Test func contactThatIsLostIsTold() {
        var faults = DeviceFaults()
        faults.contactLost = [60..<90]
        var dialogue = Dialogue(HeartRateConversation(), HeartRateSimulator(session(), faults: faults))
        dialogue.run(until: 120)
        let contacts = dialogue.events.statuses.compactMap {
            if case .contact(let contact) = $0 { contact } else { nil }
        }
        #expect(contacts == [true, false, true])
        let heard = dialogue.events.values("ibi")
        #expect(zip(heard, heard.dropFirst()).filter { !isContiguous($0, $1) }.count == 1)
    }

    @Test func aBatteryThatDiesEndsTheConnection() {
        var faults = DeviceFaults()
        faults.battery = 0.5
        faults.batteryLife = 400
        var dialogue = Dialogue(HeartRateConversation(), HeartRateSimulator(session(), faults: faults))
        dialogue.reconnectsAfter = 5
        dialogue.run(until: 230)
        let levels = dialogue.events.statuses.compactMap { if case .battery(let level) = $0 { level } else { nil } }
        #expect(levels.first == 0.5)
        #expect(levels == levels.sorted(by: >))
        #expect(levels.last! < 0.1)
        #expect(dialogue.connections > 1)
    }

    @Test func theStrapRefusesWhatItsControlPointDoesNotKnow() {
        var simulator = HeartRateSimulator(session())
        var actions: [SimulatorAction] = []
        simulator.connect(at: 0, into: &actions)
        let point = Endpoint.characteristic(HeartRateControlPoint.characteristic)
        simulator.receive([1], at: point, at: 1, into: &actions)
        #expect(actions.isEmpty)
        simulator.receive([2], at: point, at: 1, into: &actions)
        #expect(actions == [.refuse(point, code: 0x80)])
    }

    @Test(arguments: [0.0, 50])
    func everySampleOfAnUndisturbedH10Arrives(drift: Double) throws {
        var faults = DeviceFaults()
        faults.clockDrift = drift
        var dialogue = Dialogue(
            PolarConversation(streams: [PolarStream(.ecg), PolarStream(.acceleration, sampleRate: 200)]),
            PolarSimulator(session(), faults: faults))
        dialogue.run(until: 120)
        for stream in ["ecg", "acceleration"] {
            let measured = dialogue.measured.filter { $0.stream == stream }
            let heard = dialogue.events.samples(stream)
            let counts = checkAgainstTruth(heard, measured)
            #expect(counts.heard == counts.measured && counts.heard > 100 * 130)
            // Times on the device's clock agree with true time to the microsecond, but for its drift.
            for (samples, truth) in zip(heard, measured) {
                let expected = 599_616_000 + PMD.epoch + truth.time * (1 + drift * 1e-6)
                #expect(abs(try #require(samples.deviceTime) - expected) < (samples.index == 0 ? 1e-4 : 2e-6))
            }
        }
        #expect(dialogue.events.values("ibi").count > 120)
        #expect(dialogue.events.malformed.isEmpty && dialogue.events.failures.isEmpty)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noSampleOfAnH10GoesAstrayBehindABadConnection(seed: UInt64) {
        var device = DeviceFaults()
        device.clockDrift = 50
        device.clockJumps = [.init(at: 150, by: 200_000), .init(at: 350, by: -200_000)]
        device.resets = [450]
        var link = LinkFaults()
        link.seed = seed
        link.loss = 0.03
        link.duplication = 0.01
        link.reordering = 0.01
        link.reorderingDelay = 1
        link.garbage = 0.01
        link.delay = 0.005...0.04
        link.stalls = [50..<53, 400..<410]
        link.disconnects = [300]
        var dialogue = Dialogue(PolarConversation(), FaultInjector(PolarSimulator(session(), faults: device), link))
        dialogue.reconnectsAfter = 5
        dialogue.run(until: 600)
        #expect(dialogue.connections == 3)
        for stream in ["ecg", "acceleration"] {
            let counts = checkAgainstTruth(
                dialogue.events.samples(stream), dialogue.measured.filter { $0.stream == stream })
            #expect(counts.heard > counts.measured * 85 / 100)
        }
        let jumps = dialogue.events.statuses.filter { if case .clockJump("ecg", _) = $0 { true } else { false } }
        #expect(jumps.count >= 2 && jumps.count <= 6)
    }

    @Test(arguments: [0.0, 0.13, 0.29, 0.41])
    func stampsThatStandStillLoseNothing(phase: Double) {
        var device = DeviceFaults()
        device.frozenStamps = [20 + phase..<22 + phase, 40 + phase..<47 + phase]
        var dialogue = Dialogue(
            PolarConversation(streams: [PolarStream(.ecg)]), PolarSimulator(session(), faults: device))
        dialogue.run(until: 90)
        let heard = dialogue.events.samples("ecg")
        let counts = checkAgainstTruth(heard, dialogue.measured.filter { $0.stream == "ecg" })
        #expect(counts.heard == counts.measured)
        #expect(heard.allSatisfy { !$0.restarted })
    }

    @Test func theH10RefusesAsTheRealOneDoes() throws {
        var simulator = PolarSimulator(session())
        var actions: [SimulatorAction] = []
        simulator.connect(at: 0, into: &actions)
        let point = Endpoint.characteristic(PMD.controlPoint)
        simulator.receive(bytes("01 00"), at: point, at: 0, into: &actions)
        #expect(actions == [.refuse(point, code: 0xFD)])
        simulator.subscribe(PMD.controlPoint, at: 0, into: &actions)
        simulator.subscribe(PMD.data, at: 0, into: &actions)
        let answers: [(String, String)] = [
            ("01 00", "F0 01 00 00 00 00 01 82 00 01 01 0E 00"), ("01 01", "F0 01 01 03"), ("01", "F0 01 FF 04"),
            ("02 00 00 01 83 00 01 01 0E 00", "F0 02 00 08"), ("02 00 00 01 82 00", "F0 02 00 05"),
            ("02 00 00 01 82 00 01 01 0F 00", "F0 02 00 07"), ("03 00", "F0 03 00 06"), ("0A 00", "F0 0A FF 01"),
            ("02 02 00 01 C8 00 01 01 10 00 02 01 05 00", "F0 02 02 09"),
            ("02 00 00 01 82 00 01 01 0E 00", "F0 02 00 00 00"), ("02 00 00 01 82 00 01 01 0E 00", "F0 02 00 06"),
            ("05", "F0 05 FF 00 00 02 40"), ("03 00", "F0 03 00 00 00"),
        ]
        for (command, answer) in answers {
            actions = []
            simulator.receive(bytes(command), at: point, at: 1, into: &actions)
            #expect(actions == [.send(bytes(answer), from: point)], "\(command)")
        }
    }

    @Test(arguments: [UInt16(0), 65_000])
    func everySampleOfAnUndisturbedMuseArrives(firstCounter: UInt16) {
        var dialogue = Dialogue(
            MuseConversation(preset: "p51"), MuseSimulator(session(), firstCounter: firstCounter))
        dialogue.run(until: 120)
        for (stream, rate) in [("eeg", 256), ("ppg", 64), ("acceleration", 52), ("gyroscope", 52)] {
            let counts = checkAgainstTruth(
                dialogue.events.samples(stream), dialogue.measured.filter { $0.stream == stream })
            #expect(counts.heard == counts.measured && counts.heard > 119 * rate, "\(stream)")
        }
        #expect(dialogue.events.malformed.isEmpty && dialogue.events.failures.isEmpty)
        #expect(dialogue.events.values("battery").count >= 11)
        #expect(dialogue.events.contains(.status(.battery(0.9))))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noSampleOfAMuseGoesAstrayBehindABadConnection(seed: UInt64) {
        var dialogue = Dialogue(
            MuseConversation(preset: "p51"),
            FaultInjector(MuseSimulator(session(), faults: wornDevice, firstCounter: 65_000), badConnection(seed)))
        dialogue.reconnectsAfter = 4
        dialogue.run(until: 300)
        #expect(dialogue.connections >= 3)
        for stream in ["eeg", "ppg", "acceleration", "gyroscope"] {
            let counts = checkAgainstTruth(
                dialogue.events.samples(stream), dialogue.measured.filter { $0.stream == stream })
            #expect(counts.heard > counts.measured * 90 / 100, "\(stream)")
        }
    }

    @Test func theKardiaBoardsAmplitudesArrive() {
        var dialogue = Dialogue(KardiaConversation(), KardiaSimulator(session()))
        dialogue.run(until: 60)
        dialogue.end()
        let truth = dialogue.measured.map { $0.block.samples[0] }
        #expect(dialogue.events.samples("ecg").flatMap { $0.block.channel(0) } == truth)
        let beats = HeartRhythm(session().rhythm, seed: 1).prefix { $0.onset < 59.9 }.count
        #expect(abs(truth.filter { $0 == 7 }.count - beats) <= 1)
    }

    @Test func theSameSeedGivesTheSameFaults() {
        func run(seed: UInt64) -> [DeviceEvent] {
            var link = LinkFaults()
            link.seed = seed
            link.loss = 0.1
            link.duplication = 0.1
            link.reordering = 0.1
            link.disconnectsPerHour = 120
            link.spared = [Muse.control]
            var dialogue = Dialogue(MuseConversation(), FaultInjector(MuseSimulator(session()), link))
            dialogue.reconnectsAfter = 2
            dialogue.run(until: 60)
            return dialogue.events
        }
        // Values that are missing are equal here.
        func digest(_ events: [DeviceEvent]) -> [String] {
            events.map { event in
                switch event {
                case .samples(let samples): "\(samples.stream) \(samples.index) \(samples.block.samples)"
                case .malformed(let message): "\(message.place) \(message.problem) \(message.bytes)"
                default: ""
                }
            }
        }
        let first = digest(run(seed: 5))
        #expect(first == digest(run(seed: 5)))
        #expect(first != digest(run(seed: 6)))
    }

    @Test(arguments: DeviceModel.all)
    func everyModelsSimulatorIsRecognisedAndTalksToItsConversation(model: DeviceModel) throws {
        guard case .bluetooth = model.transport, let make = model.simulator else { return }
        let simulator = make(session(), DeviceFaults())
        let profile = try #require(simulator.profile)
        let found = DeviceModel.recognised(name: profile.name, services: Set(profile.advertised))
        // An Athena advertises itself as the headbands before it do.
        #expect(found?.id == (model.id == "muse-athena" ? "muse" : model.id))
    }
}
