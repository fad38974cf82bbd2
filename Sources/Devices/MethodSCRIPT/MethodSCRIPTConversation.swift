public import Signals

/// How a MethodSCRIPT instrument is connected and what it is to run.
public struct MethodSCRIPTSettings: Hashable, Sendable {
    /// The connection.
    public var link: Connection
    /// The script to run; nil only asks who the instrument is.
    public var script: MethodSCRIPTScript?
    /// Seconds between two lines on a serial port: an EmStat Pico loses bytes of scripts that come in one burst.
    public var lineInterval: Seconds = 0.005
    /// Seconds to wait for an answer.
    public var replyTimeout: Seconds = 3

    /// Ways to an instrument.
    public enum Connection: String, Hashable, Sendable, Codable {
        /// A serial port, or the USB port that acts as one.
        case serial
        /// The virtual serial port of the Bluetooth module.
        case bluetooth
    }

    /// A run of `script` over `link`.
    public init(_ link: Connection = .serial, script: MethodSCRIPTScript? = nil) {
        self.link = link
        self.script = script
    }

    /// The Bluetooth service of the virtual serial port (Laird Connectivity, VSP).
    public static let service = BluetoothUUID(high: 0x569A_1101_B87F_490C, low: 0x92CB_11BA_5EA5_167C)
    /// Its characteristic with what the instrument sends (notify).
    public static let output = BluetoothUUID(high: 0x569A_2000_B87F_490C, low: 0x92CB_11BA_5EA5_167C)
    /// Its characteristic for what the instrument gets (write with response, up to 20 bytes).
    public static let input = BluetoothUUID(high: 0x569A_2001_B87F_490C, low: 0x92CB_11BA_5EA5_167C)
    /// Bytes of one write over Bluetooth: what fits without a negotiated length.
    static let chunk = 20
}

/// The host's side of MethodSCRIPT: asks who the instrument is, sends a script, turns its packages into streams, and
/// can halt, resume and abort it.
///
/// `.pause` halts the script, `.resume` goes on, `.abort` and `.stop` abort it; the script's own `on_finished:` runs.
public struct MethodSCRIPTConversation: Conversation {
    /// Who the instrument is, once known.
    public private(set) var firmware: MethodSCRIPTFirmware?
    /// What the current or last run gave.
    public private(set) var run = MethodSCRIPTRun()

    private let settings: MethodSCRIPTSettings
    private var lines = LineBuffer(limit: 4096)
    private var streams = MethodSCRIPTStreams()
    private var identity = DeviceIdentity()
    private var phase = Phase.closed
    private var nesting: [MethodSCRIPTOutput] = []
    /// Lines not yet sent, with the earliest moment of the next.
    private var outgoing: ArraySlice<String> = []
    private var sendDue: Seconds?
    private var replyDue: Seconds?
    private var wakeSet: Seconds?
    private var isLeaving = false
    private var hasRecovered = false
    /// The connection broke while a script ran: it may run still.
    private var isInterrupted = false

    private enum Phase: Hashable, Sendable {
        case closed
        /// Rousing the module after connecting; what comes is dropped.
        case rousing(Int)
        /// A script of somebody else runs; it is aborted.
        case recovering
        case asking(Question)
        case idle
        /// The script was sent; `e` is awaited.
        case loading
        case running
        case aborting
    }

    private enum Question: String, Hashable, Sendable {
        case version = "t"
        case serialNumber = "i"
        case language = "v"
    }

    /// A conversation with the instrument that `settings` say.
    public init(_ settings: MethodSCRIPTSettings = MethodSCRIPTSettings()) {
        self.settings = settings
    }

    /// Whether a script runs.
    public var isRunning: Bool { phase == .running || phase == .aborting }

