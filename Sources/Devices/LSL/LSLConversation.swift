public import Formats
public import Signals

/// Turns what an LSL inlet gives into events. The sender's stamps, corrected by the offset the library measures, are
/// on this host's monotonic clock.
///
/// Everything is handed out twice: as it was received (`DeviceEvent.received`), and as streams. Of a stream with a rate, and of
/// one without whose first ten seconds come evenly (`EvenPace`), the samples are put in order and counted (`LSLFrames`); values
/// that come unevenly keep their stamps. A stream whose channels are of several kinds becomes a stream per kind.
public struct LSLConversation: Conversation {
    /// A stream that was announced, and the places of its channels in the sender's.
    private struct Part: Sendable {
        var id: String
        var channels: [Int]
    }

    /// Rows held until the first ten seconds decide whether they come evenly.
    private struct Undecided: Sendable {
        var pace = EvenPace()
        var rows: [(stamp: Seconds, values: [Double])] = []
        var due: Seconds?
    }

    /// Repairs of samples or stamps, each of which is noted once.
    private enum Repair: Hashable {
        case sorted, repeated, bursts, otherClock, otherRate, evened, uneven
    }

    private var info: LSLStreamInfo?
    private var parts: [Part] = []
    private var frames: LSLFrames?
    private var undecided: Undecided?
    /// The stream's rate in Hz; 0 if its values keep their stamps.
    private var rate: Double = 0
    private var noted: Set<Repair> = []
    /// True after a stream with a rate was declared.
    private var wasDeclared = false
    /// Seconds from a sample's stamp to its arrival, at least.
    private var delay: Seconds?
    /// The number of samples that came a second time since the last note.
    private var repeated = 0
    private var correction: Seconds = 0
    /// Seconds added to corrected stamps of another clock.
    private var shift: Seconds = 0
    /// Stamps that lie farther from when they come than any sender holds samples back, or in the future, in seconds, are of
    /// another clock.
    private static let (oldest, latest): (Seconds, Seconds) = (600, 1)
    /// Clocks of devices differ by less than this share, as do rates that are told from the stamps of a minute.
    private static let mostDrift = 0.0003
    /// Seconds to wait for the stamps that decide, after the first came.
    private static let patience: Seconds = 11

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
                take(stamps, values, .doubles(values), bytes, at: moment, &actions)
            case .integers(let stamps, let values):
                let numbers =
                    info?.isInteger ?? false
                    ? values.map { Double(bitPattern: UInt64(bitPattern: $0)) } : values.map { Double($0) }
                take(stamps, numbers, .integers(values), bytes, at: moment, &actions)
            case .text(let texts, let stamp):
                if let info, info.isText, texts.count == info.channels.count {
                    actions.emit(
                        .received(
                            ReceivedRows(stream: info.name, stamps: [stamp], values: .texts(texts), offset: correction))
                    )
                }
                judge(stamp, stamp, at: moment, &actions)
                mark(texts, stamp, &actions)
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    /// Decides on a stream whose samples stopped within its first ten seconds.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard let due = undecided?.due else { return }
        guard moment >= due else { return actions.append(.wake(at: due)) }
        decide(&actions)
    }

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
        decide(&actions)
        hand(&actions) { $0.settle(into: &$1) }
        noteRepairs(&actions)
        if repeated > 0 { actions.emit(.log("\(repeated.counted("sample")) came twice, with the same stamps")) }
        repeated = 0
    }

    // MARK: the stream

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
        let isOther =
            self.info.map { DeviceStream($0).header != DeviceStream(info).header || $0.format != info.format } ?? true
        if isOther {
            decide(&actions)
            hand(&actions) { $0.settle(into: &$1) }
        }
        self.info = info
        var identity = DeviceIdentity()
        identity.name = info.name
        identity.model = info.type
        identity.serialNumber = info.sourceID
        identity.details = ["host": info.host]
        actions.emit(.identity(identity))
        actions.emit(.receives(info))
        // A sender that comes back with other channels or another rate is another stream.
        if isOther { announce(info, &actions) }
        actions.emit(.ready)
    }

    private mutating func announce(_ info: LSLStreamInfo, _ actions: inout [ConversationAction]) {
        (parts, frames, undecided, noted, rate) = ([], nil, nil, [], 0)
        guard !info.isMarkers else { return }
        let kinds = XDFStreamPart.parts(of: DeviceStream(info).header).map(\.header.kind)
        if info.sampleRate == 0, kinds.contains(where: EvenPace.applies) {
            undecided = Undecided()
        } else {
            declare(info, rate: info.sampleRate, &actions)
        }
    }

    /// Declares the stream, or one for each kind of its channels.
    private mutating func declare(_ info: LSLStreamInfo, rate: Double, _ actions: inout [ConversationAction]) {
        var whole = DeviceStream(info)
        whole.header.sampleRate = rate
        self.rate = rate
        parts = XDFStreamPart.parts(of: whole.header).map { part in
            var stream = whole
            (stream.id, stream.header) = (part.header.name, part.header)
            stream.isDouble = rate > 0 && info.isDouble && !info.isInteger
            stream.isInteger = rate > 0 && info.isInteger
            actions.emit(.stream(stream))
            return Part(id: stream.id, channels: part.channels)
        }
        guard rate > 0 else { return }
        let precision: FrameBatch.Precision = info.isInteger ? .integer : info.isDouble ? .double : .single
        frames = LSLFrames(stream: info.name, rate: rate, precision, isRestarted: wasDeclared)
        wasDeclared = true
    }

    /// Decides whether a stream without a rate comes evenly, by its first ten seconds.
    private mutating func decide(_ actions: inout [ConversationAction]) {
        guard let undecided, let info, !undecided.rows.isEmpty else { return }
        self.undecided = nil
        let rate = undecided.pace.rate ?? 0
        declare(info, rate: rate, &actions)
        if rate > 0 {
            note(
                .evened,
                "it declares no sample rate; by the stamps of its first \(Int(EvenPace.span)) s its samples come evenly, "
                    + "at \(Self.text(rate)) Hz, and are recorded so", &actions)
        } else if undecided.rows.count >= 20 {
            note(
                .uneven, "it declares no sample rate and its values come unevenly: each is recorded at its stamp",
                &actions)
        }
        place(undecided.rows, &actions)
    }

    // MARK: samples

    private mutating func take(
        _ stamps: [Double], _ values: [Double], _ rows: XDFRows, _ bytes: [UInt8], at moment: Seconds,
        _ actions: inout [ConversationAction]
    ) {
        guard let info, !info.isText, values.count == stamps.count * info.channels.count else {
            return actions.emit(
                .malformed(
                    MalformedMessage(place: "LSL chunk", problem: "it does not fit the stream", bytes: bytes)))
        }
        guard let first = stamps.first, let last = stamps.last else { return }
        actions.emit(
            .received(ReceivedRows(stream: info.name, stamps: stamps, values: rows, offset: correction)))
        judge(first, last, at: moment, &actions)
        let width = info.channels.count
        if info.isMarkers {
            for row in stamps.indices {
                mark(Self.texts(rows, row * width..<(row + 1) * width), stamps[row], &actions)
            }
            return
        }
        let offset = correction + shift
        let timed = stamps.indices.map { row in
            (stamp: stamps[row] + offset, values: Array(values[row * width..<(row + 1) * width]))
        }
        guard undecided != nil else { return place(timed, &actions) }
        if undecided?.due == nil {
            undecided?.due = moment + Self.patience
            actions.append(.wake(at: moment + Self.patience))
        }
        undecided?.pace.take(timed.map(\.stamp))
        undecided?.rows += timed
        if undecided?.pace.isComplete ?? false { decide(&actions) }
    }

    private mutating func place(
        _ rows: [(stamp: Seconds, values: [Double])], _ actions: inout [ConversationAction]
    ) {
        guard let info else { return }
        guard frames != nil else {
            for part in parts {
                let values = rows.map { row in
                    DeviceValue(part.channels.map { Self.number(row.values[$0], info) }, deviceTime: row.stamp)
                }
                if !values.isEmpty { actions.emit(.values(stream: part.id, values)) }
            }
            return
        }
        let before = frames?.repeated ?? 0
        hand(&actions) { frames, finished in
            for row in rows { frames.add(row.values, at: row.stamp, into: &finished) }
        }
        repeated += (frames?.repeated ?? 0) - before
        noteRepairs(&actions)
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
            case .samples(let samples): for part in parts { actions.emit(.samples(Self.samples(samples, part))) }
            case .jumped(let seconds):
                for part in parts { actions.emit(.status(.clockJump(stream: part.id, by: seconds))) }
            }
        }
    }

    /// The channels of a part.
    private static func samples(_ whole: DeviceSamples, _ part: Part) -> DeviceSamples {
        var samples = whole
        samples.stream = part.id
        let (count, frames) = (whole.block.channelCount, whole.block.frameCount)
        guard part.channels != Array(0..<count) else { return samples }
        samples.block = whole.block.channels(part.channels)
        func channels<Number>(_ numbers: [Number]) -> [Number] {
            part.channels.flatMap { numbers[$0 * frames..<($0 + 1) * frames] }
        }
        samples.doubles = whole.doubles.map(channels)
        samples.integers = whole.integers.map(channels)
        return samples
    }

    private static func number(_ value: Double, _ info: LSLStreamInfo) -> Double {
        info.isInteger ? Double(Int64(bitPattern: value.bitPattern)) : value
    }

    // MARK: events

    private mutating func mark(_ texts: [String], _ stamp: Double, _ actions: inout [ConversationAction]) {
        actions.emit(
            .marker(
                label: texts.joined(separator: ", "), deviceTime: stamp + correction + shift, isHostTime: true))
    }

    private static func texts(_ rows: XDFRows, _ range: Range<Int>) -> [String] {
        switch rows {
        case .texts(let texts): Array(texts[range])
        case .integers(let numbers): numbers[range].map { "\($0)" }
        case .doubles(let numbers):
            numbers[range].map { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" }
        }
    }

    // MARK: notes

    /// Finds whether stamps are of the clock of the Lab Streaming Layer. Those of another clock are taken as if the latest of
    /// them had been sampled when it came.
    private mutating func judge(
        _ first: Double, _ last: Double, at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        func isPlausible(_ shift: Seconds) -> Bool {
            [first, last].allSatisfy { stamp in
                let age = moment - (stamp + correction + shift)
                return age < Self.oldest && age > -Self.latest
            }
        }
        guard !isPlausible(shift) else {
            let age = moment - (last + correction + shift)
            if shift == 0 { delay = min(delay ?? age, age) }
            return
        }
        if isPlausible(0) {
            shift = 0
            return
        }
        guard (last + correction).isFinite else { return }
        shift = moment - max(0, delay ?? 0) - (last + correction)
        let distance = Int(min(shift.magnitude, 1e15).rounded())
        note(
            .otherClock,
            "its stamps lie \(distance) s from now: they are not lsl_local_clock's, or of a log; samples are placed by "
                + "when they came, and the stamps are kept with what was received", &actions)
    }

    private mutating func note(_ repair: Repair, _ text: String, _ actions: inout [ConversationAction]) {
        guard noted.insert(repair).inserted else { return }
        actions.emit(.log(text))
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

    private static func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

    /// Notes, once each, what was done to the samples or their stamps.
    private mutating func noteRepairs(_ actions: inout [ConversationAction]) {
        guard let frames else { return }
        if frames.sorted > 0 {
            note(
                .sorted, "samples came in another order than their stamps: they are recorded by their stamps", &actions)
        }
        if repeated > 0 {
            note(
                .repeated,
                "samples come twice, with the same stamps: they are recorded once, and as they came with what was received",
                &actions)
        }
        if !frames.isExact, frames.lateness > max(0.02, 1.5 / rate) {
            note(
                .bursts,
                "its stamps are those of pushing, up to \(Int((frames.lateness * 1_000).rounded())) ms late: samples are "
                    + "placed evenly along the earliest of them, and the stamps are kept with what was received",
                &actions)
        }
        notePace(&actions)
    }

    /// Says once where a sender's own clock counts other than the declared number of samples a second.
    private mutating func notePace(_ actions: inout [ConversationAction]) {
        guard !noted.contains(.otherRate), let found = frames?.pace.rate else { return }
        guard abs(found / rate - 1) > Self.mostDrift else {
            noted.insert(.otherRate)
            return
        }
        let hourly = abs(rate / found - 1) * 3_600
        note(
            .otherRate,
            "its stamps count \(Self.text(found)) samples a second, it declares \(Self.text(rate)), by which times "
                + "would be \(Self.text(hourly)) s off after an hour: a new segment at the measured rate begins where "
                + "recorded times are 0.05 s off", &actions)
    }
}

extension DeviceStream {
    /// What a stream of the Lab Streaming Layer becomes.
    public init(_ info: LSLStreamInfo) {
        let header = StreamHeader(
            name: info.name, kind: info.kind, channels: info.channels, sampleRate: info.sampleRate)
        self.init(
            id: info.name, header: header, clock: .host,
            isDouble: info.sampleRate > 0 && info.isDouble && !info.isInteger)
        isInteger = info.sampleRate > 0 && info.isInteger
        description = info.xml
    }
}
