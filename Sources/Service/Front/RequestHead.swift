/// What the lines of a request tell of where it ends, and of whether a long body is worth reading.
struct RequestHead {
    /// Such as `GET`.
    let method: String
    /// The path with the query, as it was sent.
    let target: String
    /// What it says of a key; of several such lines the last counts.
    private(set) var authorization: String?
    /// Whether the client waits to be told before it sends the body.
    private(set) var expectsContinue = false
    /// Bytes of the body.
    private(set) var length = 0
    /// Whether a WebSocket is asked for.
    private(set) var isHandshake = false

    /// Reads whole lines, without the empty one at the end.
    /// - Throws: why the request cannot be taken.
    init(_ bytes: ArraySlice<UInt8>) throws(Problem) {
        // The server behind ends a connection with a line that is not, and tells nobody why.
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .invalid("the lines of a request are text in UTF-8; other bytes of a path are written like %E4")
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
        let parts = lines.popFirst()?.split(separator: UInt8(ascii: " ")) ?? []
        guard parts.count == 3, !parts.joined().contains(where: { $0 < 0x20 && $0 != 0x0D }) else {
            throw .invalid("this is no request of HTTP/1.1")
        }
        (method, target) = (
            String(decoding: parts[0], as: UTF8.self).uppercased(), String(decoding: parts[1], as: UTF8.self)
        )
        let version = parts[2].last == 0x0D ? parts[2].dropLast() : parts[2]
        let isCurrent = version.elementsEqual("HTTP/1.1".utf8)
        guard isCurrent || version.elementsEqual("HTTP/1.0".utf8) else {
            throw Problem(505, "version", "send requests of HTTP/1.1")
        }
        guard Self.methods.contains(method) else {
            throw Problem(501, "method", "this is no method of HTTP; /openapi.json lists what there is")
        }
        var hasLength = false
        for line in lines {
            let (name, value) = try Self.field(line)
            switch name {
            case "content-length":
                guard !hasLength, let number = Self.number(value) else {
                    throw .invalid("Content-Length is one whole number")
                }
                (length, hasLength) = (number, true)
            case "transfer-encoding":
                throw Problem(411, "noLength", "send the body's length as Content-Length, not in pieces")
            case "authorization": authorization = value
            case "expect": expectsContinue = isCurrent && value.lowercased() == "100-continue"
            case "upgrade": isHandshake = value.lowercased().contains("websocket")
            default: break
            }
        }
    }

    /// Methods that the server behind knows nothing of unless they are named; they are answered like others that do not fit.
    static let rareMethods = [
        "QUERY", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "SEARCH", "REPORT", "LINK",
        "UNLINK", "PURGE",
    ]

    private static let methods = Set(
        ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "CONNECT", "TRACE"] + rareMethods)

    private static func field(_ line: ArraySlice<UInt8>) throws(Problem) -> (name: String, value: String) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isToken)
        else { throw .invalid("a header line is a name of letters, digits and hyphens, a colon, and a value") }
        let value = String(decoding: line[(colon + 1)...], as: UTF8.self)
        return (
            String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            String(value.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0.isWhitespace }.reversed())
        )
    }

    /// Digits alone; what does not fit is as long as can be.
    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text) ?? .max
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