    /// Rouses the instrument: some modules send junk after connecting.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        reset()
        if settings.link == .bluetooth { actions.append(.subscribe(MethodSCRIPTSettings.output, isRequired: true)) }
        isInterrupted ? ask(.version, at: moment, &actions) : rouse(1, at: moment, &actions)
        schedule(&actions)
    }

    /// Takes what the instrument says, cut anywhere.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        if settings.link == .bluetooth, endpoint != .characteristic(MethodSCRIPTSettings.output) { return }
        for line in lines.append(bytes) {
            switch line {
            case .complete(let line): take(line, at: moment, &actions)
            case .tooLong(let start):
                if case .rousing = phase { continue }
                actions.emit(
                    .malformed(
                        MalformedMessage(place: "MethodSCRIPT line", problem: "longer than 4096 bytes", bytes: start)))
            }
        }
        streams.flush(&actions)
        schedule(&actions)
    }

    /// Sends the next line of a script, asks on, or gives up waiting.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        wakeSet = nil
        if let due = sendDue, moment >= due {
            if case .rousing(let count) = phase {
                count < 3 ? rouse(count + 1, at: moment, &actions) : ask(.version, at: moment, &actions)
            } else {
                sendNext(at: moment, &actions)
            }
        }
        if let due = replyDue, moment >= due { giveUp(at: moment, &actions) }
        schedule(&actions)
    }

    /// Halts, resumes, aborts.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .pause: if phase == .running { send(["h"], at: moment, &actions) }
        case .resume: if phase == .running { send(["H"], at: moment, &actions) }
        case .abort: abort(at: moment, &actions)
        case .stop:
            isLeaving = true
            isRunning || phase == .loading ? abort(at: moment, &actions) : leave(&actions)
        }
        schedule(&actions)
    }

    /// Hands out what was gathered.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        streams.flush(&actions)
        isInterrupted = isRunning
        reset()
    }

    private mutating func reset() {
        lines.reset()
        nesting = []
        outgoing = []
        (sendDue, replyDue, wakeSet) = (nil, nil, nil)
        isLeaving = false
        hasRecovered = false
        phase = .closed
    }
}

/// What is sent, and when.
extension MethodSCRIPTConversation {
    private mutating func schedule(_ actions: inout [ConversationAction]) {
        guard let due = [sendDue, replyDue].compactMap({ $0 }).min(), due != wakeSet else { return }
        wakeSet = due
        actions.append(.wake(at: due))
    }

    private mutating func rouse(_ count: Int, at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .rousing(count)
        transmit("", &actions)
        sendDue = moment + 0.1
    }

    private mutating func ask(_ question: Question, at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .asking(question)
        lines.reset()
        replyDue = moment + settings.replyTimeout
        send([question.rawValue], at: moment, &actions)
    }

    private mutating func load(_ script: MethodSCRIPTScript, at moment: Seconds, _ actions: inout [ConversationAction])
    {
        phase = .loading
        nesting = []
        run = MethodSCRIPTRun(family: firmware?.family, start: moment)
        replyDue = moment + settings.replyTimeout + Double(script.lines.count) * settings.lineInterval
        send(script.message, at: moment, &actions)
    }

    private mutating func abort(at moment: Seconds, _ actions: inout [ConversationAction]) {
        switch phase {
        case .running, .loading:
            phase = .aborting
            // What was not sent yet must be, or the instrument would take the command for a line of the script.
            replyDue = moment + settings.replyTimeout + Double(outgoing.count) * settings.lineInterval
            send(["Z"], at: moment, &actions)
        default: actions.emit(.log("no script runs that could be aborted"))
        }
    }

    /// Sends lines: at once over Bluetooth, where each write waits for its acknowledgement, paced over serial ports.
    private mutating func send(_ lines: [String], at moment: Seconds, _ actions: inout [ConversationAction]) {
        if settings.link == .bluetooth {
            sendDue = nil
            return transmit(lines.joined(separator: "\n"), &actions)
        }
        outgoing += lines
        if sendDue == nil || sendDue.map({ $0 <= moment }) == true { sendNext(at: moment, &actions) }
    }

    private mutating func sendNext(at moment: Seconds, _ actions: inout [ConversationAction]) {
        sendDue = nil
        guard let line = outgoing.popFirst() else { return }
        transmit(line, &actions)
        if !outgoing.isEmpty { sendDue = moment + settings.lineInterval }
    }

    private func transmit(_ text: String, _ actions: inout [ConversationAction]) {
        let bytes = Array((text + "\n").utf8)
        guard settings.link == .bluetooth else {
            return actions.append(.send(bytes, to: .stream, acknowledged: false))
        }
        for start in stride(from: 0, to: bytes.count, by: MethodSCRIPTSettings.chunk) {
            let part = Array(bytes[start..<min(bytes.count, start + MethodSCRIPTSettings.chunk)])
            actions.append(.send(part, to: .characteristic(MethodSCRIPTSettings.input), acknowledged: true))
        }
    }

