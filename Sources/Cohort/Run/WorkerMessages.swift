import Foundation

/// What a worker says on standard error, which goes to a file over all of its recordings.
struct WorkerMessages {
    let file: URL
    /// The bytes that were there before the recording it is at.
    private var start: UInt64 = 0

    /// How many lines are told, of how many bytes at most.
    private static let (mostLines, mostBytes) = (3, UInt64(4096))

    init(_ file: URL) { self.file = file }

    /// What was said so far belongs to earlier recordings.
    mutating func forget() {
        var status = stat()
        start = stat(file.path, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
    }

    /// The last lines said since, as one line; empty when nothing was.
    var lastLines: String {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return "" }
        defer { try? handle.close() }
        guard let end = try? handle.seekToEnd() else { return "" }
        let from = max(start, end - min(end, Self.mostBytes))
        guard from < end, (try? handle.seek(toOffset: from)) != nil, let data = try? handle.readToEnd() else {
            return ""
        }
        var lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The first may be torn.
        if from > start, lines.count > 1 { lines.removeFirst() }
        return lines.suffix(Self.mostLines).joined(separator: " / ")
    }
}
