import Foundation
import Signals

/// How the lines of a delimited text file are to be read, told from its beginning.
struct DelimitedDialect {
    /// The byte between cells; a blank stands for any number of blanks and tabs.
    var delimiter = UInt8(ascii: ",")
    var mark = UInt8(ascii: ".")
    /// The byte that ends a line: a line feed, before which a carriage return may stand; a carriage return where there is
    /// no line feed.
    var lineEnd = UInt8(ascii: "\n")
    /// The comment prefix.
    var comment: [UInt8] = [UInt8(ascii: "#")]
    /// The first data line, from 1 on.
    var firstLine = 1
    var columnCount = 1
    /// How many cells a line must have; fewer than columns where the header is longer than the first lines.
    var fewestCells = 1
    /// Whether a blank line is a missing value: that of a file's only column, unless every other line is blank.
    private(set) var hasBlankValues = false
    /// Whether a delimiter stands at the end of every line, too.
    private var endsWithDelimiter = false
    /// Headers of the columns; empty where there are none.
    var names: [String] = []
    var units: [String] = []
    /// The sample rate that the user gives, or the comments state.
    var sampleRate: Double?
    /// True if the user gives it.
    private(set) var isRateGiven = false
    /// The first data lines, cut into cells.
    var sample: [[Substring]] = []

    /// Bytes at the beginning of a file that suffice to tell, and where what stands above the numbers is longer.
    static let headSize = 1 << 15
    private static let longestHead = 1 << 20
    private static let mostDataLines = 512

    /// Tells the dialect of a file.
    /// - Throws: `FormatError` when it cannot be read, or holds no columns of numbers.
    init(of input: InputFile, map: ColumnMap) throws {
        let head = try input.read(at: 0, count: Self.headSize)
        do { try self.init(head, isWhole: head.count == input.size, map: map, file: input.url) } catch {
            guard head.count < input.size else { throw error }
            let longer = try input.read(at: 0, count: Self.longestHead)
            try self.init(longer, isWhole: longer.count == input.size, map: map, file: input.url)
        }
    }

    /// Tells the dialect of a file that begins with `head`; `isWhole` when that is all of it.
    init(_ head: [UInt8], isWhole: Bool, map: ColumnMap, file: URL) throws {
        guard !head.isEmpty else { throw FormatError(file, "is empty, expected columns of numbers") }
        guard !head.contains(0) else {
            let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
            throw FormatError(
                file, "is \(isUTF16 ? "text of UTF-16" : "not text"), expected columns of numbers",
                advice: isUTF16 ? "save it as UTF-8, or: iconv -f UTF-16 -t UTF-8 FILE > NEW" : nil)
        }
        if let prefix = map.commentPrefix { comment = Array(prefix.utf8) }
        if !head.contains(lineEnd), head.contains(0x0D) { lineEnd = 0x0D }
        var lines = Self.lines(head, isWhole: isWhole, lineEnd: lineEnd)
        let skipped = max(0, map.skipRows ?? 0)
        lines.removeFirst(min(lines.count, skipped))
        var content: [(number: Int, text: Substring)] = []
        var comments: [Substring] = []
        var blanks: [Int] = []
        for (index, line) in lines.enumerated() {
            let text = RRTextLines.trim(line)
            if text.isEmpty {
                blanks.append(index + 1 + skipped)
                continue
            }
            if !comment.isEmpty, text.utf8.starts(with: comment) {
                comments.append(text.dropFirst(comment.count))
            } else {
                content.append((index + 1 + skipped, line))
            }
        }
        var given = map.delimiter?.utf8.first
        if let first = content.first, let stated = Self.separatorLine(first.text) {
            given = given ?? stated
            content.removeFirst()
        }
        try find(
            content, given: given, givenMark: map.decimalMark?.utf8.first, hasHeader: map.hasHeader, file)
        let isUnfinished = isWhole && head.last != lineEnd
        dropEmptyLastColumn(isUnfinished: isUnfinished)
        if isUnfinished { dropCutLine(lines.last) }
        if columnCount == 1 {
            let lines = content.map(\.number).filter { $0 >= firstLine }
            let between = blanks.count { firstLine < $0 && $0 < lines.last ?? 0 }
            hasBlankValues = 2 * between < lines.count
        }
        take(comments)
        if let rate = map.sampleRate {
            guard Plausible.sampleRates.contains(rate) else {
                throw FormatError(file, "a sample rate of \(rate) Hz is not possible")
            }
            sampleRate = rate
            isRateGiven = true
        }
    }