    private mutating func giveUp(at moment: Seconds, _ actions: inout [ConversationAction]) {
        replyDue = nil
        switch phase {
        case .asking(.version):
            fail(
                "timeout",
                "The instrument does not answer: is it on, is the baud rate right, is it a MethodSCRIPT device?",
                &actions)
            actions.append(.close)
        case .asking(.serialNumber): ask(.language, at: moment, &actions)
        case .asking(.language): identified(at: moment, &actions)
        case .recovering:
            fail("timeout", "The instrument runs a script that cannot be aborted: switch it off and on.", &actions)
            actions.append(.close)
        case .loading:
            fail("timeout", "The instrument did not take the script within the time for it.", &actions)
            ended(&actions)
        case .aborting:
            fail("timeout", "The instrument does not end the script it was told to abort.", &actions)
            ended(&actions)
        case .closed, .rousing, .idle, .running: break
        }
    }

    private func fail(_ code: String, _ text: String, _ actions: inout [ConversationAction]) {
        actions.emit(.failed(DeviceFailure(code: code, description: text)))
    }

    private func leave(_ actions: inout [ConversationAction]) {
        actions.emit(.finished)
        actions.append(.close)
    }
}

/// What the instrument says.
extension MethodSCRIPTConversation {
    private mutating func take(_ line: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]) {
        switch phase {
        case .closed, .rousing: break
        case .asking(let question): answered(question, line, at: moment, &actions)
        case .recovering:
            let isOver = line.isEmpty || MethodSCRIPTFailure(line: String(decoding: line, as: UTF8.self)) != nil
            if isOver { ask(.version, at: moment, &actions) }
        case .idle:
            guard !line.isEmpty else { return }
            malformed(line, "the instrument speaks although no script runs", &actions)
        case .loading, .running, .aborting:
            do throws(MethodSCRIPTProblem) {
                output(try MethodSCRIPTOutput(line), at: moment, &actions)
            } catch {
                malformed(line, error.description, &actions)
            }
        }
    }

    private func malformed(_ line: [UInt8], _ problem: String, _ actions: inout [ConversationAction]) {
        actions.emit(.malformed(MalformedMessage(place: "MethodSCRIPT line", problem: problem, bytes: line)))
    }

    private mutating func answered(
        _ question: Question, _ line: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        let text = String(decoding: line, as: UTF8.self)
        if let failure = MethodSCRIPTFailure(line: text) { return refused(question, failure, at: moment, &actions) }
        if isInterrupted, let output = try? MethodSCRIPTOutput(line) {
            return self.output(output, at: moment, &actions)
        }
        switch question {
        case .version:
            if let found = MethodSCRIPTFirmware(line: text) {
                firmware = found
            } else if line.last == UInt8(ascii: "*"), firmware != nil {
                // The second line, such as R*, ends the answer.
                identity.details["release"] = String(text.dropLast())
                ask(.serialNumber, at: moment, &actions)
            }
        case .serialNumber:
            guard text.hasPrefix("i") else { return }
            identity.serialNumber = String(text.dropFirst().prefix(64))
            ask(.language, at: moment, &actions)
        case .language:
            guard text.hasPrefix("v") else { return }
            identity.details["MethodSCRIPT"] = String(text.dropFirst().prefix(64))
            identified(at: moment, &actions)
        }
    }

    private mutating func refused(
        _ question: Question, _ failure: MethodSCRIPTFailure, at moment: Seconds,
        _ actions: inout [ConversationAction]
    ) {
        switch question {
        case _ where failure.command == "Z": break
        case .version where failure.code == 6 && isInterrupted:
            isInterrupted = false
            replyDue = nil
            phase = .running
            actions.emit(.log("the script has run on while the connection was lost"))
            actions.emit(.ready)
        case .version where failure.code == 6 && !hasRecovered:
            hasRecovered = true
            actions.emit(.log("the instrument still runs a script; it is aborted"))
            phase = .recovering
            replyDue = moment + settings.replyTimeout
            send(["Z"], at: moment, &actions)
        case .version:
            fail(failure.codeText, "The instrument refuses to say who it is: \(failure)", &actions)
            actions.append(.close)
        case .serialNumber: ask(.language, at: moment, &actions)
        case .language: identified(at: moment, &actions)
        }
    }

    private mutating func identified(at moment: Seconds, _ actions: inout [ConversationAction]) {
        replyDue = nil
        identity.manufacturer = "PalmSens"
        identity.model = firmware?.family?.name ?? firmware?.name ?? ""
        identity.name = identity.model
        identity.firmware = firmware?.version ?? ""
        identity.details["built"] = firmware?.built
        actions.emit(.identity(identity))
        if isInterrupted {
            isInterrupted = false
            actions.emit(.log("the script ended while the connection was lost"))
            return ended(&actions)
        }
        guard let script = settings.script else {
            phase = .idle
            return actions.emit(.ready)
        }
        load(script, at: moment, &actions)
    }
}

