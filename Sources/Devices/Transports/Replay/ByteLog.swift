import Foundation
public import Signals

/// What the raw byte log of one device begins with.
public struct ByteLogHeader: Hashable, Sendable, Codable {
    /// The kind of device, as the catalogue names it.
    public var device: String
    /// Where it was connected: an address, a path.
    public var place: String
    /// The options it was configured with, by their names; secrets are left out, since a replay needs none.
    public var options: [String: String]
    /// The host's wall clock, seconds since 1970, at `hostTime`.
    public var wallClock: Double
    /// The host's monotonic clock when the log began; all moments of the log are on this clock.
    public var hostTime: Seconds
    /// Whether subscriptions, reads and refusals are in the log; nil of logs written before they were.
    public var holdsRequests: Bool?
    /// The texts of the files that options name, by the names of the options; nil where there are none.
    public var files: [String: String]?

    /// Bytes of a file's text as JSON: the whole header is to be read at once.
    private static let mostText = 48 << 10

    /// A log of a device that begins now.
    public init(device: String, place: String, options: [String: String] = [:], clock: some HostClock) {
        self.device = device
        self.place = place
        let secrets = Set((DeviceModel.named(device)?.options ?? []).filter(\.isSecret).map(\.name))
        self.options = options.filter { !secrets.contains($0.key) }
        wallClock = clock.wallClock.secondsSince1970
        hostTime = clock.now
        holdsRequests = true
        keepFiles()
    }

    /// Who replays the log need not have the files that its options name, nor be in the folder they were named from.
    private mutating func keepFiles() {
        for option in DeviceModel.named(device)?.options ?? [] where option.isFile && !option.isSecret {
            guard let path = options[option.name] else { continue }
            let file = URL(fileURLWithPath: path)
            let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
            if let text, let json = try? JSONEncoder().encode([text]), json.count <= Self.mostText {
                files = (files ?? [:]).merging([option.name: text]) { $1 }
            } else {
                options[option.name] = file.standardizedFileURL.path
            }
        }
    }
}

/// One message of a raw byte log.
///
/// The file is a row of records, little-endian: `7E B1`, kind (1 byte: 0 header, 1 received, 2 sent, 3 overrun,
/// 4 closed, 5 opened, 6 subscription asked for, 7 read asked for, 8 refused), endpoint (1 byte: 0 the stream, 1 a characteristic), length of the content (4 bytes), moment
/// in seconds on the host's monotonic clock (8 bytes, IEEE 754), the characteristic's UUID (16 bytes, only with
/// endpoint 1, most significant first), the content, and the CRC-32 of everything from the kind on (4 bytes). A refusal
/// is of what was last asked of its endpoint: one byte, 0 when there is no such characteristic, else 1, and the reason.
/// The first record is the header, JSON. Records are only ever appended, so a file that was cut is whole up to its last
/// complete record.
public struct ByteLogEntry: Hashable, Sendable {
    /// When, on the host's monotonic clock.
    public var moment: Seconds
    /// What happened.
    public var content: Content

    /// What happened at `moment`.
    public init(_ content: Content, at moment: Seconds) {
        self.moment = moment
        self.content = content
    }

    /// What happens on a connection.
    public enum Content: Hashable, Sendable {
        /// The connection was made.
        case opened
        case received([UInt8], from: Endpoint)
        case sent([UInt8], to: Endpoint)
        /// A characteristic's notifications were asked for.
        case subscribed(BluetoothUUID)
        /// A characteristic's value was asked for.
        case asked(BluetoothUUID)
        /// What was last asked of this endpoint was refused.
        case refused(LinkError, by: Endpoint)
        /// So many messages were dropped because nobody took them in time.
        case overrun(count: Int)
        /// The connection ended; nil when in order, else why.
        case closed(String?)
    }

