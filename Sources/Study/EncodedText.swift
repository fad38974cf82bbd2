import Foundation

/// Text as it lies in a file, so that a part of it can be changed and the rest written back as it was: encoding,
/// byte-order mark and line ends stay.
struct EncodedText {
    enum Encoding: Equatable {
        case utf8
        /// Single bytes that are not UTF-8: each is kept as the letter of that number.
        case latin1
        case utf16(isBigEndian: Bool)
    }

    let encoding: Encoding
    private let mark: [UInt8]
    /// The text in UTF-8, without the mark.
    var content: [UInt8]

    /// Reads a file whose encoding its bytes tell: a byte-order mark, zeros where UTF-16 has them, UTF-8 where it is
    /// valid, else single bytes.
    /// - Throws: `StudyError` when it cannot be read or is UTF-16 that is damaged.
    init(reading url: URL) throws {
        let bytes: [UInt8]
        do { bytes = try [UInt8](Data(contentsOf: url)) } catch {
            throw StudyError(url, "cannot be read: \(error.localizedDescription)")
        }
        guard let text = EncodedText(bytes) else {
            throw StudyError(url, "is UTF-16 text that is damaged", advice: "save it as UTF-8 text")
        }
        self = text
    }

    /// Text from bytes; nil when it is UTF-16 that is damaged.
    init?(_ bytes: [UInt8]) {
        let marks: [(mark: [UInt8], encoding: Encoding)] = [
            ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16(isBigEndian: false)),
            ([0xFE, 0xFF], .utf16(isBigEndian: true)),
        ]
        let marked = marks.first { bytes.starts(with: $0.mark) }
        mark = marked?.mark ?? []
        let body = bytes.dropFirst(mark.count)
        if let order = Self.order(marked?.encoding, body) {
            encoding = .utf16(isBigEndian: order)
            let units = stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map { place in
                let (first, second) = (UInt16(body[place]), UInt16(body[place + 1]))
                return order ? first << 8 | second : second << 8 | first
            }
            guard body.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else { return nil }
            content = Array(text.utf8)
        } else if String(validating: body, as: UTF8.self) != nil {
            encoding = .utf8
            content = Array(body)
        } else {
            encoding = .latin1
            content = Array(String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) })).utf8)
        }
    }

    /// Whether UTF-16 has its high bytes first; nil when it is none. Without a mark a zero beside the first letter tells.
    private static func order(_ marked: Encoding?, _ body: ArraySlice<UInt8>) -> Bool? {
        if case .utf16(let isBigEndian) = marked { return isBigEndian }
        guard marked == nil, let first = body.first, let second = body.dropFirst().first,
            (first == 0) != (second == 0)
        else { return nil }
        return first == 0
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        let text = String(decoding: content, as: UTF8.self)
        switch encoding {
        case .utf8: return mark + content
        // Each scalar came from one byte, or is a label, which is ASCII.
        case .latin1: return mark + text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        case .utf16(let isBigEndian):
            return mark
                + text.utf16.flatMap { unit -> [UInt8] in
                    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                    return isBigEndian ? [high, low] : [low, high]
                }
        }
    }

    /// The byte that ends a line: `\n`, and `\r` where the text has no other.
    var lastOfLineEnd: UInt8 { content.contains(0x0A) || !content.contains(0x0D) ? 0x0A : 0x0D }

    /// How a line ends, as the first one does.
    var lineEnd: [UInt8] {
        let last = lastOfLineEnd
        guard last == 0x0A, let end = content.firstIndex(of: 0x0A), end > 0, content[end - 1] == 0x0D else {
            return [last]
        }
        return [0x0D, 0x0A]
    }

    /// Where its lines lie, their ends included.
    /// - Parameter separator: of a table: a cell in quotation marks may hold line ends.
    func lines(separator: UInt8? = nil) -> [Range<Int>] {
        let end = lastOfLineEnd
        var lines: [Range<Int>] = []
        var (start, place) = (0, 0)
        while place < content.count {
            if let separator, place == start || content[place - 1] == separator {
                place = closingQuote(ofCellAt: place, separator) ?? place
            }
            if content[place] == end {
                lines.append(start..<place + 1)
                start = place + 1
            }
            place += 1
        }
        return start < content.count ? lines + [start..<content.count] : lines
    }

    /// The text of a line without its end.
    func text(of line: Range<Int>) -> String {
        var line = line
        while let last = content[line].last, last == 0x0A || last == 0x0D { line.removeLast() }
        return String(decoding: content[line], as: UTF8.self)
    }

    /// The cells of a table's row, without quotation marks and blanks around them.
    func cells(of row: Range<Int>, separator: UInt8) -> [String] {
        var cells: [String] = []
        var (start, place) = (row.lowerBound, row.lowerBound)
        func add(until end: Int) {
            let text = String(decoding: content[start..<end], as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
            let bare = isQuoted ? String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"") : text
            cells.append(bare.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        while place < row.upperBound {
            if place == start { place = closingQuote(ofCellAt: place, separator) ?? place }
            if content[place] == separator {
                add(until: place)
                start = place + 1
            }
            place += 1
        }
        add(until: row.upperBound)
        return cells
    }

    /// Where the quotation mark stands that closes a cell; nil when none opens it, or what follows is no end of a cell:
    /// then it is a letter like others.
    private func closingQuote(ofCellAt start: Int, _ separator: UInt8) -> Int? {
        let quote = UInt8(ascii: "\"")
        guard content[start] == quote else { return nil }
        var place = start + 1
        while place < content.count {
            guard content[place] == quote else {
                place += 1
                continue
            }
            let next = place + 1 < content.count ? content[place + 1] : 0x0A
            if next == separator || next == 0x0A || next == 0x0D { return place }
            guard next == quote else { return nil }
            place += 2
        }
        return nil
    }
}
