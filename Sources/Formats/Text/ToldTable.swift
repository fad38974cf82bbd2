import Signals

/// The cells of a table as a reader of its text would find them, kept while the text is written: numbers as rounded there,
/// words without what is no part of them.
public struct ToldTable: Sendable {
    /// Tables of more cells, or of more words, are not kept.
    private static let (mostCells, mostWords) = (1 << 19, 1 << 8)

    /// The names of the columns, in order.
    public let names: [String]
    /// How many rows there are.
    public private(set) var rowCount = 0
    private let capacity: Int
    /// Column by column, as they are read, each with room for `stride` rows.
    private var cells: [Double] = []
    private let stride: Int
    private var hasWords: [Bool]
    private var row: [Double]
    private var column = 0
    private var texts: [String?] = []
    private var places: [String: Int] = [:]
    private var isWhole: Bool

    init(_ columns: [Column], rowCount: Int) {
        names = columns.map(\.name)
        row = names.map { _ in .nan }
        hasWords = names.map { _ in false }
        capacity = rowCount
        // An odd number of cache lines: cells of a row that are powers of two apart would push each other out.
        stride = ((rowCount + 7) / 8 | 1) * 8
        isWhole = (rowCount - 1) * names.count <= Self.mostCells
        if isWhole { cells = Array(repeating: .nan, count: stride * names.count) }
    }

    /// Whether all cells are there.
    var isComplete: Bool { isWhole && rowCount == capacity }

    /// The next cell is a number; NaN: there is none.
    @inline(__always)
    mutating func number(_ value: Double) {
        if column < row.count { row[column] = value }
        column += 1
    }

    /// The next cells are numbers.
    /// - Parameter body: writes `count` of them, where there is room for them, and gives how many of these count.
    @inline(__always)
    mutating func numbers(_ count: Int, _ body: (UnsafeMutablePointer<Double>?) -> Int) -> Int {
        let fits = column <= row.count - count
        let done = row.withUnsafeMutableBufferPointer { row in body(fits ? row.baseAddress.map { $0 + column } : nil) }
        column += done
        return done
    }

    /// The next cell is a text.
    mutating func text(_ value: String) {
        let place = places[value] ?? learn(value)
        if place >= 0, column < hasWords.count { hasWords[column] = true }
        number(place < 0 ? .nan : Self.cell(ofWord: place))
        if places.count > Self.mostWords { spoil() }
    }

    mutating func endRow() {
        guard isWhole, column == row.count, rowCount < capacity else { return spoil() }
        cells.withUnsafeMutableBufferPointer { cells in
            for (column, cell) in row.enumerated() { cells[column &* stride &+ rowCount] = cell }
        }
        column = 0
        rowCount += 1
    }

    /// Words stand among numbers as what is not a number, with their places in the lower bits.
    private static func cell(ofWord place: Int) -> Double {
        Double(nan: Double.RawSignificand(place + 1), signaling: false)
    }

    /// The place of the word in a cell; nil where there is a number or nothing.
    private static func word(in cell: Double) -> Int? {
        let payload = Int(cell.significandBitPattern & 0xFFFF)
        return cell.isNaN && payload > 0 ? payload - 1 : nil
    }

    /// Takes a word in; -1 where a reader takes it for missing.
    private mutating func learn(_ word: String) -> Int {
        guard let read = Self.read(word) else {
            places[word] = -1
            return -1
        }
        let place = texts.firstIndex(of: read) ?? texts.count
        if place == texts.count { texts.append(read) }
        places[word] = place
        return place
    }

    /// A text as it is read back; nil where that is none.
    private static func read(_ text: String) -> String? {
        let bytes = text.utf8.map { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }
        return bytes.withUnsafeBufferPointer { bytes in
            let word = String(decoding: bytes[NumberParsing.trimmed(bytes)], as: UTF8.self)
            return word.isEmpty || word == "n/a" ? nil : word
        }
    }

    private mutating func spoil() {
        isWhole = false
        cells = []
    }
}

extension ToldTable: ColumnReading {
    /// The numbers of a column; NaN where they are missing.
    public func numbers(_ column: String) throws -> [Double] {
        let place = try place(of: column)
        if hasWords[place] { throw unreadable(column, "a word") }
        return Array(cells(ofColumn: place))
    }

    /// The words of a column, each once in the order they first come, and for each row which of them it has.
    public func words(_ column: String) throws -> (texts: [String?], rows: [Int]) {
        let place = try place(of: column)
        // A cell without a word counts as one, too, and is the last of them.
        var known = [Int](repeating: -1, count: texts.count + 1)
        var found: [String?] = []
        let rows = try cells(ofColumn: place).map { cell in
            guard cell.isNaN else { throw unreadable(column, "a number") }
            let own = Self.word(in: cell) ?? texts.count
            if known[own] < 0 {
                known[own] = found.count
                found.append(own < texts.count ? texts[own] : nil)
            }
            return known[own]
        }
        return (found, rows)
    }

    private func cells(ofColumn place: Int) -> ArraySlice<Double> {
        isWhole ? cells[place * stride..<place * stride + rowCount] : []
    }

    private func place(of column: String) throws -> Int {
        guard let place = names.firstIndex(of: column) else {
            throw FormatError("told table", "has no column \"\(column)\"")
        }
        return place
    }

    private func unreadable(_ column: String, _ found: String) -> FormatError {
        FormatError("told table", "column \(column) holds \(found)")
    }
}