    /// The entry that says what a link said.
    public init(_ event: LinkEvent) {
        switch event {
        case .received(let bytes, let endpoint, let moment): self.init(.received(bytes, from: endpoint), at: moment)
        case .overrun(let count, let moment): self.init(.overrun(count: count), at: moment)
        case .resubscribed(let characteristic, let moment): self.init(.subscribed(characteristic), at: moment)
        case .closed(let error, let moment): self.init(.closed(error?.description), at: moment)
        }
    }
}

/// The bytes of a record.
enum ByteLogRecord {
    static let mark: [UInt8] = [0x7E, 0xB1]
    /// Bytes before the content, without the UUID.
    static let headLength = 16
    /// No message of any device is longer; a length beyond this is damage.
    static let longest = 1 << 24

    enum Kind: UInt8 {
        case header = 0
        case received, sent, overrun, closed, opened, subscribed, asked, refused
    }

    static func encode(_ kind: Kind, _ endpoint: Endpoint, _ moment: Seconds, _ content: some Collection<UInt8>)
        -> [UInt8]
    {
        var bytes = mark
        bytes.reserveCapacity(headLength + 20 + content.count)
        bytes.append(kind.rawValue)
        var uuid: BluetoothUUID?
        if case .characteristic(let characteristic) = endpoint { uuid = characteristic }
        bytes.append(uuid == nil ? 0 : 1)
        append(UInt32(truncatingIfNeeded: content.count), &bytes)
        append(moment.bitPattern, &bytes)
        if let uuid {
            append(uuid.high.byteSwapped, &bytes)
            append(uuid.low.byteSwapped, &bytes)
        }
        bytes.append(contentsOf: content)
        append(CRC32.of(bytes[2...]), &bytes)
        return bytes
    }

    static func encode(_ entry: ByteLogEntry) -> [UInt8] {
        let moment = entry.moment
        return switch entry.content {
        case .opened: encode(.opened, .stream, moment, [])
        case .received(let bytes, let endpoint): encode(.received, endpoint, moment, bytes)
        case .sent(let bytes, let endpoint): encode(.sent, endpoint, moment, bytes)
        case .subscribed(let uuid): encode(.subscribed, .characteristic(uuid), moment, [])
        case .asked(let uuid): encode(.asked, .characteristic(uuid), moment, [])
        case .refused(let error, let endpoint): encode(.refused, endpoint, moment, content(of: error))
        case .overrun(let count): encode(.overrun, .stream, moment, Array(String(count).utf8))
        case .closed(let reason): encode(.closed, .stream, moment, Array((reason ?? "").utf8))
        }
    }

    private static func append(_ number: some FixedWidthInteger, _ bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    static func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>, as: Number.Type) -> Number {
        bytes.reversed().reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    static func entry(_ kind: Kind, _ endpoint: Endpoint, _ moment: Seconds, _ content: [UInt8]) -> ByteLogEntry? {
        switch kind {
        case .header: nil
        case .opened: ByteLogEntry(.opened, at: moment)
        case .received: ByteLogEntry(.received(content, from: endpoint), at: moment)
        case .sent: ByteLogEntry(.sent(content, to: endpoint), at: moment)
        case .subscribed: endpoint.characteristic.map { ByteLogEntry(.subscribed($0), at: moment) }
        case .asked: endpoint.characteristic.map { ByteLogEntry(.asked($0), at: moment) }
        case .refused: refusal(endpoint, content).map { ByteLogEntry(.refused($0, by: endpoint), at: moment) }
        case .overrun:
            Int(String(decoding: content, as: UTF8.self)).map { ByteLogEntry(.overrun(count: $0), at: moment) }
        case .closed:
            ByteLogEntry(.closed(content.isEmpty ? nil : String(decoding: content, as: UTF8.self)), at: moment)
        }
    }

    private static func content(of error: LinkError) -> [UInt8] {
        if case .missing = error { [0] } else { [1] + Array(error.description.utf8) }
    }

    private static func refusal(_ endpoint: Endpoint, _ content: [UInt8]) -> LinkError? {
        switch content.first {
        case 0: endpoint.characteristic.map { .missing($0) }
        case 1: .refused(String(decoding: content.dropFirst(), as: UTF8.self))
        default: nil
        }
    }
}
