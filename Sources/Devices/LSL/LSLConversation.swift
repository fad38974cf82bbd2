public import Signals

/// Turns what an LSL inlet gives into events. The sender's stamps, corrected by the offset the library measures, are
/// on this host's monotonic clock.
public struct LSLConversation: Conversation {
    private var info: LSLStreamInfo?
    private var announced: StreamHeader?
    private var frames: LSLFrames?
    /// Whether it was said that the sender keeps another rate than it declares.
    private var hasToldPace = false
    private var correction: Seconds = 0
    /// Whether it was said that stamps lie far from now.
    private var hasComplained = false
    /// Stamps farther from when they come than any sender holds samples back, in seconds, are of another clock.
    private static let farthest: Seconds = 600
    /// Clocks of devices differ by less than this share, as do rates that are told from the stamps of a minute.
    private static let mostDrift = 0.0003

    /// A conversation with any stream.
    public init() {}

    /// Streams of markers and the like come when something happens; those with a rate say so when they are declared.
    public var speaksUnasked: Bool { false }

    /// Waits for the stream's description, which the link hands out first.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        hand(&actions) { $0.restart(into: &$1) }
    }

    /// Takes one message of an `LSLConnector`'s link.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        do throws(MalformedMessage) {
            switch try LSLMessage(bytes) {
            case .info(let info): begin(info, &actions)
            case .rivals(let others): tell(others, &actions)
            case .correction(let offset): if offset.isFinite { correction = offset }
            case .chunk(let stamps, let values):
                judge(stamps.first, at: moment, &actions)
                take(stamps, values, bytes, &actions)
            case .text(let texts, let stamp):
                judge(stamp, at: moment, &actions)
                actions.emit(
                    .marker(label: texts.joined(separator: ", "), deviceTime: stamp + correction, isHostTime: true))
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    /// Nothing is ever asked to be woken for.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}

    /// Leaves the stream; it cannot be paused.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop, .abort:
            actions.emit(.finished)
            actions.append(.close)
        case .pause, .resume: actions.emit(.log("an LSL stream cannot be paused"))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
    }

    /// Hands out what was held back.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        hand(&actions) { $0.settle(into: &$1) }
    }

    private mutating func begin(_ info: LSLStreamInfo, _ actions: inout [ConversationAction]) {
        guard !info.channels.isEmpty, info.channels.count <= 4_096, (0...1e6).contains(info.sampleRate) else {
            return actions.emit(
                .failed(DeviceFailure(description: "The LSL stream \(info.name) has no possible rate or channels.")))
        }
        if let known = self.info, known.sourceID != info.sourceID {
            actions.emit(
                .log(
                    "another sender of this name goes on: source \(Self.shown(info)) in place of \(Self.shown(known))"))
        }
        self.info = info
        var identity = DeviceIdentity()
        identity.name = info.name
        identity.model = info.type
        identity.serialNumber = info.sourceID
        identity.details = ["host": info.host]
        actions.emit(.identity(identity))
        let stream = DeviceStream(info)
        let header = stream.header
        // A sender that comes back with other channels or another rate is another stream.
        if !info.isText, announced != header {
            hand(&actions) { $0.settle(into: &$1) }
            announced = header
            hasToldPace = false
            actions.emit(.stream(stream))
            frames =
                info.sampleRate > 0
                ? LSLFrames(stream: info.name, rate: info.sampleRate, isDouble: stream.isDouble) : nil
        }
        actions.emit(.ready)
    }

    /// Says once where stamps are not of the clock of the Lab Streaming Layer: what is recorded lies where they say.
    private mutating func judge(_ stamp: Double?, at moment: Seconds, _ actions: inout [ConversationAction]) {
        guard !hasComplained, let stamp, abs(stamp + correction - moment) > Self.farthest else { return }
        hasComplained = true
        let distance = Int(min((stamp + correction - moment).magnitude, 1e15).rounded())
        actions.emit(
            .log(
                "its stamps lie \(distance) s from now: they are not lsl_local_clock's, or of a log; what it sends is "
                    + "recorded at their times, far from everything else"))
    }

    private func tell(_ others: [LSLStreamInfo], _ actions: inout [ConversationAction]) {
        guard let info, !others.isEmpty else { return }
        let list = others.prefix(5).map { "\(Self.shown($0)) on \($0.host)" }.joined(separator: ", ")
        actions.emit(
            .log(
                "of several streams that fit, source \(Self.shown(info)) on \(info.host) is recorded, not \(list); "
                    + "lsl@source_id:ID says which"))
    }

    private static func shown(_ info: LSLStreamInfo) -> String { info.sourceID.isEmpty ? "without id" : info.sourceID }

    private mutating func take(
        _ stamps: [Double], _ values: [Double], _ bytes: [UInt8], _ actions: inout [ConversationAction]
    ) {
        guard let info, !info.isText, let id = announced?.name, values.count == stamps.count * info.channels.count
        else {
            return actions.emit(
                .malformed(
                    MalformedMessage(place: "LSL chunk", problem: "it does not fit the stream", bytes: bytes)))
        }
        let width = info.channels.count
        if frames == nil {
            let rows = stamps.indices.map { row in
                DeviceValue(Array(values[row * width..<(row + 1) * width]), deviceTime: stamps[row] + correction)
            }
            if !rows.isEmpty { actions.emit(.values(stream: id, rows)) }
            return
        }
        let offset = self.correction
        let before = frames?.repeated ?? 0
        hand(&actions) { frames, finished in
            for row in stamps.indices {
                frames.add(
                    Array(values[row * width..<(row + 1) * width]), at: stamps[row] + offset, into: &finished)
            }
        }
        tellRepeats((frames?.repeated ?? 0) - before, bytes, &actions)
        tellPace(info, &actions)
    }

    /// Lets the frames take something, and hands out what is complete then.
    private mutating func hand(
        _ actions: inout [ConversationAction], _ body: (inout LSLFrames, inout [LSLFrames.Piece]) -> Void
    ) {
        guard var frames else { return }
        self.frames = nil
        var finished: [LSLFrames.Piece] = []
        body(&frames, &finished)
        frames.flush(into: &finished)
        self.frames = frames
        for piece in finished {
            switch piece {
            case .samples(let samples): actions.emit(.samples(samples))
            case .jumped(let seconds):
                actions.emit(.status(.clockJump(stream: announced?.name ?? "", by: seconds)))
            }
        }
    }

    private func tellRepeats(_ count: Int, _ bytes: [UInt8], _ actions: inout [ConversationAction]) {
        guard count > 0 else { return }
        let problem = "\(count.counted("sample")) came twice, with the same stamps"
        actions.emit(.malformed(MalformedMessage(place: "LSL chunk", problem: problem, bytes: bytes)))
    }

    /// Says once where a sender's own clock counts other than the declared number of samples a second.
    private mutating func tellPace(_ info: LSLStreamInfo, _ actions: inout [ConversationAction]) {
        guard !hasToldPace, let rate = frames?.pace.rate else { return }
        hasToldPace = true
        guard abs(rate / info.sampleRate - 1) > Self.mostDrift else { return }
        func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
        let hourly = abs(info.sampleRate / rate - 1) * 3_600
        actions.emit(
            .log(
                "its stamps count \(text(rate)) samples a second, it declares \(text(info.sampleRate)), by which times "
                    + "would be \(text(hourly)) s off after an hour: recorded times begin anew, at the rate that was "
                    + "measured, where they are 0.05 s off"))
    }
}

extension DeviceStream {
    /// What a stream of the Lab Streaming Layer becomes.
    public init(_ info: LSLStreamInfo) {
        let header = StreamHeader(
            name: info.name, kind: info.kind, channels: info.channels, sampleRate: info.sampleRate)
        self.init(
            id: info.name, header: header, clock: .host, isDouble: info.sampleRate > 0 && info.isDouble)
    }
}
