import Formats
public import Signals

/// One line of an E4 streaming server (Empatica developer pages, windows-streaming-server-commands and -data, 2019).
public enum EmpaticaServerLine: Hashable, Sendable {
    /// Nothing, which some servers send between messages.
    case empty
    /// A value with the server's time stamp in seconds since 1970; acceleration in g, tags without values.
    case value(EmpaticaSignal, time: Seconds, [Double])
    /// The answer to a request.
    case reply(EmpaticaReply)
    /// Something the server tells unasked.
    case notice(EmpaticaNotice)

    /// Reads a line without its end.
    /// - Throws: `MalformedMessage` when it is none of the protocol.
    public init(_ bytes: [UInt8]) throws(MalformedMessage) {
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard let first = words.first else {
            self = .empty
            return
        }
        do throws(Problem) {
            if first == "R" {
                self = try Self.reply(Array(words.dropFirst()), text)
            } else if let signal = EmpaticaSignal(word: first) {
                self = try Self.value(signal, Array(words.dropFirst()))
            } else {
                throw Problem("expected R or the name of a signal, found \"\(first.prefix(32))\"")
            }
        } catch {
            throw MalformedMessage(place: "E4 server line", problem: error.text, bytes: bytes)
        }
    }

    private struct Problem: Error {
        var text: String
        init(_ text: String) { self.text = text }
    }

    private static func value(_ signal: EmpaticaSignal, _ words: [Substring]) throws(Problem) -> EmpaticaServerLine {
        guard let first = words.first, let time = number(first), (0..<1e12).contains(time) else {
            throw Problem("expected a time in seconds since 1970 after \(signal.word)")
        }
        // Some servers send a value with a tag; it has no meaning.
        if signal == .tag { return .value(.tag, time: time, []) }
        guard words.count == signal.valueCount + 1 else {
            throw Problem("\(signal.word) has \(words.count - 1) values, expected \(signal.valueCount)")
        }
        var values: [Double] = []
        for word in words.dropFirst() {
            guard let value = number(word), !value.isInfinite else {
                throw Problem("\(signal.word): \"\(word.prefix(32))\" is no number")
            }
            values.append(value)
        }
        return .value(signal, time: time, try inUnits(values, of: signal))
    }

    private static func inUnits(_ values: [Double], of signal: EmpaticaSignal) throws(Problem) -> [Double] {
        switch signal {
        case .acceleration:
            // Signed 8-bit counts of 1/64 g.
            guard values.allSatisfy({ $0.isNaN || (-128...127).contains($0) && $0 == $0.rounded() }) else {
                throw Problem("acceleration beyond -128 to 127")
            }
            return values.map { $0 / 64 }
        case .ibi, .heartRate:
            guard values.allSatisfy({ $0 > 0 }) else { throw Problem("\(signal.word) is not above 0") }
        case .battery:
            guard values.allSatisfy({ (0...1).contains($0) }) else { throw Problem("battery beyond 0 to 1") }
        case .bvp, .eda, .temperature, .tag: break
        }
        return values
    }

    /// A number with a decimal point, or with the comma that servers of some countries write.
    private static func number(_ word: Substring) -> Double? {
        let commas = word.utf8.count { $0 == UInt8(ascii: ",") }
        let hasComma = commas == 1 && !word.utf8.contains(UInt8(ascii: "."))
        return NumberParsing.double(word, mark: hasComma ? UInt8(ascii: ",") : UInt8(ascii: "."))
    }

    private static func reply(_ words: [Substring], _ text: String) throws(Problem) -> EmpaticaServerLine {
        guard let command = words.first else { throw Problem("an R without a message") }
        if let notice = EmpaticaNotice(words) { return .notice(notice) }
        switch command {
        case "device_list", "device_discover_list":
            return .reply(.init(String(command), try list(words, text)))
        case "device_subscribe":
            guard words.count >= 3 else { throw Problem("a reply to device_subscribe without a stream") }
            return .reply(.init("device_subscribe \(words[1])", try outcome(Array(words.dropFirst(2)))))
        case "pause" where words.count > 1 && ["ON", "OFF"].contains(words[1]):
            return .reply(.init("pause \(words[1])", .done))
        case "device_connect", "device_connect_btle", "device_disconnect", "device_disconnect_btle", "pause",
            "server_status":
            return .reply(.init(String(command), try outcome(Array(words.dropFirst()))))
        default: throw Problem("an unknown reply \"\(command.prefix(40))\"")
        }
    }

    private static func outcome(_ words: [Substring]) throws(Problem) -> EmpaticaReply.Outcome {
        switch words.first {
        case "OK", "ON", "OFF": return .done
        case "ERR": return .refused(words.dropFirst().joined(separator: " "))
        default: throw Problem("a reply with neither OK nor ERR")
        }
    }

    private static func list(_ words: [Substring], _ text: String) throws(Problem) -> EmpaticaReply.Outcome {
        if words.count > 1, words[1] == "ERR" { return .refused(words.dropFirst(2).joined(separator: " ")) }
        guard words.count > 1, let count = Int(words[1]), count >= 0 else {
            throw Problem("a list of devices without their number")
        }
        var devices: [FoundDevice] = []
        for part in text.split(separator: "|").dropFirst() {
            let fields = part.split(separator: " ")
            guard let id = fields.first else { continue }
            devices.append(
                FoundDevice(
                    id: String(id), model: fields.count > 1 ? String(fields[1]) : "",
                    isAllowed: !fields.dropFirst(2).contains("not_allowed")))
        }
        guard devices.count == count else { throw Problem("a list of \(count) devices with \(devices.count) entries") }
        return .devices(devices)
    }
}

/// The answer of an E4 streaming server to one request.
public struct EmpaticaReply: Hashable, Sendable {
    /// The request it answers: its first word, and the stream's name after `device_subscribe`, the state after `pause`.
    public var request: String
    /// What came of it.
    public var outcome: Outcome

    /// What came of a request.
    public enum Outcome: Hashable, Sendable {
        case done
        /// In the server's words.
        case refused(String)
        case devices([FoundDevice])
    }

    init(_ request: String, _ outcome: Outcome) {
        self.request = request
        self.outcome = outcome
    }
}

/// What an E4 streaming server tells unasked of a device.
public enum EmpaticaNotice: Hashable, Sendable {
    case lost(device: String)
    case reestablished(device: String)
    case turnedOff(device: String)

    init?(_ words: [Substring]) {
        guard words.count >= 5, let last = words.last else { return nil }
        if words.starts(with: ["connection", "lost", "to", "device"]) {
            self = .lost(device: String(last))
        } else if words.starts(with: ["connection", "re-established", "to", "device"]) {
            self = .reestablished(device: String(last))
        } else if words[0] == "device", words.dropFirst(2).elementsEqual(["turned", "off", "via", "button"]) {
            self = .turnedOff(device: String(words[1]))
        } else {
            return nil
        }
    }
}
