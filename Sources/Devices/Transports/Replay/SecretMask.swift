import Foundation

/// The mask of a device's secrets: every occurrence in bytes that came or went is replaced by as many `*`, so that frames keep
/// their lengths and a log can be replayed.
///
/// A secret is found verbatim, as JSON writes it (with and without escaped slashes), percent-encoded and in base64, also where
/// chunks cut it anywhere. Each direction of each endpoint is one sequence of bytes.
struct SecretMask {
    /// A direction of an endpoint.
    private struct Flow: Hashable {
        var endpoint: Endpoint
        var isIncoming: Bool
    }

    /// The last bytes of a flow as they were, and where each of them lies.
    private struct Tail {
        var bytes: [UInt8] = []
        var places: [Place] = []
    }

    private struct Place {
        var entry: Int
        var offset: Int
    }

    /// Beginnings of a secret of this length and more are masked where it is not known yet what follows.
    private static let minPrefix = 4
    private static let maxWaiting = 256
    /// Secrets shorter than this would mask half of what a device says.
    private static let minSecret = 4

    /// The bytes that are masked; empty: nothing is masked.
    private let patterns: [[UInt8]]
    private var tails: [Flow: Tail] = [:]
    /// The oldest entry that each flow still waits for.
    private var held: [Flow: Int] = [:]
    private var waiting: [ByteLogEntry] = []
    /// The number of the first entry that waits.
    private var first = 0

    /// A mask of these secrets; those of fewer than 4 bytes are left out.
    init(_ secrets: [String]) {
        patterns = Set(secrets.flatMap(Self.forms)).filter { $0.count >= Self.minSecret }
            .sorted { ($0.count, $0.description) > ($1.count, $1.description) }
    }

    /// Takes an entry.
    /// - Returns: the entries that can be written, in their order: what may be the beginning of a secret waits.
    mutating func take(_ entry: ByteLogEntry) -> [ByteLogEntry] {
        guard !patterns.isEmpty else { return [entry] }
        waiting.append(Self.masked(entry, patterns))
        let number = first + waiting.count - 1
        switch entry.content {
        case .received(let bytes, let endpoint): follow(bytes, Flow(endpoint: endpoint, isIncoming: true), number)
        case .sent(let bytes, let endpoint): follow(bytes, Flow(endpoint: endpoint, isIncoming: false), number)
        case .opened, .closed:
            // A secret does not continue in the next connection.
            defer { tails = [:] }
            return release()
        case .subscribed, .asked, .refused, .overrun: break
        }
        if waiting.count > Self.maxWaiting { return release() }
        let ready = max(0, min(held.values.min() ?? .max, first + waiting.count) - first)
        defer {
            waiting.removeFirst(ready)
            first += ready
        }
        return Array(waiting[..<ready])
    }

    /// Lets go of everything that waits; what looks like the beginning of a secret is masked.
    mutating func release() -> [ByteLogEntry] {
        for tail in tails.values {
            let count = prefixLength(tail.bytes)
            if count >= Self.minPrefix { mask(tail.places.suffix(count)) }
        }
        held = [:]
        defer {
            first += waiting.count
            waiting = []
        }
        return waiting
    }

    private mutating func follow(_ bytes: [UInt8], _ flow: Flow, _ number: Int) {
        var tail = tails[flow] ?? Tail()
        tail.places += bytes.indices.map { Place(entry: number, offset: $0) }
        tail.bytes += bytes
        for range in Self.matches(patterns, in: tail.bytes) { mask(tail.places[range]) }
        let count = prefixLength(tail.bytes)
        held[flow] = count > 0 ? tail.places[tail.places.count - count].entry : nil
        // A whole secret that has been masked may begin the next one, so the tail is kept as it was.
        let kept = min(tail.bytes.count, (patterns.first?.count ?? 1) - 1)
        tail.bytes.removeFirst(tail.bytes.count - kept)
        tail.places.removeFirst(tail.places.count - kept)
        tails[flow] = tail
    }

    /// The length of the longest end of `bytes` that is the beginning of a secret and not all of it.
    private func prefixLength(_ bytes: [UInt8]) -> Int {
        let longest = min(bytes.count, (patterns.first?.count ?? 1) - 1)
        return (0...longest).reversed().first { count in
            let end = bytes.suffix(count)
            return patterns.contains { $0.count > count && $0.starts(with: end) }
        } ?? 0
    }