/// The output of a running script.
extension MethodSCRIPTConversation {
    private mutating func output(
        _ output: MethodSCRIPTOutput, at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        if phase == .loading, !isStart(output) {
            return actions.emit(.log("before the script: \(MethodSCRIPTRun.words(output) ?? "a package")"))
        }
        run.add(output, at: moment)
        if case .package(let package) = output {
            return streams.add(package, family: firmware?.family, &actions)
        }
        streams.flush(&actions)
        switch output {
        case .accepted:
            if phase == .loading {
                phase = .running
                replyDue = nil
                actions.emit(.ready)
            }
        case .failure(let failure): failed(failure, &actions)
        case .end: ended(&actions)
        case .obeyed(let command): obeyed(command, &actions)
        case .text(let text): actions.emit(.log(text))
        case .measurement, .loop, .scan, .measurementEnd, .loopEnd, .scanEnd: nest(output, &actions)
        case .package: break
        }
    }

    private func isStart(_ output: MethodSCRIPTOutput) -> Bool {
        switch output {
        case .accepted, .failure: true
        default: false
        }
    }

    private func obeyed(_ command: String, _ actions: inout [ConversationAction]) {
        if command == "h" { actions.emit(.status(.paused(true))) }
        if command == "H" { actions.emit(.status(.paused(false))) }
    }

    private mutating func nest(_ output: MethodSCRIPTOutput, _ actions: inout [ConversationAction]) {
        switch output {
        case .measurement, .loop, .scan:
            // Deeper than any instrument nests.
            if nesting.count < 64 { nesting.append(output) }
        default:
            if let last = nesting.last, Self.closes(output, last) {
                nesting.removeLast()
            } else {
                let found = MethodSCRIPTRun.words(output) ?? ""
                malformed([], "\(found), but no such loop is open", &actions)
            }
        }
        if let words = MethodSCRIPTRun.words(output) { actions.emit(.marker(label: words, deviceTime: nil)) }
    }

    private static func closes(_ end: MethodSCRIPTOutput, _ begin: MethodSCRIPTOutput) -> Bool {
        switch (end, begin) {
        case (.measurementEnd, .measurement), (.loopEnd, .loop), (.scanEnd, .scan): true
        default: false
        }
    }

    private mutating func failed(_ failure: MethodSCRIPTFailure, _ actions: inout [ConversationAction]) {
        // Nothing ran any more when the abort arrived.
        if failure.command == "Z", failure.code == 6 { return ended(&actions) }
        if let command = failure.command, command != "e" {
            return actions.emit(.log(failure.description))
        }
        var told = failure
        if let script = settings.script, let line = failure.line { told.line = script.fileLine(line) ?? line }
        let name = settings.script.map { "\($0.name), " } ?? ""
        actions.emit(.failed(DeviceFailure(code: failure.codeText, description: name + told.description)))
        ended(&actions)
    }

    private mutating func ended(_ actions: inout [ConversationAction]) {
        streams.flush(&actions)
        if !nesting.isEmpty, phase == .running {
            actions.emit(.log("the script ended within \(nesting.count) open loop\(nesting.count == 1 ? "" : "s")"))
        }
        nesting = []
        outgoing = []
        (sendDue, replyDue) = (nil, nil)
        phase = .idle
        actions.emit(.finished)
        if isLeaving { actions.append(.close) }
    }
}
