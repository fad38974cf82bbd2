/// Follows the requests on a connection byte by byte, understanding no more of them than where they end, and lets on only
/// what keeps within bounds (RFC 9112). What it lets on has one reading: a head with a line that could be read in two ways
/// is refused.
struct RequestFraming {
    /// What is taken.
    struct Bounds: Hashable {
        /// The longest head, bytes.
        var head: Int
        /// The longest body, bytes.
        var body: Int
        /// The longest frame of a WebSocket, bytes.
        var frame: Int
    }

    private enum State {
        case head
        case body(Int)
        case handshake
        case frames(FrameMeter)
    }

    private let bounds: Bounds
    private let addition: [UInt8]
    private let admit: @Sendable (RequestHead) throws(Problem) -> Void
    private var state = State.head
    private var head: [UInt8] = []
    private var lineBegin = 0
    /// Requests whose heads were let on.
    private(set) var requests = 0
    /// Whether the client waits to be told that it may send the body.
    private(set) var isAskedToContinue = false

    /// - Parameters:
    ///   - addition: a header line put at the end of each head, where it outdoes any the client sent.
    ///   - admit: asked about every request with a body within the bounds; it throws why that may not come.
    init(
        _ bounds: Bounds, addition: String, admit: @escaping @Sendable (RequestHead) throws(Problem) -> Void
    ) {
        (self.bounds, self.admit) = (bounds, admit)
        self.addition = Array((addition + "\r\n\r\n").utf8)
    }

    /// Whether a head has begun and not ended.
    var isInHead: Bool { if case .head = state { !head.isEmpty } else { false } }
    /// Whether a body has begun and not ended.
    var isInBody: Bool { if case .body = state { true } else { false } }
    /// Whether a WebSocket was asked for and the answer is awaited: `switched` tells it.
    var isInHandshake: Bool { if case .handshake = state { true } else { false } }
    /// Whether it is a WebSocket by now.
    var isInFrames: Bool { if case .frames = state { true } else { false } }
    /// Whether the head that has begun, or was refused, is that of a request whose answer has no body.
    var isHeadOnly: Bool { String(decoding: head.prefix(5), as: UTF8.self).uppercased() == "HEAD " }

    /// Tells what the server answered to a handshake.
    mutating func switched(toFrames: Bool) { state = toFrames ? .frames(FrameMeter()) : .head }

    /// Takes bytes from the client and appends what may go on.
    /// - Throws: why the rest may not.
    mutating func take(_ bytes: [UInt8], into passed: inout [UInt8]) throws(Problem) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .head:
                try take(bytes[index], into: &passed)
                index += 1
            case .body(let left):
                isAskedToContinue = false
                let count = min(left, bytes.count - index)
                passed += bytes[index..<index + count]
                index += count
                state = left > count ? .body(left - count) : .head
            case .handshake:
                throw .invalid("nothing may follow a handshake before it is answered")
            case .frames(var meter):
                try meter.take(bytes[index...], longest: bounds.frame)
                state = .frames(meter)
                passed += bytes[index...]
                index = bytes.count
            }
        }
    }

    private mutating func take(_ byte: UInt8, into passed: inout [UInt8]) throws(Problem) {
        guard head.count < bounds.head else {
            throw Problem(431, "headTooLong", "a request's lines may have \(bounds.head) bytes together")
        }
        head.append(byte)
        guard byte == UInt8(ascii: "\n") else { return }
        let line = head[lineBegin..<head.count - 1]
        guard line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) else {
            lineBegin = head.count
            return
        }
        let found = try RequestHead(head[..<lineBegin])
        try begin(found)
        passed += head[..<lineBegin] + addition
        head.removeAll(keepingCapacity: true)
        lineBegin = 0
    }

    private mutating func begin(_ found: RequestHead) throws(Problem) {
        requests += 1
        // The server behind leaves the rest of a body that is longer unread, and would take it for the next request.
        guard found.length <= bounds.body else {
            throw Problem(413, "tooLarge", "a body may have \(bounds.body) bytes")
        }
        if found.isHandshake {
            guard requests == 1, found.length == 0 else {
                throw .invalid("a handshake has no body, and a connection of its own")
            }
            state = .handshake
        } else if found.length > 0 {
            try admit(found)
            isAskedToContinue = found.expectsContinue
            state = .body(found.length)
        }
    }
}
