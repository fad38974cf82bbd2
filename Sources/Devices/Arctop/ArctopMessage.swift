import Foundation
public import Signals

/// A message of an Arctop stream server: one JSON object in a frame of two bytes of length, most significant first.
public enum ArctopMessage: Hashable, Sendable {
    case authorized
    case refused
    /// A challenge, whose answer is not documented.
    case challenge
    /// The headband's connection to the phone.
    case connection(previous: ConnectionState, current: ConnectionState)
    /// A metric's value as it was sent: −1 and NaN mean that none could be decoded.
    case value(key: String, Double, time: Seconds?)
    case quality(HeadbandQuality, time: Seconds?)
    case sessionComplete
    case failure(code: String, text: String)
    /// A command this program does not know.
    case unknown(String)

    /// Reads the JSON of a frame.
    /// - Throws: `MalformedMessage` when it is none of the protocol.
    public init(_ json: [UInt8]) throws(MalformedMessage) {
        func broken(_ problem: String) -> MalformedMessage {
            MalformedMessage(place: "Arctop message", problem: problem, bytes: json)
        }
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(Self.quotingNaN(json))) else {
            throw broken("no JSON object with a command")
        }
        let time = fields.timestamp.flatMap { $0.isFinite ? $0 / 1_000 : nil }
        switch fields.command {
        case "auth-success": self = .authorized
        case "auth-failed": self = .refused
        case "challenge": self = .challenge
        case "sessionComplete": self = .sessionComplete
        case "connection":
            guard let previous = fields.state(fields.previous), let current = fields.state(fields.current) else {
                throw broken("connection states are 0 to 5")
            }
            self = .connection(previous: previous, current: current)
        case "valueChange":
            guard let key = fields.key, !key.isEmpty, key.utf8.count <= 64, let value = fields.value,
                !value.number.isInfinite
            else { throw broken("valueChange needs a key and a number as value") }
            self = .value(key: key, value.number, time: time)
        case "qa":
            guard let quality = fields.quality else { throw broken("qa needs passed and a type of 0 to 3") }
            self = .quality(quality, time: time)
        case "error": self = .failure(code: fields.errorCode?.text ?? "", text: fields.message ?? "no reason given")
        default: self = .unknown(String(fields.command.prefix(64)))
        }
    }

    /// JSON has no NaN, but some servers send one: it becomes a text. (Foundation's JSON5 would read it, but stops the
    /// process on some damaged texts.)
    private static func quotingNaN(_ json: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(json.count + 2)
        var isString = false
        var isEscaped = false
        var place = 0
        while place < json.count {
            let byte = json[place]
            if !isString, json[place...].starts(with: "NaN".utf8) {
                text += "\"NaN\"".utf8
                place += 3
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isString.toggle() }
            isEscaped = isString && !isEscaped && byte == UInt8(ascii: "\\")
            text.append(byte)
            place += 1
        }
        return text
    }

    private struct Fields: Decodable {
        var command: String
        var timestamp: Double?
        var previous: Int?
        var current: Int?
        var key: String?
        var value: Number?
        var passed: Bool?
        var type: Int?
        var errorCode: Code?
        var message: String?

        func state(_ number: Int?) -> ConnectionState? { number.flatMap { ConnectionState(rawValue: $0) } }

        var quality: HeadbandQuality? {
            guard let passed else { return nil }
            if passed { return .passed }
            guard let found = HeadbandQuality(rawValue: type ?? 0) else { return nil }
            // Not passed and no reason: the signal itself.
            return found == .passed ? .eegFailure : found
        }
    }

    /// A number, or the text `NaN`.
    private struct Number: Decodable {
        var number: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self.number = number
            } else if try container.decode(String.self) == "NaN" {
                number = .nan
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
            }
        }
    }

    /// A code written as a number or as text.
    private struct Code: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try (try? container.decode(Int.self)).map(String.init) ?? container.decode(String.self)
        }
    }
}

/// Cuts a byte stream into the frames of an Arctop stream server. Holds at most one frame.
struct ArctopFrames: Sendable {
    private var partial: [UInt8] = []

    /// Takes the next bytes; gives the frames that are complete, empty ones left out.
    mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        partial.append(contentsOf: bytes)
        var frames: [[UInt8]] = []
        var start = 0
        while partial.count - start >= 2 {
            let length = Int(partial[start]) << 8 | Int(partial[start + 1])
            guard partial.count - start - 2 >= length else { break }
            if length > 0 { frames.append(Array(partial[start + 2..<start + 2 + length])) }
            start += 2 + length
        }
        partial.removeFirst(start)
        return frames
    }

    /// Whether what comes next is no JSON object: where frames begin is not known any more.
    var isLost: Bool {
        guard partial.count > 2, (partial[0], partial[1]) != (0, 0) else { return false }
        return partial[2] != UInt8(ascii: "{") && partial[2] > UInt8(ascii: " ")
    }

    /// Forgets what was half read.
    mutating func reset() {
        partial = []
    }

    /// The frame around a text; nil when it is longer than a frame can be.
    static func frame(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count <= 0xFFFF else { return nil }
        return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    /// A JSON text with its quotes.
    static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let data = try? encoder.encode(text) else { return "\"\"" }
        return String(decoding: data, as: UTF8.self)
    }
}
