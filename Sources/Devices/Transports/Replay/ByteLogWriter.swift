import Formats
public import Foundation

/// Writes the raw byte log of one device: only appends, one record per message.
public final class ByteLogWriter {
    /// The file.
    public let url: URL
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 16

    /// Begins a log. The file must not exist.
    /// - Throws: `FormatError` when it exists or cannot be written.
    public init(_ url: URL, header: ByteLogHeader) throws {
        self.url = url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o666)
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
    /// - Throws: `FormatError` when the disk refuses it.
    public func append(_ entry: ByteLogEntry) throws {
        buffer.append(contentsOf: ByteLogRecord.encode(entry))
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Hands everything to the system.
    /// - Throws: `FormatError` when the disk refuses it; what was not written is kept and tried again.
    public func flush() throws {
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
    /// - Throws: `FormatError` when the disk refuses what was left.
    public func close() throws {
        guard descriptor >= 0 else { return }
        defer {
            Foundation.close(descriptor)
            descriptor = -1
        }
        try sync()
    }
}
