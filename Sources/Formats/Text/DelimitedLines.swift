import Foundation

/// Gives the data lines of a text file one after the other, holding one piece of the file in memory. A last line that is
/// cut off, as a program leaves it that was stopped while it wrote, is left out.
final class DelimitedLines {
    /// The number of the current line, from 1 on.
    private(set) var number = 0
    /// The number of the last line where it was left out as cut off.
    private(set) var cutLine: Int?
    /// Whether the current line has no end, as the file's last may.
    private(set) var isUnfinished = false
    /// Blank lines that are missing values, and the line that comes after them: at the file's end they are none.
    private var blanks = 0
    private var held: UnsafeBufferPointer<UInt8>?
    private let input: InputFile
    private let dialect: DelimitedDialect
    private let lineEnd: Int32
    private let buffer: UnsafeMutablePointer<UInt8>
    private var position = 0
    private var filled = 0
    private var offset = 0
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The longest line, in bytes, and the size of the piece held in memory.
    private static let capacity = 1 << 20

    init(_ input: InputFile, _ dialect: DelimitedDialect) {
        self.input = input
        self.dialect = dialect
        lineEnd = Int32(dialect.lineEnd)
        buffer = .allocate(capacity: Self.capacity)
    }

    deinit {
        buffer.deallocate()
    }

    /// The next line that is no comment, and not blank unless that is a missing value; nil at the end. Valid until the
    /// next call.
    func next() throws -> UnsafeBufferPointer<UInt8>? {
        if let line = held {
            if blanks > 0 { return blank(before: line) }
            held = nil
            return line
        }
        while var line = try nextRaw() {
            number += 1
            if number == 1, line.starts(with: Self.byteOrderMark) { line = UnsafeBufferPointer(rebasing: line[3...]) }
            guard number >= dialect.firstLine else { continue }
            guard let first = line.first else {
                blanks += 1
                continue
            }
            if first == 0x20 || first == 0x09 || first == 0x0D {
                guard let start = line.firstIndex(where: { !NumberParsing.isBlank($0) }) else {
                    blanks += 1
                    continue
                }
                // An empty first cell of a line with tabs is a cell.
                if isComment(UnsafeBufferPointer(rebasing: line[start...])) { continue }
            } else if isComment(line) {
                continue
            }
            if isUnfinished, dialect.isCutOff(Substring(decoding: line, as: UTF8.self), below: dialect.sample[...]) {
                leaveOutLast()
                break
            }
            if blanks > 0, dialect.hasBlankValues { return blank(before: line) }
            return line
        }
        return nil
    }

    private func blank(before line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        held = line
        blanks -= 1
        return UnsafeBufferPointer(start: line.baseAddress, count: 0)
    }

    /// The same lines from the first on.
    func fromStart() -> DelimitedLines { DelimitedLines(input, dialect) }

    /// The current line is the last, and what it holds shows that it is cut off.
    func leaveOutLast() { cutLine = number }

    /// What is to be said of a line that was left out; nil where none was.
    var cutNote: String? {
        cutLine.map(CutOffLine.note)
    }

    private func isComment(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = dialect.comment.first, line[0] == first else { return false }
        return line.starts(with: dialect.comment)
    }

    private func nextRaw() throws -> UnsafeBufferPointer<UInt8>? {
        while true {
            let start = buffer + position
            if let end = memchr(start, lineEnd, filled - position) {
                let count = start.distance(to: end.assumingMemoryBound(to: UInt8.self))
                position += count + 1
                return UnsafeBufferPointer(start: start, count: count)
            }
            let isLast = try !refill()
            if isLast {
                guard position < filled else { return nil }
                defer { position = filled }
                isUnfinished = true
                return UnsafeBufferPointer(start: buffer + position, count: filled - position)
            }
        }
    }