    private mutating func mask(_ places: some Sequence<Place>) {
        for place in places where place.entry >= first {
            switch waiting[place.entry - first].content {
            case .received(var bytes, let endpoint):
                bytes[place.offset] = Self.star
                waiting[place.entry - first].content = .received(bytes, from: endpoint)
            case .sent(var bytes, let endpoint):
                bytes[place.offset] = Self.star
                waiting[place.entry - first].content = .sent(bytes, to: endpoint)
            case .opened, .closed, .subscribed, .asked, .refused, .overrun: break
            }
        }
    }

    // MARK: - Whole texts

    private static let star = UInt8(ascii: "*")

    /// The bytes with the secrets masked, and the beginning of one at which they were cut.
    func masked(_ bytes: [UInt8]) -> [UInt8] {
        guard !patterns.isEmpty else { return bytes }
        let count = prefixLength(bytes)
        let masked = Self.masked(bytes, patterns)
        guard count >= Self.minPrefix else { return masked }
        return masked.dropLast(count) + Array(repeating: Self.star, count: count)
    }

    /// The text with the secrets masked.
    func masked(_ text: String) -> String {
        patterns.isEmpty ? text : String(decoding: masked(Array(text.utf8)), as: UTF8.self)
    }

    private static func masked(_ bytes: [UInt8], _ patterns: [[UInt8]]) -> [UInt8] {
        var bytes = bytes
        for range in matches(patterns, in: bytes) { for index in range { bytes[index] = star } }
        return bytes
    }

    /// The words of an entry that are no bytes of a flow.
    private static func masked(_ entry: ByteLogEntry, _ patterns: [[UInt8]]) -> ByteLogEntry {
        func text(_ text: String) -> String { String(decoding: masked(Array(text.utf8), patterns), as: UTF8.self) }
        var entry = entry
        switch entry.content {
        case .closed(let reason): entry.content = .closed(reason.map(text))
        case .refused(.refused(let reason), let endpoint):
            entry.content = .refused(.refused(text(reason)), by: endpoint)
        default: break
        }
        return entry
    }

    private static func matches(_ patterns: [[UInt8]], in bytes: [UInt8]) -> [Range<Int>] {
        patterns.flatMap { pattern -> [Range<Int>] in
            guard let head = pattern.first, bytes.count >= pattern.count else { return [] }
            return (0...bytes.count - pattern.count).compactMap { start in
                bytes[start] == head && bytes[start..<start + pattern.count].elementsEqual(pattern)
                    ? start..<start + pattern.count : nil
            }
        }
    }

    /// The ways in which a secret is written.
    private static func forms(_ secret: String) -> [[UInt8]] {
        let json = String(ArctopFrames.quoted(secret).dropFirst().dropLast())
        let texts = [
            secret, json, json.replacing("/", with: "\\/"), percentEncoded(secret),
            Data(secret.utf8).base64EncodedString(),
        ]
        return texts.map { Array($0.utf8) }
    }

    /// RFC 3986, section 2.3.
    private static func percentEncoded(_ secret: String) -> String {
        secret.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}

extension DeviceEvent {
    /// The event with the secrets masked in whatever words and bytes of the device it holds.
    public func masking(_ secrets: [String]) -> DeviceEvent {
        guard !secrets.isEmpty else { return self }
        let mask = SecretMask(secrets)
        switch self {
        case .marker(let label, let time, let isHostTime):
            return .marker(label: mask.masked(label), deviceTime: time, isHostTime: isHostTime)
        case .identity(var identity):
            let texts: [WritableKeyPath<DeviceIdentity, String>] = [
                \.name, \.manufacturer, \.model, \.serialNumber, \.firmware, \.hardware,
            ]
            for text in texts { identity[keyPath: text] = mask.masked(identity[keyPath: text]) }
            identity.details = identity.details.mapValues { mask.masked($0) }
            return .identity(identity)
        case .log(let text): return .log(mask.masked(text))
        case .malformed(let message):
            return .malformed(
                MalformedMessage(
                    place: mask.masked(message.place), problem: mask.masked(message.problem),
                    bytes: mask.masked(message.bytes)))
        case .failed(let failure):
            return .failed(
                DeviceFailure(code: mask.masked(failure.code), description: mask.masked(failure.description)))
        case .stream, .samples, .values, .receives, .received, .status, .script, .ready, .finished: return self
        }
    }
}
