import Devices
import Formats
import Signals

/// A conversation and a simulator joined in virtual time, without a transport between them.
struct Dialogue<C: Conversation, S: DeviceSimulator> {
    var conversation: C
    var simulator: S
    /// What the conversation said, with the moment.
    private(set) var events: [DeviceEvent] = []
    /// The truth the simulator told.
    private(set) var measured: [MeasuredSamples] = []
    /// Bytes the conversation sent.
    private(set) var sent: [[UInt8]] = []
    /// What happened on the way between the two, as a raw log has it.
    private(set) var log: [ByteLogEntry] = []
    /// Whether the conversation asked for the end.
    private(set) var hasClosed = false
    /// Writes and reads the simulator refused, with the error's code.
    private(set) var refusals: [(endpoint: Endpoint, code: UInt8)] = []
    private(set) var connections = 0
    /// Seconds until a broken connection is made anew; nil: it stays broken.
    var reconnectsAfter: Seconds?
    /// Cuts what is sent to the conversation.
    var cut: ([UInt8]) -> [[UInt8]] = { [$0] }
    private var isOpen = false
    private var opensAt: Seconds?
    private var wakesAt: Seconds?
    private(set) var now: Seconds = 0
    /// Bytes under way in order, nil for the end; told apart by the connection they belong to.
    private var underWay: [(direction: Direction, bytes: [UInt8]?, endpoint: Endpoint, connection: Int)] = []
    private var isDelivering = false

    private enum Direction {
        case toConversation, write, read, subscribe
    }

    init(_ conversation: C, _ simulator: S) {
        self.conversation = conversation
        self.simulator = simulator
        opensAt = 0
    }

    mutating func run(until end: Seconds) {
        while let next = [opensAt, wakesAt, simulator.due].compactMap({ $0 }).min(), next <= end {
            now = max(now, next)
            if let moment = opensAt, moment <= now {
                opensAt = nil
                open()
            } else if let moment = wakesAt, moment <= now {
                wakesAt = nil
                var actions: [ConversationAction] = []
                conversation.wake(at: now, into: &actions)
                perform(actions)
            } else {
                var actions: [SimulatorAction] = []
                simulator.advance(to: now, into: &actions)
                perform(actions)
            }
        }
        now = end
    }

    mutating func ask(_ request: DeviceRequest) {
        var actions: [ConversationAction] = []
        conversation.perform(request, at: now, into: &actions)
        perform(actions)
    }

    mutating func end() {
        guard isOpen else { return }
        isOpen = false
        log.append(ByteLogEntry(.closed(nil), at: now))
        wakesAt = nil
        var actions: [ConversationAction] = []
        conversation.close(at: now, into: &actions)
        for case .emit(let event) in actions { events.append(event) }
        simulator.disconnect(at: now)
    }

    private mutating func open() {
        isOpen = true
        log.append(ByteLogEntry(.opened, at: now))
        connections += 1
        var answers: [SimulatorAction] = []
        simulator.connect(at: now, into: &answers)
        var actions: [ConversationAction] = []
        conversation.open(at: now, into: &actions)
        perform(actions)
        perform(answers)
    }

    private mutating func perform(_ actions: [ConversationAction]) {
        for action in actions {
            switch action {
            case .emit(let event): events.append(event)
            case .send(let bytes, let endpoint, _):
                sent.append(bytes)
                log.append(ByteLogEntry(.sent(bytes, to: endpoint), at: now))
                underWay.append((.write, bytes, endpoint, connections))
            case .wake(let moment): wakesAt = moment
            case .close:
                hasClosed = true
                end()
            case .subscribe(let uuid, _):
                log.append(ByteLogEntry(.subscribed(uuid), at: now))
                underWay.append((.subscribe, [], .characteristic(uuid), connections))
            case .read(let uuid):
                log.append(ByteLogEntry(.asked(uuid), at: now))
                underWay.append((.read, [], .characteristic(uuid), connections))
            }
        }
        deliver()
    }

