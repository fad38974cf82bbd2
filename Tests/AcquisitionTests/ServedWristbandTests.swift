import Devices
import Formats
import Recorder
import Signals
import Simulation
import Testing

/// A simulated wristband behind its server, recorded in virtual time.
@Suite struct ServedWristbandTests {
    private struct Session {
        var conversation: any Conversation
        var simulator: any DeviceSimulator
        var assembler = RecordingAssembler(XDFRecordingEncoder.File(start: nil, software: "test"))
        var events: [RecordingEvent] = []
        var truth: [MeasuredSamples] = []

        init(_ faults: DeviceFaults, for duration: Seconds) throws {
            let model = try #require(DeviceModel.named("empatica-e4"))
            let make = try #require(model.simulator)
            simulator = make(SimulationParameters(), faults)
            conversation = try model.conversation(DeviceOptions())
            var answers: [SimulatorAction] = []
            simulator.connect(at: 0, into: &answers)
            var said: [ConversationAction] = []
            conversation.open(at: 0, into: &said)
            obey(said, at: 0)
            while let due = simulator.due, due <= duration {
                var sent: [SimulatorAction] = []
                simulator.advance(to: due, into: &sent)
                hear(sent, at: due)
            }
        }

        private mutating func hear(_ sent: [SimulatorAction], at moment: Seconds) {
            for action in sent {
                switch action {
                case .measured(let samples): truth.append(samples)
                case .send(let bytes, let endpoint):
                    var said: [ConversationAction] = []
                    conversation.receive(bytes, from: endpoint, at: moment, into: &said)
                    obey(said, at: moment)
                default: break
                }
            }
        }

        private mutating func obey(_ said: [ConversationAction], at moment: Seconds) {
            for action in said {
                switch action {
                case .emit(let event): assembler.take(event, from: "wrist", at: moment, into: &events)
                case .send(let bytes, let endpoint, _):
                    var answers: [SimulatorAction] = []
                    simulator.receive(bytes, at: endpoint, at: moment, into: &answers)
                    hear(answers, at: moment)
                default: break
                }
            }
        }

        /// A frame or value: when it was, and its first channel.
        struct Row {
            var time: Seconds
            var value: Float
        }

        /// What was recorded of a stream, and the beginnings of its segments.
        func recorded(_ id: String) throws -> (rows: [Row], segments: [SegmentStart]) {
            let stream = try #require(assembler.stream(id, of: "wrist"))
            let rate = assembler.header.streams[stream].sampleRate
            var rows: [Row] = []
            var segments: [SegmentStart] = []
            var count = 0
            for event in events {
                switch event {
                case .segment(stream, let start):
                    segments.append(start)
                    count = 0
                case .samples(stream, let block):
                    for value in block.channel(0) {
                        let time = (segments.last?.onset ?? .nan) + Double(count) / rate
                        if !value.isNaN { rows.append(Row(time: time, value: value)) }
                        count += 1
                    }
                case .values(stream, let values):
                    rows += values.map { Row(time: $0.onset, value: Float($0.values[0])) }
                default: break
                }
            }
            return (rows, segments)
        }

        /// What the wristband measured of a stream, and when.
        func measured(_ id: String) -> [Row] {
            truth.filter { $0.stream == id }.flatMap { samples in
                samples.block.channel(0).enumerated().map { place, value in
                    Row(time: samples.time + (samples.rate > 0 ? Double(place) / samples.rate : 0), value: value)
                }
            }
        }
    }

    /// A clock that goes 50 ppm fast and is set far and near, forward and back.
    private static let setClock: DeviceFaults = {
        var faults = DeviceFaults()
        faults.clockDrift = 50
        faults.clockJumps = [(10, 200_000.0), (30, -200_000), (50, 30), (70, -30), (90, 5), (110, -5)].map {
            DeviceFaults.ClockJump(at: $0, by: $1)
        }
        return faults
    }()

    @Test(
        "a clock that is set costs no frame, and times stay true",
        arguments: ["acceleration", "bvp", "eda", "temperature"])
    func framesOfAClockThatIsSet(stream: String) throws {
        let session = try Session(Self.setClock, for: 130)
        let (rows, segments) = try session.recorded(stream)
        let truth = session.measured(stream)
        #expect(rows.map(\.value) == truth.map(\.value))
        #expect(segments.count == 7 && segments.dropFirst().allSatisfy { $0.gap != nil })
        // What is sampled four times a second is late by its first message's delay. Frames go on at their nominal rate, by
        // which a fast clock is late at last.
        let offset = try #require(rows.first).time - #require(truth.first).time
        let errors = zip(rows, truth).map { abs($0.time - $1.time - offset) - 50e-6 * $1.time }
        #expect(try #require(errors.max()) < 0.001)
    }

    @Test func beatsOfAClockThatIsSetStayInPlace() throws {
        let session = try Session(Self.setClock, for: 130)
        let rows = try session.recorded("ibi").rows
        let truth = session.measured("ibi")
        #expect(rows.map(\.value) == truth.map(\.value) && rows.count > 90)
        let errors = zip(rows, truth).map { abs($0.time - $1.time) }
        #expect(try #require(errors.max()) < 0.001)
    }

    @Test func aPressOfTheButtonIsAMarkerAtItsMoment() throws {
        var faults = Self.setClock
        // One just before its clock is set, one just after.
        faults.tags = [3.21, 29.95, 30.05, 71.5]
        let markers = try Session(faults, for: 130).events.compactMap { event -> Marker? in
            if case .marker(let marker) = event { marker } else { nil }
        }
        #expect(markers.map(\.label) == ["tag", "tag", "tag", "tag"])
        #expect(markers.allSatisfy { $0.stream == "wrist" })
        for (marker, press) in zip(markers, faults.tags) { #expect(abs(marker.onset - press) < 0.001) }
    }
}
