/// A command to the control point.
public enum PMDCommand: Hashable, Sendable {
    /// Which settings a measurement has.
    case getSettings(PMDType)
    /// Starts a measurement with these settings.
    case start(PMDType, PMDSettings)
    /// Stops a measurement.
    case stop(PMDType)
    /// Which measurements run.
    case getStatus

    /// The command's number.
    public var opcode: UInt8 {
        switch self {
        case .getSettings: 1
        case .start: 2
        case .stop: 3
        case .getStatus: 5
        }
    }

    /// The bytes to write.
    public var bytes: [UInt8] {
        switch self {
        case .getSettings(let type), .stop(let type): [opcode, type.rawValue]
        case .start(let type, let settings): [opcode, type.rawValue] + settings.bytes
        case .getStatus: [opcode]
        }
    }
}

/// What the control point says by indication.
public enum PMDIndication: Hashable, Sendable {
    /// The answer to a command.
    case reply(PMDReply)
    /// The device stopped these measurements by itself.
    case stopped([PMDType])

    /// Reads an indication.
    /// - Throws: `PMDError.malformed`.
    public init(_ bytes: [UInt8]) throws(PMDError) {
        guard let first = bytes.first else { throw .malformed("empty indication") }
        switch first {
        case 0x01: self = .stopped(bytes.dropFirst().compactMap { PMDType(masked: $0) })
        case 0xF0:
            guard bytes.count >= 4 else { throw .malformed("an answer of \(bytes.count) bytes") }
            let isSuccess = bytes[3] == 0
            self = .reply(
                PMDReply(
                    opcode: bytes[1], type: PMDType(masked: bytes[2]), status: PMDStatus(rawValue: bytes[3]),
                    code: bytes[3], hasMore: isSuccess && bytes.count > 4 && bytes[4] != 0,
                    parameters: isSuccess ? Array(bytes.dropFirst(5)) : []))
        default: throw .malformed("an indication that begins with \(first)")
        }
    }
}

/// The answer to a command, or a part of it.
public struct PMDReply: Hashable, Sendable {
    /// The command's number.
    public var opcode: UInt8
    /// The measurement it was about; nil for one that is not known.
    public var type: PMDType?
    /// How it went; nil for a code that is not known.
    public var status: PMDStatus?
    /// The status as sent.
    public var code: UInt8
    /// Another part follows.
    public var hasMore: Bool
    /// What was asked for, or this part of it.
    public var parameters: [UInt8]

    /// The indication's bytes.
    public var bytes: [UInt8] {
        let head: [UInt8] = [0xF0, opcode, type?.rawValue ?? 0xFF, code]
        return code == 0 ? head + [hasMore ? 1 : 0] + parameters : head
    }

    /// An answer.
    public init(
        opcode: UInt8, type: PMDType?, status: PMDStatus?, code: UInt8, hasMore: Bool = false,
        parameters: [UInt8] = []
    ) {
        self.opcode = opcode
        self.type = type
        self.status = status
        self.code = code
        self.hasMore = hasMore
        self.parameters = parameters
    }
}

/// How a command went.
public enum PMDStatus: UInt8, CaseIterable, Sendable, CustomStringConvertible {
    case success = 0
    case invalidOpcode, invalidType, notSupported, invalidLength, invalidParameter, alreadyInState
    case invalidResolution, invalidSampleRate, invalidRange, invalidMTU, invalidChannels, invalidState
    case inCharger, diskFull

    /// In words, with what to do.
    public var description: String {
        switch self {
        case .success: "success"
        case .invalidOpcode: "it does not know the command"
        case .invalidType: "it does not know the measurement"
        case .notSupported: "it can't make this measurement"
        case .invalidLength: "the command has the wrong length"
        case .invalidParameter: "a setting is not possible"
        case .alreadyInState: "the measurement runs already or has stopped already"
        case .invalidResolution: "the resolution is not possible"
        case .invalidSampleRate: "the sample rate is not possible"
        case .invalidRange: "the range is not possible"
        case .invalidMTU: "the connection's packets are too small: bring it nearer and connect again"
        case .invalidChannels: "the number of channels is not possible"
        case .invalidState: "it can't do this in its present state: stop other measurements first"
        case .inCharger: "it is in its charger: take it out"
        case .diskFull: "its memory is full: delete recordings in the maker's app"
        }
    }
}

/// Why bytes of the service can't be read, or a command failed.
public enum PMDError: Error, Hashable, Sendable {
    /// The bytes break the protocol.
    case malformed(String)
    /// A frame whose layout is not known; the layout's number as it is on the wire.
    case unsupportedFrame(type: PMDType, frameType: UInt8)
}
