import Foundation

/// Reads the rows of one file of an Empatica export: numbers between commas, one row a line.
final class EmpaticaRows {
    /// The file, as messages name it.
    let name: String
    /// Number of lines taken so far.
    private(set) var line = 0
    /// Whether the file ends within a row, which was left out.
    private(set) var endsWithinRow = false

    private let source: any ByteSource
    private var buffer: [UInt8]
    private var place = 0
    /// End of the last complete line in the buffer; at the end of the file, end of the buffer's bytes.
    private var complete = 0
    private var filled = 0
    private var isAtEnd = false
    private var emptyLine: Int?

    init(_ source: any ByteSource, name: String, bufferSize: Int = 1 << 16) {
        self.source = source
        self.name = name
        buffer = [UInt8](repeating: 0, count: bufferSize)
    }

    /// The next line without its end; nil at the end of the file.
    func textLine() throws -> String? {
        guard try place < complete || refill() else { return nil }
        let rest = buffer[place..<complete]
        let end = rest.firstIndex(of: 0x0A) ?? complete
        let text = String(decoding: buffer[place..<end], as: UTF8.self)
        place = min(end + 1, complete)
        line += 1
        return text
    }

    /// Appends up to `count` rows of `columns` numbers each; returns how many there were, 0 at the end of the file.
    /// - Throws: `FormatError` naming the line when it is no such row.
    func take(_ count: Int, columns: Int, into values: inout [Double]) throws -> Int {
        var rows = 0
        while rows < count {
            guard try place < complete || refill() else { break }
            try buffer.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return }
                var p = base + place
                let end = base + complete
                defer { place = p - base }
                while p < end, rows < count {
                    let plain =
                        emptyLine == nil ? PlainRows.take(&p, from: base, end, count - rows, columns, into: &values) : 0
                    rows += plain
                    line += plain
                    if p < end, rows < count, try row(&p, end, columns, &values) { rows += 1 }
                }
            }
        }
        return rows
    }

    /// Takes one line; false when it is blank or cut off.
    private func row(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ columns: Int, _ values: inout [Double]
    ) throws -> Bool {
        let start = p
        let before = values.count
        line += 1
        for column in 0..<columns {
            while p < end, NumberParsing.isBlank(p.pointee) { p += 1 }
            if let scanned = ScannedDecimal(p, end, mark: 0x2E) {
                values.append(scanned.double())
                p = scanned.next
            } else {
                guard let value = special(&p, end) else {
                    values.removeSubrange(before...)
                    return try oddLine(start, &p, end, columns)
                }
                values.append(value)
            }
            while p < end, NumberParsing.isBlank(p.pointee) { p += 1 }
            let isLast = column == columns - 1
            if p < end, p.pointee == (isLast ? 0x0A : 0x2C) {
                p += 1
            } else if !(isLast && p == end) {
                values.removeSubrange(before...)
                return try oddLine(start, &p, end, columns)
            }
        }
        if let emptyLine {
            throw FormatError(name, at: "line \(emptyLine)", "is empty, expected \(Self.expected(columns))")
        }
        return true
    }

    private func special(_ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Double? {
        guard end - p >= 3, p[0] | 0x20 == 0x6E, p[1] | 0x20 == 0x61, p[2] | 0x20 == 0x6E else { return nil }
        p += 3
        return .nan
    }

    /// A line that is no row: nothing but blanks, the cut last line, or an error.
    private func oddLine(
        _ start: UnsafePointer<UInt8>, _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ columns: Int
    ) throws -> Bool {
        p = start
        while p < end, p.pointee != 0x0A { p += 1 }
        let isCut = p == end && isAtEnd
        let text = UnsafeBufferPointer(start: start, count: p - start)
        if p < end { p += 1 }
        if text.allSatisfy(NumberParsing.isBlank) {
            emptyLine = emptyLine ?? line
            return false
        }
        if isCut,
            text.allSatisfy({ $0 &- 0x30 < 10 || NumberParsing.isBlank($0) || [0x2B, 0x2C, 0x2D, 0x2E].contains($0) })
        {
            endsWithinRow = true
            return false
        }
        let shown = String(decoding: text.prefix(40), as: UTF8.self).map { $0.isNewline || $0 == "\0" ? " " : $0 }
        throw FormatError(
            name, at: "line \(line)",
            "found '\(String(shown))\(text.count > 40 ? "…" : "")', expected \(Self.expected(columns))")
    }

    private static func expected(_ columns: Int) -> String {
        columns == 1 ? "a number" : "\(columns) numbers with commas between them"
    }

    /// Brings at least one more line into the buffer; false at the end of the file.
    private func refill() throws -> Bool {
        if isAtEnd, complete == filled { return false }
        let rest = filled - complete
        if rest > 0 {
            buffer.withUnsafeMutableBytes {
                $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[complete..<filled]))
            }
        }
        filled = rest
        place = 0
        complete = 0
        while complete == 0 {
            guard filled < buffer.count else {
                throw FormatError(name, at: "line \(line + 1)", "is longer than \(buffer.count) bytes")
            }
            let got = try buffer.withUnsafeMutableBytes {
                try source.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
            }
            if got == 0 {
                isAtEnd = true
                complete = filled
                return filled > 0
            }
            filled += got
            complete = (buffer[..<filled].lastIndex(of: 0x0A) ?? -1) + 1
        }
        return true
    }

    /// Reads on to the end of the file and counts the lines up to the last that is not blank.
    func countLines() throws -> Int {
        var lines = 0
        var trailing = 0
        var hasContent = false
        while try place < complete || refill() {
            buffer.withUnsafeBufferPointer { bytes in
                let part = UnsafeBufferPointer(rebasing: bytes[place..<complete])
                lines += PlainRows.lineEnds(part)
                var last = part.count - 1
                var blankEnds = 0
                while last >= 0, part[last] <= 0x20 {
                    if part[last] == 0x0A { blankEnds += 1 }
                    last -= 1
                }
                trailing = last < 0 ? trailing + blankEnds : blankEnds
                if last >= 0 { hasContent = true }
            }
            place = complete
        }
        return hasContent ? lines - trailing + 1 : 0
    }
}