    private mutating func perform(_ actions: [SimulatorAction]) {
        for action in actions {
            switch action {
            case .measured(let samples): measured.append(samples)
            case .send(let bytes, let endpoint):
                for part in cut(bytes) { underWay.append((.toConversation, part, endpoint, connections)) }
            case .refuse(let endpoint, let code): refusals.append((endpoint, code))
            case .close: underWay.append((.toConversation, nil, .stream, connections))
            }
        }
        deliver()
    }

    private mutating func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        while !underWay.isEmpty {
            let message = underWay.removeFirst()
            guard isOpen, message.connection == connections else { continue }
            guard let bytes = message.bytes else {
                end()
                opensAt = hasClosed ? nil : reconnectsAfter.map { now + $0 }
                continue
            }
            guard message.direction != .toConversation else {
                log.append(ByteLogEntry(.received(bytes, from: message.endpoint), at: now))
                var actions: [ConversationAction] = []
                conversation.receive(bytes, from: message.endpoint, at: now, into: &actions)
                perform(actions)
                continue
            }
            var answers: [SimulatorAction] = []
            switch (message.direction, message.endpoint) {
            case (.read, .characteristic(let uuid)): simulator.read(uuid, at: now, into: &answers)
            case (.subscribe, .characteristic(let uuid)): simulator.subscribe(uuid, at: now, into: &answers)
            default: simulator.receive(bytes, at: message.endpoint, at: now, into: &answers)
            }
            perform(answers)
        }
        isDelivering = false
    }
}

extension Array where Element == DeviceEvent {
    var streams: [DeviceStream] { compactMap { if case .stream(let stream) = $0 { stream } else { nil } } }
    var failures: [DeviceFailure] { compactMap { if case .failed(let failure) = $0 { failure } else { nil } } }
    var malformed: [MalformedMessage] { compactMap { if case .malformed(let message) = $0 { message } else { nil } } }
    var statuses: [DeviceStatus] { compactMap { if case .status(let status) = $0 { status } else { nil } } }
    var logs: [String] { compactMap { if case .log(let text) = $0 { text } else { nil } } }
    /// The log and table of the script that ran.
    var scriptRun: MethodSCRIPTRun {
        var run = MethodSCRIPTRun(family: .emStatPico)
        for case .script(let output) in self { run.add(output, at: 0) }
        return run
    }
    var markers: [String] { compactMap { if case .marker(let label, _, _) = $0 { label } else { nil } } }

    func samples(_ stream: String) -> [DeviceSamples] {
        compactMap { if case .samples(let samples) = $0, samples.stream == stream { samples } else { nil } }
    }

    func values(_ stream: String) -> [DeviceValue] {
        compactMap { if case .values(stream, let values) = $0 { values } else { nil } }.flatMap { $0 }
    }
}

/// Everything a conversation says to bytes that arrive in these pieces.
/// - Parameter moments: when each arrives, in seconds; nil: all at 1.
func events<C: Conversation>(
    _ conversation: C, _ pieces: [[UInt8]], from endpoint: Endpoint = .stream, at moments: [Seconds]? = nil
) -> [DeviceEvent] {
    var conversation = conversation
    var actions: [ConversationAction] = []
    conversation.open(at: 0, into: &actions)
    for (index, piece) in pieces.enumerated() {
        conversation.receive(piece, from: endpoint, at: moments?[index] ?? 1, into: &actions)
    }
    conversation.close(at: (moments?.last ?? 1) + 1, into: &actions)
    return actions.compactMap { if case .emit(let event) = $0 { event } else { nil } }
}

/// Bytes cut into random pieces.
func pieces(of bytes: [UInt8], using generator: inout some RandomNumberGenerator, upTo largest: Int = 40) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...largest, using: &generator))
        pieces.append(Array(bytes[start..<end]))
        start = end
    }
    return pieces
}

/// Bytes with some of them changed, removed, doubled or inserted.
func mutated(_ bytes: [UInt8], using generator: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 4: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 8)], at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...16, using: &generator)))
        }
    }
    return bytes
}