    /// What is cut off says nothing about its columns.
    private mutating func dropCutLine(_ line: Substring?) {
        guard let line, sample.count > 1, cells(line) == sample.last else { return }
        if isCutOff(line, below: sample.dropLast()) { sample.removeLast() }
    }

    /// Whether the file's last line, which has no end, is cut off, as far as the lines above it tell.
    func isCutOff(_ line: Substring, below lines: ArraySlice<[Substring]>) -> Bool {
        let last = lines.compactMap { $0.count == columnCount ? $0.last : nil }
        let fewest = endsWithDelimiter ? columnCount + 1 : fewestCells
        return CutOffLine(columnCount: columnCount, fewestCells: fewest, lastCells: last, mark: mark)
            .holds(cells(line))
    }

    /// The lines of a file that begins with `head`, without the last where that may go on.
    static func lines(_ head: [UInt8], isWhole: Bool, lineEnd: UInt8) -> [Substring] {
        var text = decoded(head, isWhole: isWhole)[...]
        if text.first == "\u{FEFF}" { text.removeFirst() }
        // As `DelimitedLines` does, or their numbers would differ.
        let ends: [Character] = lineEnd == 0x0D ? ["\r"] : ["\n", "\r\n"]
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: ends.contains)
        if !isWhole, lines.count > 1 { lines.removeLast() }
        return lines
    }

    /// UTF-8, or Latin-1 where it is not that: `µS` of an older spreadsheet.
    private static func decoded(_ head: [UInt8], isWhole: Bool) -> String {
        // A character of up to four bytes may be cut at the end.
        for cut in 0...(isWhole ? 0 : 3) {
            if let text = String(validating: head.dropLast(cut), as: UTF8.self) { return text }
        }
        return String(String.UnicodeScalarView(head.map { Unicode.Scalar($0) }))
    }

    /// `sep=;`, as spreadsheets write it.
    private static func separatorLine(_ line: Substring) -> UInt8? {
        let text = line.filter { $0 != "\"" }
        guard text.lowercased().hasPrefix("sep="), text.utf8.count == 5 else { return nil }
        return text.utf8.last
    }

    /// What the row of units says of a column; empty where it says the same of all.
    func ownUnit(_ column: Int) -> String {
        guard column < units.count, units.count == 1 || Set(units).count > 1 else { return "" }
        return units[column]
    }

    // MARK: delimiter and first line

    private mutating func find(
        _ content: [(number: Int, text: Substring)], given: UInt8?, givenMark: UInt8?, hasHeader: Bool?, _ file: URL
    ) throws {
        for candidate in given.map({ [$0] }) ?? [0x09, 0x3B, 0x2C, 0x20] {
            delimiter = candidate
            guard
                let found = content.indices.first(where: { hasHeader == false || isData(content, $0, givenMark) })
            else { continue }
            let isHeader = hasHeader == true && !isBelowAnother(content, found)
            let first = isHeader ? found + 1 : found
            guard content.indices.contains(first) else { continue }
            columnCount = cells(content[first].text).count
            fewestCells = columnCount
            if columnCount == 1, given == nil, candidate != 0x20 { continue }
            if candidate == 0x2C, given == nil, isDecimalComma(content, first) { continue }
            firstLine = content[first].number
            sample = content[first...].prefix(Self.mostDataLines).map { cells($0.text) }
            mark = givenMark ?? decimalMark(sample)
            let above = content[..<first].map(\.text)
            sampleRate = above.lazy.compactMap(StatedRate.hertz).first
            takeHeader(above)
            return
        }
        throw FormatError(file, "has no lines of numbers in columns")
    }

    /// Whether what stands below one name of a signal are numbers with decimal commas, not two columns.
    private func isDecimalComma(_ content: [(number: Int, text: Substring)], _ first: Int) -> Bool {
        guard first > 0, columnCount == 2, !content[first - 1].text.contains(",") else { return false }
        let name = String(content[first - 1].text)
        guard name.contains(where: { "([".contains($0) }) || SignalKind.said(by: name) != nil else { return false }
        return content[first...].prefix(Self.mostDataLines).allSatisfy { line in
            let cells = cells(line.text)
            return cells.count <= 2 && cells.allSatisfy { cell in cell.allSatisfy { $0.isNumber || $0 == "-" } }
        }
    }

    /// Whether line `index` and one soon after it have the same number of cells and numbers among them, and it is no
    /// header.
    private func isData(_ content: [(number: Int, text: Substring)], _ index: Int, _ givenMark: UInt8?) -> Bool {
        let row = cells(content[index].text)
        func isNumber(_ cell: Substring) -> Bool {
            NumberParsing.double(cell) != nil || NumberParsing.double(cell, mark: givenMark ?? UInt8(ascii: ",")) != nil
                || DelimitedTime.isMoment(cell)
        }
        guard row.contains(where: isNumber) || index > 0 && isMissing(row, below: content[index - 1].text),
            row.first?.hasSuffix(":") != true, StatedRate.hertz(content[index].text) == nil
        else { return false }
        guard index + 1 < content.count else { return true }
        let below = content[(index + 1)...].prefix(32).map { cells($0.text) }
        let alike = below.filter { $0.count == row.count && $0.contains(where: isNumber) }
        // Two lines on the recording may look alike; a table goes on.
        guard !alike.isEmpty, alike.count * 4 >= below.count else { return false }
        let next = alike.prefix(8)
        // A word above nothing but numbers names its column, though other columns are called by numbers. One header is
        // enough: below it the word stands for a value.
        let isHeader = row.indices.contains { column in
            // What is said of the recording may stand between.
            !isNumber(row[column]) && !Self.isMissing(row[column])
                && next.suffix(4).allSatisfy { isNumber($0[column]) || Self.isMissing($0[column]) }
                && next.contains { isNumber($0[column]) }
        }
        return !isHeader || isBelowAnother(content, index) && isNamed(content, index, next)
    }

    /// Whether the line above has a text for each column in which the next lines have values.
    private func isNamed(
        _ content: [(number: Int, text: Substring)], _ index: Int, _ next: ArraySlice<[Substring]>
    ) -> Bool {
        let above = cells(content[index - 1].text)
        return above.indices.allSatisfy { column in
            !above[column].isEmpty || next.allSatisfy { column >= $0.count || $0[column].isEmpty }
        }
    }

    /// Whether all cells of a row are missing. Empty cells alone are a line that a spreadsheet filled up, unless names of
    /// columns stand above.
    private func isMissing(_ row: [Substring], below line: Substring) -> Bool {
        guard row.allSatisfy(Self.isLeftOut) else { return false }
        let above = cells(line)
        return row.contains { !$0.isEmpty } || HeaderRows.areNames(above, above: above.map { _ in "-" })
    }

    /// Whether a cell says that there is no value; what may stand for a unit, too, does not.
    private static func isLeftOut(_ cell: Substring) -> Bool {
        cell.isEmpty || ["n/a", "na", "null"].contains(cell.lowercased())
    }

    private static func isMissing(_ cell: Substring) -> Bool {
        var cell = cell
        return cell.withUTF8 { DelimitedCells.value($0, mark: UInt8(ascii: ".")) }?.isNaN == true
    }

    /// Whether the line above has as many cells, as a header has, and a text above each.
    private func isBelowAnother(_ content: [(number: Int, text: Substring)], _ index: Int) -> Bool {
        guard index > 0 else { return false }
        let (above, row) = (cells(content[index - 1].text), cells(content[index].text))
        return above.count == row.count
            && zip(above, row).allSatisfy { (!$0.isEmpty || $1.isEmpty) && !$0.hasSuffix(":") }
    }

    /// The cells of a line.
    func cells(_ line: Substring) -> [Substring] {
        if delimiter == 0x20 {
            let cells = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            return line.contains("\"") ? cells.map(Self.unquoted) : cells
        }
        let separator = Character(Unicode.Scalar(delimiter))
        guard line.contains("\"") else {
            return line.split(separator: separator, omittingEmptySubsequences: false).map(RRTextLines.trim)
        }
        var isQuoted = false
        return line.split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == separator && !isQuoted
        }.map(Self.unquoted)
    }

    private static func unquoted(_ cell: Substring) -> Substring {
        let text = RRTextLines.trim(cell)
        guard text.count > 1, text.first == "\"", text.last == "\"" else { return text }
        return text.dropFirst().dropLast().replacing("\"\"", with: "\"")
    }

    /// A delimiter at the end of every line has no column after it. The last line may have been cut off before its own.
    private mutating func dropEmptyLastColumn(isUnfinished: Bool) {
        let ended = isUnfinished && sample.count > 1 ? sample.dropLast() : sample[...]
        guard columnCount > 1, names.isEmpty || names.last == "", ended.allSatisfy({ $0.last?.isEmpty == true }) else {
            return
        }
        columnCount -= 1
        endsWithDelimiter = true
        fewestCells = min(fewestCells, columnCount)
        if names.count > columnCount { names.removeLast() }
        if units.count > columnCount { units.removeLast() }
    }

    private func decimalMark(_ rows: [[Substring]]) -> UInt8 {
        let hasStop = rows.contains { $0.contains { $0.contains(".") && NumberParsing.double($0) != nil } }
        let isComma = delimiter == UInt8(ascii: ",") ? Self.isDecimal : { $0.contains(",") }
        let hasComma = rows.contains { $0.contains(where: isComma) }
        return hasComma && !hasStop ? UInt8(ascii: ",") : UInt8(ascii: ".")
    }

    /// Whether a cell in quotation marks, as they keep its comma from being a delimiter, is a number whose comma parts
    /// decimals, not thousands.
    private static func isDecimal(_ cell: Substring) -> Bool {
        guard let comma = cell.firstIndex(of: ","), NumberParsing.double(cell, mark: UInt8(ascii: ",")) != nil else {
            return false
        }
        let whole = cell[..<comma].drop { "+-".contains($0) }
        return cell[comma...].dropFirst().count != 3 || whole.count > 3 || whole.first.map { $0 == "0" } ?? true
    }

    private mutating func takeHeader(_ lines: [Substring]) {
        // Above one column of numbers blanks divide nothing: `EDA (uS)` is one name.
        if columnCount == 1, delimiter == UInt8(ascii: " "), let line = lines.last {
            let name = Self.unquoted(RRTextLines.trim(line))
            if name.contains(where: { " \t([".contains($0) }) {
                names = [String(name)]
                return
            }
        }
        // Rows may end with a delimiter though their header does not.
        let isOpenEnded = columnCount > 1 && sample.allSatisfy { $0.last?.isEmpty == true }
        var rows: [[Substring]] = []
        for line in lines.reversed() {
            var row = cells(line)
            if isOpenEnded, row.count == columnCount - 1 { row.append("") }
            let isLonger = rows.isEmpty && row.count == columnCount + 1
            guard row.count == columnCount || isLonger, StatedRate.hertz(line) == nil, !HeaderRows.isPreamble(row)
            else { break }
            columnCount = row.count
            rows.insert(row, at: 0)
        }
        guard let last = rows.last else { return }
        if rows.count >= 2, HeaderRows.isUnits(last) || HeaderRows.areNames(rows[rows.count - 2], above: last) {
            names = rows[rows.count - 2].map(String.init)
            units = last.map(String.init)
        } else {
            names = last.map(String.init)
        }
    }

    /// `Sampling Rate (Hz):= 1000.00`, `Labels:= ECG`, `Units:= mV`.
    private mutating func take(_ comments: [Substring]) {
        for comment in comments {
            guard let mark = comment.firstIndex(where: { $0 == "=" || $0 == ":" }) else { continue }
            let key = comment[..<mark].lowercased()
            let value = RRTextLines.trim(comment[mark...].drop { $0 == "=" || $0 == ":" || $0 == " " })
            if let rate = StatedRate.hertz(comment) {
                sampleRate = rate
            } else if key.contains("label"), names.isEmpty {
                let labels = value.split { $0 == "\t" || $0 == "," || $0 == ";" }.map(Self.unquoted)
                if labels.count == columnCount { names = labels.map(String.init) }
            } else if key.contains("unit"), units.isEmpty {
                let symbols = value.split { $0 == "\t" || $0 == "," || $0 == ";" }.map(Self.unquoted)
                if symbols.count == columnCount { units = symbols.map(String.init) }
                if symbols.count == 1 { units = Array(repeating: String(symbols[0]), count: columnCount) }
            }
        }
    }
}
