/// Cuts a byte stream into lines that end with LF, CR LF or, at the cut of a read, either in pieces. Holds at most
/// one line of a bounded length.
struct LineBuffer: Sendable {
    /// A line without its end.
    enum Line {
        case complete([UInt8])
        /// Longer than the limit: only its beginning; the rest is passed over up to the next LF.
        case tooLong([UInt8])
    }

    private let limit: Int
    private var partial: [UInt8] = []
    private var isSkipping = false

    /// A buffer for lines of up to `limit` bytes, a CR counted.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether nothing is half read.
    var isEmpty: Bool { partial.isEmpty && !isSkipping }

    /// Takes the next bytes; gives the lines that end in them.
    mutating func append(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            take(bytes[start..<end], into: &lines)
            finish(into: &lines)
            start = end + 1
        }
        take(bytes[start...], into: &lines)
        return lines
    }

    /// What is left of a line when the connection ends within it: no line, wherever it was torn. Nil where there is none.
    func torn(at place: String) -> MalformedMessage? {
        guard !partial.isEmpty else { return nil }
        return MalformedMessage(place: place, problem: "the connection ended within it", bytes: partial)
    }

    /// Takes what has come of a line that has not ended; nil where nothing has.
    mutating func takePartial() -> [UInt8]? {
        guard !partial.isEmpty else { return nil }
        defer { partial.removeAll(keepingCapacity: true) }
        return partial
    }

    /// Forgets what was half read.
    mutating func reset() {
        partial.removeAll(keepingCapacity: true)
        isSkipping = false
    }

    private mutating func take(_ part: ArraySlice<UInt8>, into lines: inout [Line]) {
        guard !isSkipping else { return }
        partial.append(contentsOf: part.prefix(limit + 1 - partial.count))
        if partial.count > limit {
            lines.append(.tooLong(Array(partial.prefix(64))))
            partial.removeAll(keepingCapacity: true)
            isSkipping = true
        }
    }

    private mutating func finish(into lines: inout [Line]) {
        if isSkipping {
            isSkipping = false
            return
        }
        if partial.last == 0x0D { partial.removeLast() }
        lines.append(.complete(partial))
        partial.removeAll(keepingCapacity: true)
    }
}