    /// Moves the rest to the front and reads on; false when the file is at its end.
    private func refill() throws -> Bool {
        let rest = filled - position
        guard rest < Self.capacity else {
            throw FormatError(input.url, at: "line \(number + 1)", "is longer than \(Self.capacity) bytes")
        }
        memmove(buffer, buffer + position, rest)
        position = 0
        filled = rest
        let got = try input.read(
            at: offset, into: UnsafeMutableRawBufferPointer(start: buffer + rest, count: Self.capacity - rest))
        offset += got
        filled += got
        return got > 0
    }
}

/// Cuts one line into cells.
struct DelimitedCells {
    private var p: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private let delimiter: UInt8
    private let mark: UInt8
    private var isDone = false

    @inline(__always)
    init?(_ line: UnsafeBufferPointer<UInt8>, delimiter: UInt8, mark: UInt8) {
        guard let base = line.baseAddress else { return nil }
        var count = line.count
        if count > 0, base[count - 1] == 0x0D { count -= 1 }
        p = base
        end = base + count
        self.delimiter = delimiter
        self.mark = mark
        if delimiter == 0x20 { skipBlanks() }
    }

    /// Whether all cells have been taken; after a delimiter at the end of the line there is an empty one.
    var isAtEnd: Bool { isDone }

    @inline(__always)
    private mutating func skipBlanks() {
        while p < end, p.pointee == 0x20 || p.pointee == 0x09 && delimiter != 0x09 { p += 1 }
    }

    @inline(__always)
    private mutating func passDelimiter() -> Bool {
        if delimiter == 0x20 {
            let start = p
            skipBlanks()
            if p == end { isDone = true }
            return p > start || p == end
        }
        skipBlanks()
        if p == end {
            isDone = true
            return true
        }
        guard p.pointee == delimiter else { return false }
        p += 1
        return true
    }

    /// The number in the next cell, which is passed; nil, and nothing passed, when it is no plain number.
    @inline(__always)
    mutating func number() -> ScannedDecimal? {
        let start = p
        skipBlanks()
        guard let scanned = ScannedDecimal(p, end, mark: mark) else {
            p = start
            return nil
        }
        p = scanned.next
        if passDelimiter() { return scanned }
        p = start
        isDone = false
        return nil
    }

    /// The text of the next cell, which is passed, without blanks and quotes around it; quotes within it as they stand.
    mutating func text() -> UnsafeBufferPointer<UInt8> {
        skipBlanks()
        if p < end, p.pointee == 0x22 {
            let start = p + 1
            var q = start
            // A doubled quotation mark is one, and does not end the cell.
            while q < end, q.pointee != 0x22 || q + 1 < end && q[1] == 0x22 { q += q.pointee == 0x22 ? 2 : 1 }
            if q < end {
                p = q + 1
                if passDelimiter() { return UnsafeBufferPointer(start: start, count: q - start) }
            }
            p = start - 1
        }
        let start = p
        while p < end, p.pointee != delimiter, delimiter != 0x20 || p.pointee != 0x09 { p += 1 }
        var last = p
        while last > start, NumberParsing.isBlank(last[-1]) { last -= 1 }
        _ = passDelimiter()
        return UnsafeBufferPointer(start: start, count: last - start)
    }

    /// Passes the next cell.
    @inline(__always)
    mutating func skip() {
        if p < end, p.pointee == 0x22 || delimiter == 0x20 {
            _ = text()
            return
        }
        while p < end, p.pointee != delimiter { p += 1 }
        _ = passDelimiter()
    }

    /// What a cell without a plain number stands for: NaN for missing, a number in quotes or a special spelling, nil
    /// for text.
    static func value(_ cell: UnsafeBufferPointer<UInt8>, mark: UInt8) -> Double? {
        if cell.isEmpty { return .nan }
        if let value = NumberParsing.double(cell, mark: mark) { return value }
        guard cell.count <= 4 else { return nil }
        return ["n/a", "na", "n.a.", "null", "none", "-", "--", "---", "#n/a", "?"].contains(
            String(decoding: cell, as: UTF8.self).lowercased())
            ? .nan : nil
    }
}
