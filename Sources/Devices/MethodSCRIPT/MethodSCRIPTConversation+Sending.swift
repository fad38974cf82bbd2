import Formats
import Signals

/// What is sent, and when.
extension MethodSCRIPTConversation {
    mutating func schedule(_ actions: inout [ConversationAction]) {
        let watchDue = isWatched ? watch.due : nil
        guard let due = [sendDue, replyDue, watchDue].compactMap({ $0 }).min(), due != wakeSet else { return }
        wakeSet = due
        actions.append(.wake(at: due))
    }

    mutating func rouse(_ count: Int, at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .rousing(count)
        transmit("", &actions)
        sendDue = moment + 0.1
    }

    mutating func ask(_ question: Question, at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .asking(question)
        lines.reset()
        versionLines = []
        replyDue = moment + settings.replyTimeout
        send([question.rawValue], at: moment, &actions)
    }

    mutating func load(_ script: MethodSCRIPTScript, at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .loading
        (mayRun, isForeign) = (true, false)
        nesting = []
        layouts = MethodSCRIPTLayouts(script)
        replyDue = moment + settings.replyTimeout + script.message.reduce(0) { $0 + interval(after: $1) }
        for index in script.lines.indices where script.lines[index].utf8.count > MethodSCRIPTScript.documentedLine {
            actions.emit(
                .log(
                    "\(script.name), line \(script.fileLines[index]) has \(script.lines[index].utf8.count) characters: "
                        + "firmware that takes \(MethodSCRIPTScript.documentedLine) at most answers with error 0008"))
        }
        send(script.message, at: moment, &actions)
    }

    mutating func abort(at moment: Seconds, _ actions: inout [ConversationAction]) {
        switch phase {
        // One that runs although none should would leave the cell on.
        case .running, .loading, .idle:
            phase = .aborting
            // What was not sent yet must be, or the instrument would take the command for a line of the script.
            replyDue = moment + settings.replyTimeout + outgoing.reduce(0) { $0 + interval(after: $1) }
            send(["Z"], at: moment, &actions)
        default: actions.emit(.log("no script runs that could be aborted"))
        }
    }

    /// Sends lines: at once over Bluetooth, where each write waits for its acknowledgement, paced over serial ports.
    mutating func send(_ lines: [String], at moment: Seconds, _ actions: inout [ConversationAction]) {
        if settings.link == .bluetooth {
            sendDue = nil
            return transmit(lines.joined(separator: "\n"), &actions)
        }
        outgoing += lines
        if sendDue == nil || sendDue.map({ $0 <= moment }) == true { sendNext(at: moment, &actions) }
    }

    mutating func sendNext(at moment: Seconds, _ actions: inout [ConversationAction]) {
        sendDue = nil
        guard let line = outgoing.popFirst() else { return }
        transmit(line, &actions)
        if !outgoing.isEmpty { sendDue = moment + interval(after: line) }
    }

    /// Seconds between a line and the next: one interval for every 64 characters, which take 3 ms at 230 400 baud.
    func interval(after line: String) -> Seconds {
        settings.lineInterval * Double(max(1, (line.utf8.count + 63) / 64))
    }

    func transmit(_ text: String, _ actions: inout [ConversationAction]) {
        let bytes = Array((text + "\n").utf8)
        guard settings.link == .bluetooth else {
            return actions.append(.send(bytes, to: .stream, acknowledged: false))
        }
        for start in stride(from: 0, to: bytes.count, by: MethodSCRIPTSettings.chunk) {
            let part = Array(bytes[start..<min(bytes.count, start + MethodSCRIPTSettings.chunk)])
            actions.append(.send(part, to: .characteristic(MethodSCRIPTSettings.input), acknowledged: true))
        }
    }

    /// The option's values for the families of instruments.
    private static var baudRates: String {
        let (slow, fast) = (MethodSCRIPTFamily.emStatPico, MethodSCRIPTFamily.emStat4LR)
        return "option baud: \(slow.baudRate) for EmStat Pico and Sensit, \(fast.baudRate) for EmStat4 and Nexus"
    }

    mutating func giveUp(at moment: Seconds, _ actions: inout [ConversationAction]) {
        replyDue = nil
        switch phase {
        case .asking(.version):
            // Some firmware ends its answer without a line feed.
            if versionLines.isEmpty, let line = lines.takePartial() {
                let text = String(decoding: line, as: UTF8.self)
                if text.first == "t", text.count > 1 { versionLines = [text] }
            }
            guard versionLines.isEmpty else { return endVersion(at: moment, &actions) }
            fail(
                "timeout",
                "The instrument does not answer: is it on, is it a MethodSCRIPT device"
                    + (settings.link == .serial ? ", is the baud rate right (\(Self.baudRates))?" : "?"),
                &actions)
            actions.append(.close)
        case .asking(.serialNumber): ask(.language, at: moment, &actions)
        case .asking(.language): identified(at: moment, &actions)
        case .recovering:
            fail("timeout", "The instrument runs a script that cannot be aborted: switch it off and on.", &actions)
            actions.append(.close)
        case .loading:
            fail(
                "timeout",
                "The instrument did not take the script within the time for it. It is aborted, should it run.", &actions
            )
            abort(at: moment, &actions)
        case .aborting:
            fail(
                "timeout",
                "The instrument does not answer to being told to abort its script: abort again, or switch it off.",
                &actions)
            ended(&actions, isSure: false)
        case .closed, .rousing, .idle, .running: break
        }
    }

    func fail(_ code: String, _ text: String, _ actions: inout [ConversationAction]) {
        actions.emit(.failed(DeviceFailure(code: code, description: text)))
    }

    func leave(_ actions: inout [ConversationAction]) {
        actions.emit(.finished)
        actions.append(.close)
    }
}
