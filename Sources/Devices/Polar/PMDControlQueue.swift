import Signals

/// Commands on their way to the control point, one at a time.
struct PMDControlQueue: Sendable {
    private var waiting: [PMDCommand] = []
    private var current: PMDCommand?
    private var parts: [UInt8] = []
    private var deadline: Seconds = 0
    private var attempts = 0

    /// How long an answer may take before the command is sent again.
    static let patience: Seconds = 10
    private static let mostAttempts = 3
    private static let longestReply = 4_096
    private static let stop = PMDCommand.stop(.ecg).opcode

    /// Nothing waits and nothing is under way.
    var isIdle: Bool { waiting.isEmpty && current == nil }

    /// The deadline of the command under way; nil when no command is under way.
    var due: Seconds? { current == nil ? nil : deadline }

    mutating func add(_ command: PMDCommand) { waiting.append(command) }

    mutating func addFirst(_ command: PMDCommand) { waiting.insert(command, at: 0) }

    mutating func replaceWaiting(with commands: [PMDCommand]) { waiting = commands }

    /// Sends the next command when none is under way; false when it did not.
    mutating func sendNext(at moment: Seconds, into actions: inout [ConversationAction]) -> Bool {
        guard current == nil, !waiting.isEmpty else { return false }
        let command = waiting.removeFirst()
        current = command
        attempts = 0
        send(command, at: moment, into: &actions)
        return true
    }

    private mutating func send(_ command: PMDCommand, at moment: Seconds, into actions: inout [ConversationAction]) {
        attempts += 1
        parts = []
        deadline = moment + Self.patience
        actions.append(.send(command.bytes, to: .characteristic(PMD.controlPoint), acknowledged: true))
        actions.append(.wake(at: deadline))
    }

    /// Takes an answer; returns the command and all its parameters once the last part is there. Answers to stops that
    /// somebody else asked for, as in a log that is replayed, say nothing.
    /// - Throws: `PMDError.malformed` for an answer to something that was not asked.
    mutating func take(_ reply: PMDReply) throws(PMDError) -> (PMDCommand, [UInt8])? {
        guard let command = current, command.opcode == reply.opcode, command.type == nil || command.type == reply.type
        else {
            if reply.opcode == Self.stop { return nil }
            throw .malformed("an answer to a command that was not sent")
        }
        parts += reply.parameters
        guard parts.count <= Self.longestReply else {
            parts = []
            throw .malformed("an answer without end")
        }
        if reply.hasMore { return nil }
        current = nil
        defer { parts = [] }
        return (command, parts)
    }

    /// Sends the command under way again when its time is over; returns it when that was tried often enough.
    mutating func expire(at moment: Seconds, into actions: inout [ConversationAction]) -> PMDCommand? {
        guard let command = current else { return nil }
        guard moment >= deadline else {
            actions.append(.wake(at: deadline))
            return nil
        }
        guard attempts >= Self.mostAttempts else {
            send(command, at: moment, into: &actions)
            return nil
        }
        current = nil
        return command
    }
}

extension PMDCommand {
    /// The measurement it is about.
    var type: PMDType? {
        switch self {
        case .getSettings(let type), .start(let type, _), .stop(let type): type
        case .getStatus: nil
        }
    }
}

extension PMDCommand: CustomStringConvertible {
    /// What it asks, in words.
    public var description: String {
        switch self {
        case .getSettings(let type): "settings of \(type.stream)"
        case .start(let type, _): "start of \(type.stream)"
        case .stop(let type): "stop of \(type.stream)"
        case .getStatus: "status"
        }
    }
}
