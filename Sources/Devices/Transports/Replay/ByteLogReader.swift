import Formats
public import Foundation

/// Reads a raw byte log, holding one piece of it in memory. A cut file is read up to its last whole record; damaged
/// stretches are passed over and counted.
public final class ByteLogReader {
    /// What the log begins with.
    public let header: ByteLogHeader
    /// Bytes that belong to no whole record: at the end of a cut file, or damaged.
    public private(set) var lostBytes = 0

    private let input: InputFile
    private var buffer: [UInt8] = []
    private var position = 0
    private var offset = 0

    /// Opens a log.
    /// - Throws: `FormatError` when it cannot be read or does not begin as one.
    public init(_ url: URL) throws {
        input = try InputFile(url)
        let start = try input.read(at: 0, count: 1 << 16)
        guard case .record(let kind, _, _, let content, let length) = Self.record(in: start[...], isWhole: true),
            kind == .header, let header = try? JSONDecoder().decode(ByteLogHeader.self, from: Data(content))
        else { throw FormatError(url, "is no raw byte log: its header is missing or damaged") }
        self.header = header
        offset = length
    }

    /// Whether the first bytes of a file are those of a log.
    public static func recognizes(_ head: [UInt8]) -> Bool {
        head.starts(with: ByteLogRecord.mark + [ByteLogRecord.Kind.header.rawValue, 0])
    }

    /// The next message; nil at the end.
    /// - Throws: `FormatError` when the file cannot be read.
    public func next() throws -> ByteLogEntry? {
        while true {
            switch Self.record(in: buffer[position...], isWhole: offset >= input.size) {
            case .record(let kind, let endpoint, let moment, let content, let length):
                position += length
                if let entry = ByteLogRecord.entry(kind, endpoint, moment, content) { return entry }
            case .incomplete:
                guard try refill() else {
                    lostBytes += buffer.count - position
                    position = buffer.count
                    return nil
                }
            case .damaged:
                position += 1
                lostBytes += 1
            }
        }
    }

    private func refill() throws -> Bool {
        let bytes = try input.read(at: offset, count: 1 << 16)
        guard !bytes.isEmpty else { return false }
        buffer.removeFirst(position)
        position = 0
        buffer.append(contentsOf: bytes)
        offset += bytes.count
        return true
    }

    private enum Found {
        case record(ByteLogRecord.Kind, Endpoint, moment: Double, content: [UInt8], length: Int)
        /// More bytes are needed to tell.
        case incomplete
        case damaged
    }

    private static func record(in bytes: ArraySlice<UInt8>, isWhole: Bool) -> Found {
        // At the end of the file what cannot be completed is damage, so that a later record is still found.
        let short: Found = isWhole && !bytes.isEmpty ? .damaged : .incomplete
        let start = bytes.startIndex
        if bytes.count >= 2, !bytes.starts(with: ByteLogRecord.mark) { return .damaged }
        guard bytes.count >= ByteLogRecord.headLength else { return short }
        guard let kind = ByteLogRecord.Kind(rawValue: bytes[start + 2]), bytes[start + 3] < 2 else { return .damaged }
        let hasUUID = bytes[start + 3] == 1
        let length = Int(ByteLogRecord.number(bytes[start + 4..<start + 8], as: UInt32.self))
        guard length <= ByteLogRecord.longest else { return .damaged }
        let contentStart = start + ByteLogRecord.headLength + (hasUUID ? 16 : 0)
        let end = contentStart + length
        guard bytes.endIndex >= end + 4 else { return short }
        let check = ByteLogRecord.number(bytes[end..<end + 4], as: UInt32.self)
        guard CRC32.of(bytes[start + 2..<end]) == check else { return .damaged }
        let moment = Double(bitPattern: ByteLogRecord.number(bytes[start + 8..<start + 16], as: UInt64.self))
        var endpoint = Endpoint.stream
        if hasUUID {
            let high = ByteLogRecord.number(bytes[start + 16..<start + 24], as: UInt64.self).byteSwapped
            let low = ByteLogRecord.number(bytes[start + 24..<start + 32], as: UInt64.self).byteSwapped
            endpoint = .characteristic(BluetoothUUID(high: high, low: low))
        }
        return .record(
            kind, endpoint, moment: moment, content: Array(bytes[contentStart..<end]), length: end + 4 - start)
    }
}
