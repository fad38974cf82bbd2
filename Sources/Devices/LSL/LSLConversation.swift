import Formats
public import Signals

/// Turns what an LSL inlet gives into events. The sender's stamps, corrected by the offset the library measures, are
/// on this host's monotonic clock.
///
/// Everything is handed out twice: as it was received (`DeviceEvent.received`), and as streams. Of a stream with a rate, and of
/// one without whose first ten seconds come evenly (`EvenPace`), the samples are put in order and counted (`LSLFrames`); values
/// that come unevenly keep their stamps. A stream whose channels are of several kinds becomes a stream per kind.
public struct LSLConversation: Conversation {
    private var info: LSLStreamInfo?
    private var parts: [LSLPart] = []
    private var frames: LSLFrames?
    private var undecided: UndecidedRows?
    /// The stream's rate in Hz; 0 if its values keep their stamps.
    private var rate: Double = 0
    private var notes = LSLNotes()
    /// True after a stream with a rate was declared.
    private var wasDeclared = false
    /// The number of samples that came a second time since the last note.
    private var repeated = 0
    private var clock = LSLSenderClock()

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
            case .correction(let offset): if offset.isFinite { clock.correction = offset }
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
                            ReceivedRows(
                                stream: info.name, stamps: [stamp], values: .texts(texts), offset: clock.correction))
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
        notes.note(frames, rate: rate, repeated: repeated, &actions)
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
        (parts, frames, undecided, notes, rate) = ([], nil, nil, LSLNotes(), 0)
        guard !info.isMarkers else { return }
        let kinds = XDFStreamPart.parts(of: DeviceStream(info).header).map(\.header.kind)
        if info.sampleRate == 0, kinds.contains(where: EvenPace.applies) {
            undecided = UndecidedRows()
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
            return LSLPart(id: stream.id, channels: part.channels)
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
        declare(info, rate: undecided.rate ?? 0, &actions)
        if let text = undecided.note("it declares no sample rate") { notes.note(.decided, text, &actions) }
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
            .received(ReceivedRows(stream: info.name, stamps: stamps, values: rows, offset: clock.correction)))
        judge(first, last, at: moment, &actions)
        let width = info.channels.count
        if info.isMarkers {
            for row in stamps.indices {
                mark(Self.texts(rows, row * width..<(row + 1) * width), stamps[row], &actions)
            }
            return
        }
        let offset = clock.offset
        let timed = stamps.indices.map { row in
            (
                stamp: stamps[row] + offset, raw: stamps[row],
                values: Array(values[row * width..<(row + 1) * width])
            )
        }
        guard undecided != nil else { return place(timed, &actions) }
        if undecided?.take(timed, at: moment, into: &actions) ?? false { decide(&actions) }
    }

    private mutating func place(
        _ rows: [UndecidedRows.Row], _ actions: inout [ConversationAction]
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
            for row in rows { frames.add(row.values, at: row.stamp, raw: row.raw, into: &finished) }
        }
        repeated += (frames?.repeated ?? 0) - before
        notes.note(frames, rate: rate, repeated: repeated, &actions)
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
            case .samples(let samples): for part in parts { actions.emit(.samples(part.samples(of: samples))) }
            case .jumped(let seconds):
                for part in parts { actions.emit(.status(.clockJump(stream: part.id, by: seconds))) }
            }
        }
    }

    private static func number(_ value: Double, _ info: LSLStreamInfo) -> Double {
        info.isInteger ? Double(Int64(bitPattern: value.bitPattern)) : value
    }

    // MARK: events

    private mutating func mark(_ texts: [String], _ stamp: Double, _ actions: inout [ConversationAction]) {
        actions.emit(
            .marker(
                label: texts.joined(separator: ", "), deviceTime: stamp + clock.offset, isHostTime: true))
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

    /// Notes stamps of another clock.
    private mutating func judge(
        _ first: Double, _ last: Double, at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        guard let distance = clock.judge(first, last, at: moment) else { return }
        notes.note(
            .otherClock,
            "its stamps lie \(distance) s from now: they are not lsl_local_clock's, or of a log; samples are placed by "
                + "when they came, and the stamps are kept with what was received", &actions)
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
