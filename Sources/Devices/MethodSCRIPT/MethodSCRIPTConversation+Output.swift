import Formats
import Signals

/// The output of a running script.
extension MethodSCRIPTConversation {
    mutating func output(
        _ output: MethodSCRIPTOutput, at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        if phase == .loading, !isStart(output) {
            guard outgoing.isEmpty, isProgress(output) else {
                return actions.emit(.log("before the script: \(MethodSCRIPTRun.words(output) ?? "a package")"))
            }
            actions.emit(.log("the instrument runs the script; that it took it was lost on the way"))
            actions.emit(.script(.accepted))
            began(&actions)
        }
        if case .package(let package) = output {
            if let problem = layouts.problem(of: package) {
                return malformed(Array(package.text.utf8), problem, &actions)
            }
            actions.emit(.script(output))
            return streams.add(package, family: firmware?.family, &actions)
        }
        actions.emit(.script(output))
        streams.flush(&actions)
        switch output {
        case .accepted: if phase == .loading { began(&actions) }
        case .failure(let failure): failed(failure, &actions)
        case .end: ended(&actions)
        case .obeyed(let command): obeyed(command, &actions)
        case .text(let text): actions.emit(.log(text))
        case .measurement, .loop, .scan, .measurementEnd, .loopEnd, .scanEnd: nest(output, &actions)
        case .package: break
        }
    }

    func isStart(_ output: MethodSCRIPTOutput) -> Bool {
        switch output {
        case .accepted, .failure: true
        default: false
        }
    }

    /// What only a script says that runs.
    func isProgress(_ output: MethodSCRIPTOutput) -> Bool {
        switch output {
        case .measurement, .loop, .scan, .package: true
        default: false
        }
    }

    mutating func began(_ actions: inout [ConversationAction]) {
        phase = .running
        replyDue = nil
        watch.begin()
        actions.emit(.ready)
    }

    /// Keeps what a script prints that somebody else sent.
    mutating func listen(_ actions: inout [ConversationAction]) {
        isForeign = true
        layouts = MethodSCRIPTLayouts()
        nesting = []
        actions.emit(.log("the instrument runs a script that was not sent from here: what it prints is recorded"))
        actions.emit(.script(.accepted))
        began(&actions)
    }

    mutating func obeyed(_ command: String, _ actions: inout [ConversationAction]) {
        guard command == "h" || command == "H" else { return }
        isHalted = command == "h"
        actions.emit(.status(.paused(isHalted)))
    }

    mutating func nest(_ output: MethodSCRIPTOutput, _ actions: inout [ConversationAction]) {
        switch output {
        case .measurement, .loop, .scan:
            // Deeper than any instrument nests.
            if nesting.count < 64 { nesting.append(output) }
        default:
            if let last = nesting.last, Self.closes(output, last) {
                nesting.removeLast()
            } else if !isForeign {
                // Of a script that ran before the beginning was not heard.
                let found = MethodSCRIPTRun.words(output) ?? ""
                malformed([], "\(found), but no such loop is open", &actions)
            }
        }
        if let words = MethodSCRIPTRun.words(output) { actions.emit(.marker(label: words, deviceTime: nil)) }
    }

    static func closes(_ end: MethodSCRIPTOutput, _ begin: MethodSCRIPTOutput) -> Bool {
        switch (end, begin) {
        case (.measurementEnd, .measurement), (.loopEnd, .loop), (.scanEnd, .scan): true
        default: false
        }
    }

    mutating func failed(_ failure: MethodSCRIPTFailure, _ actions: inout [ConversationAction]) {
        // Nothing ran any more when the abort arrived.
        if failure.command == "Z", failure.code == 6 {
            if !mayRun { actions.emit(.log("no script runs that could be aborted")) }
            return ended(&actions)
        }
        if let command = failure.command, command != "e" {
            return actions.emit(.log(failure.description))
        }
        var told = failure
        if let script = settings.script, let line = failure.line { told.line = script.fileLine(line) ?? line }
        let name = settings.script.map { "\($0.name), " } ?? ""
        actions.emit(.failed(DeviceFailure(code: failure.codeText, description: name + told.description)))
        ended(&actions)
    }

    /// The script ended.
    /// - Parameter isSure: whether the instrument said so; otherwise leaving it aborts it once more.
    mutating func ended(_ actions: inout [ConversationAction], isSure: Bool = true) {
        streams.flush(&actions)
        if !nesting.isEmpty, phase == .running {
            actions.emit(.log("the script ended within \(nesting.count) open loop\(nesting.count == 1 ? "" : "s")"))
        }
        nesting = []
        outgoing = []
        (sendDue, replyDue) = (nil, nil)
        phase = .idle
        isForeign = false
        if isHalted {
            isHalted = false
            actions.emit(.status(.paused(false)))
        }
        if mayRun { actions.emit(.finished) }
        mayRun = mayRun && !isSure
        if isLeaving { actions.append(.close) }
    }
}
