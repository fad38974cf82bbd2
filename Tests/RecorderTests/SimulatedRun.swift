import Devices
import Formats
import Foundation
import Recorder
import Signals

/// A simulated device recorded in virtual time, from its bytes to the file.
struct SimulatedRun<C: Conversation, S: DeviceSimulator> {
    /// The recording's bytes.
    private(set) var bytes: [UInt8] = []
    /// What the device measured.
    private(set) var measured: [MeasuredSamples] = []
    /// Messages that broke the protocol.
    private(set) var malformed = 0
    private var assembler = RecordingAssembler(
        .init(start: Timestamp(secondsSince1970: 1_790_000_000), software: "test 1"))
    private var events: [RecordingEvent] = []
    private var conversation: C
    private var simulator: S
    private var now: Seconds = 0
    private var isOpen = false
    private var wakesAt: Seconds?
    private var opensAt: Seconds? = 0

    init(_ conversation: C, _ simulator: S, until end: Seconds) {
        (self.conversation, self.simulator) = (conversation, simulator)
        while let next = [opensAt, wakesAt, self.simulator.due].compactMap({ $0 }).min(), next <= end {
            now = max(now, next)
            if let moment = opensAt, moment <= now {
                open()
            } else if let moment = wakesAt, moment <= now {
                wakesAt = nil
                perform { $0.wake(at: $1, into: &$2) }
            } else {
                answer { $0.advance(to: $1, into: &$2) }
            }
            bytes += assembler.bytes(at: now)
        }
        bytes += assembler.finish()
    }

    private mutating func open() {
        (isOpen, opensAt) = (true, nil)
        answer { $0.connect(at: $1, into: &$2) }
        perform { $0.open(at: $1, into: &$2) }
    }

    private mutating func close() {
        guard isOpen else { return }
        (isOpen, wakesAt, opensAt) = (false, nil, now + 0.5)
        simulator.disconnect(at: now)
        perform { $0.close(at: $1, into: &$2) }
        assembler.interrupt("device", .deviceLost, at: now)
    }

    private mutating func perform(_ say: (inout C, Seconds, inout [ConversationAction]) -> Void) {
        var actions: [ConversationAction] = []
        say(&conversation, now, &actions)
        for action in actions {
            switch action {
            case .emit(let event):
                if case .malformed = event { malformed += 1 }
                assembler.take(event, from: "device", at: now, into: &events)
            case .wake(let moment): wakesAt = moment
            case .send(let bytes, let endpoint, _): answer { $0.receive(bytes, at: endpoint, at: $1, into: &$2) }
            case .subscribe(let uuid, _): answer { $0.subscribe(uuid, at: $1, into: &$2) }
            case .read(let uuid): answer { $0.read(uuid, at: $1, into: &$2) }
            case .close: close()
            }
        }
    }

    private mutating func answer(_ ask: (inout S, Seconds, inout [SimulatorAction]) -> Void) {
        var actions: [SimulatorAction] = []
        ask(&simulator, now, &actions)
        for action in actions {
            switch action {
            case .measured(let samples): measured.append(samples)
            case .send(let bytes, let endpoint):
                if isOpen { perform { $0.receive(bytes, from: endpoint, at: $1, into: &$2) } }
            case .close: close()
            case .refuse: break
            }
        }
    }

    /// What was measured of each stream's clock, in the order of the streams.
    var clocks: [ClockReport] { assembler.clocks }

    /// When each frame of a stream was measured.
    func times(of stream: String) -> [Seconds] {
        measured.filter { $0.stream == stream }.flatMap { block in
            (0..<block.block.frameCount).map { block.time + (block.rate > 0 ? Double($0) / block.rate : 0) }
        }
    }
}
