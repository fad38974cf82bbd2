import Formats
public import Foundation

/// Writes the raw byte log of one device: only appends, one record per message. What waits for the disk is bounded: where
/// the disk takes nothing for too long the log ends, for one with a hole would mislead whoever replays it.
public final class ByteLogWriter {
    /// The file.
    public let url: URL
    /// Bytes that may wait for the disk.
    private let mostWaiting: Int
    private var mask: SecretMask
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    /// Bytes of the messages after the log's end.
    private var left = 0
    private static let bufferSize = 1 << 16

    /// Begins a log, for its owner alone as the recording is. The file must not exist.
    /// - Parameters:
    ///   - secrets: values that are masked wherever they occur, such as the key of an account.
    ///   - mostWaiting: bytes that may wait for the disk before the log ends.
    /// - Throws: `FormatError` when it exists or cannot be written.
    public init(_ url: URL, header: ByteLogHeader, secrets: [String] = [], mostWaiting: Int = 16 << 20) throws {
        self.url = url
        mask = SecretMask(secrets)
        var header = header
        header.place = mask.masked(header.place)
        header.options = header.options.mapValues { [mask] in mask.masked($0) }
        self.mostWaiting = max(mostWaiting, Self.bufferSize)
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let content = try encoder.encode(header)
        buffer = ByteLogRecord.encode(.header, .stream, header.hostTime, content)
        try flush()
    }

    deinit {
        try? close()
    }

    /// Appends a message. It is in the file after `flush`, or when enough has gathered.
    /// - Throws: `FormatError` when the disk refuses it, or has refused so much that the log has ended.
    public func append(_ entry: ByteLogEntry) throws {
        for ready in mask.take(entry) { try put(ready) }
    }

    private func put(_ entry: ByteLogEntry) throws {
        let record = ByteLogRecord.encode(entry)
        // There may be room again.
        if left == 0, buffer.count >= mostWaiting { try? hand() }
        guard left == 0, buffer.count < mostWaiting else {
            left += record.count
            throw end
        }
        buffer.append(contentsOf: record)
        if buffer.count >= Self.bufferSize { try hand() }
    }

    /// Hands everything to the system.
    /// - Throws: `FormatError` when the disk refuses it; what was not written is kept and tried again.
    public func flush() throws {
        for ready in mask.release() { try put(ready) }
        try hand()
    }

    private func hand() throws {
        var written = 0
        defer { buffer.removeFirst(written) }
        while written < buffer.count {
            let count = buffer[written...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
            }
            written += count
        }
    }

    /// Hands everything to the disk.
    /// - Throws: `FormatError` when the disk refuses it.
    public func sync() throws {
        try flush()
        guard fdatasync(descriptor) == 0 else {
            throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    /// Ends the log; further messages are refused.
    /// - Throws: `FormatError` when the disk refuses what was left, or the log has ended before: with how much is missing.
    public func close() throws {
        guard descriptor >= 0 else { return }
        defer {
            Foundation.close(descriptor)
            descriptor = -1
        }
        do { try sync() } catch let error as FormatError {
            throw FormatError(url, "\(error.problem)\(missing)")
        }
        if left > 0 { throw end }
    }

    private var end: FormatError {
        FormatError(url, "ends early, because the disk took nothing for too long\(missing)")
    }

    /// How much is not in the file, in words.
    private var missing: String {
        let count = buffer.count + left
        return count == 0 ? "" : ": its last \(count) bytes are missing"
    }
}
