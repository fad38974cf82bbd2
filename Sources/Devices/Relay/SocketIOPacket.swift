import Foundation
import Signals

/// A packet of Socket.IO (protocol revisions 2 to 5), the content of an Engine.IO message:
/// `kind[attachments-][/namespace,][number][JSON]`.
public struct SocketIOPacket: Hashable, Sendable {
    /// The kind of a packet, by its digit.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case connect = 0
        case disconnect, event, acknowledgement, error, binaryEvent, binaryAcknowledgement

        /// True where binary packets follow.
        var isBinary: Bool { self == .binaryEvent || self == .binaryAcknowledgement }
    }

    /// The kind.
    public var kind: Kind
    /// The namespace, `/` where none is written.
    public var namespace: String
    /// The number of the acknowledgement that is asked for or given; nil for none.
    public var number: Int?
    /// The JSON text; empty for none.
    public var json: String
    /// The number of binary packets that follow.
    public var attachmentCount = 0

    private static let maxDigits = 15

    /// A packet of the default namespace, unless another is given.
    public init(_ kind: Kind, namespace: String = "/", number: Int? = nil, json: String = "") {
        (self.kind, self.namespace, self.number, self.json) = (kind, namespace, number, json)
    }

    /// An event with a name and a JSON text, which may be empty.
    public static func event(_ name: String, _ json: String = "") -> SocketIOPacket {
        SocketIOPacket(.event, json: "[" + ArctopFrames.quoted(name) + (json.isEmpty ? "" : "," + json) + "]")
    }

    /// The name of an event and the JSON text of its first argument: empty for none, and of a text the text itself.
    /// - Throws: `MalformedMessage` where the JSON is no list that begins with a name.
    public var event: (name: String, payload: String) {
        get throws(MalformedMessage) {
            guard let list = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [Any],
                let name = list.first as? String
            else {
                throw MalformedMessage(
                    place: "Socket.IO event", problem: "an event is a list that begins with a name",
                    bytes: Array(json.utf8))
            }
            guard list.count > 1 else { return (name, "") }
            if let text = list[1] as? String { return (name, text) }
            let data = try? JSONSerialization.data(
                withJSONObject: list[1], options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
            return (name, data.map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// Reads the content of a message. The JSON text is not looked at.
    /// - Throws: `MalformedMessage` where the kind is unknown, or a binary packet does not say what follows.
    public init(_ text: String) throws(MalformedMessage) {
        func broken(_ problem: String) -> MalformedMessage {
            MalformedMessage(place: "Socket.IO packet", problem: problem, bytes: Array(text.utf8))
        }
        var rest = text[...].utf8
        guard let first = rest.popFirst(), let kind = Kind(rawValue: first &- UInt8(ascii: "0")) else {
            throw broken("a packet begins with a digit from 0 to 6")
        }
        self.init(kind)
        if kind.isBinary {
            guard let count = Self.number(&rest), rest.popFirst() == UInt8(ascii: "-") else {
                throw broken("a binary packet says how many attachments follow")
            }
            attachmentCount = count
        }
        if rest.first == UInt8(ascii: "/") {
            let name = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest.dropFirst(name.count + 1)
            // Clients before revision 5 put their query behind the namespace.
            namespace = String(name.prefix { $0 != UInt8(ascii: "?") }) ?? "/"
        }
        if let first = rest.first, Self.isDigit(first) {
            guard let found = Self.number(&rest) else { throw broken("the number of an acknowledgement is too long") }
            number = found
        }
        json = String(rest) ?? ""
    }

    /// The packet on the wire.
    public var encoded: String {
        "\(kind.rawValue)" + (kind.isBinary ? "\(attachmentCount)-" : "") + (namespace == "/" ? "" : namespace + ",")
            + (number.map(String.init) ?? "") + json
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Takes digits; nil without digits, and for too many.
    private static func number(_ rest: inout Substring.UTF8View) -> Int? {
        let digits = rest.prefix { isDigit($0) }
        guard (1...maxDigits).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
