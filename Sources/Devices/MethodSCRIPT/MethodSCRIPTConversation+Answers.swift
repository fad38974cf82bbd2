import Formats
import Signals

/// What the instrument says.
extension MethodSCRIPTConversation {
    mutating func take(_ line: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]) {
        switch phase {
        case .closed, .rousing: break
        case .asking(let question): answered(question, line, at: moment, &actions)
        case .recovering:
            let isOver = line.isEmpty || MethodSCRIPTFailure(line: String(decoding: line, as: UTF8.self)) != nil
            if isOver { ask(.version, at: moment, &actions) }
        case .idle:
            guard !line.isEmpty else { return }
            if settings.script == nil, let begun = try? MethodSCRIPTOutput(line), isProgress(begun) {
                listen(&actions)
                return output(begun, at: moment, &actions)
            }
            malformed(line, "the instrument speaks although no script runs", &actions)
        case .loading, .running, .aborting:
            guard !isAnswerToWatch(line) else { return }
            do throws(MethodSCRIPTProblem) {
                output(try MethodSCRIPTOutput(line), at: moment, &actions)
            } catch {
                malformed(line, error.description, &actions)
            }
        }
    }

    func malformed(_ line: [UInt8], _ problem: String, _ actions: inout [ConversationAction]) {
        actions.emit(.malformed(MalformedMessage(place: "MethodSCRIPT line", problem: problem, bytes: line)))
    }

    mutating func answered(
        _ question: Question, _ line: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        let text = String(decoding: line, as: UTF8.self)
        if let failure = MethodSCRIPTFailure(line: text) { return refused(question, failure, at: moment, &actions) }
        if isInterrupted, let output = try? MethodSCRIPTOutput(line) {
            return self.output(output, at: moment, &actions)
        }
        switch question {
        case .version: addVersionLine(text, at: moment, &actions)
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

    /// Takes a line of the answer to `t`. A `*` ends the answer, in its first line or a later one; firmware that never sends
    /// it has ended its answer when it is silent for `settings.lineTimeout`.
    mutating func addVersionLine(_ text: String, at moment: Seconds, _ actions: inout [ConversationAction]) {
        // Without its letter it is no answer, and the letter alone is an echo.
        guard !versionLines.isEmpty || text.first == "t" && text.count > 1 else { return }
        if versionLines.count < Self.maxVersionLines { versionLines.append(text) }
        if text.hasSuffix("*") {
            endVersion(at: moment, &actions)
        } else {
            replyDue = moment + settings.lineTimeout
        }
    }

    /// Reads the lines of the answer to `t`, and asks on.
    mutating func endVersion(at moment: Seconds, _ actions: inout [ConversationAction]) {
        firmware = versionLines.first.flatMap { MethodSCRIPTFirmware(answer: $0) }
        let rest = versionLines.dropFirst().map { $0.hasSuffix("*") ? String($0.dropLast()) : $0 }
        let release = rest.filter { !$0.isEmpty }.joined(separator: " ")
        identity.details["release"] = release.isEmpty ? nil : String(release.prefix(64))
        ask(.serialNumber, at: moment, &actions)
    }

    private static let maxVersionLines = 8

    mutating func refused(
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
        case .version where failure.code == 6 && settings.script == nil:
            listen(&actions)
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

    mutating func identified(at moment: Seconds, _ actions: inout [ConversationAction]) {
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
