public import Signals

/// A column of a Parquet file. Any of its cells may be missing.
public struct ParquetColumn: Hashable, Sendable {
    /// What its cells are.
    public enum Kind: Hashable, Sendable {
        /// 64-bit whole numbers.
        case integer
        /// 64-bit floating-point numbers.
        case number
        /// UTF-8.
        case text
    }

    /// Its name, unique in the file.
    public var name: String
    /// What its cells are.
    public var kind: Kind

    /// A column of this name and kind.
    public init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The columns that hold a table: of whole numbers where all cells are, of numbers, else of text. A column
    /// without any value holds text where no unit is declared, else numbers.
    public static func columns(of table: Table) -> [ParquetColumn] {
        table.columns.indices.map { index in
            let column = table.columns[index]
            var kind: Kind?
            for row in table.rows {
                switch row[index] {
                case .text: return ParquetColumn(column.name, .text)
                case .number, .onset: kind = .number
                case .integer: kind = kind ?? .integer
                case .missing: continue
                }
            }
            return ParquetColumn(column.name, kind ?? (column.unit == .unknown ? .text : .number))
        }
    }
}

/// The values of one column in a row group, encoded as they come, with what the file says about them.
struct ParquetChunk {
    let kind: ParquetColumn.Kind
    /// PLAIN encoding of the values that are there (Parquet "Encodings").
    private(set) var values: [UInt8] = []
    private(set) var isPresent: [Bool] = []
    private(set) var missing = 0
    private var least: Cell?
    private var greatest: Cell?
    /// Longer texts are no bounds.
    private static let longestBound = 256

    init(_ kind: ParquetColumn.Kind) { self.kind = kind }

    /// Adds a cell; false when the column is of another kind.
    mutating func append(_ cell: Cell) -> Bool {
        switch (kind, cell) {
        case (_, .missing): miss()
        case (.integer, .integer(let value)):
            put(UInt64(bitPattern: Int64(value)))
            bound(cell) { if case .integer(let other) = $0 { value < other } else { false } }
        case (.number, .integer(let value)): number(Double(value))
        case (.number, .number(let value)), (.number, .onset(let value)):
            value.isNaN ? miss() : number(value)
        case (.text, .text(let text)): put(text)
        case (.text, _): put(TSV.text(cell))
        default: return false
        }
        return true
    }

    private mutating func miss() {
        isPresent.append(false)
        missing += 1
    }

    private mutating func put(_ bits: UInt64) {
        isPresent.append(true)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { values.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }

    private mutating func number(_ value: Double) {
        put(value.bitPattern)
        bound(.number(value)) { if case .number(let other) = $0 { value < other } else { false } }
    }

    private mutating func put(_ text: String) {
        isPresent.append(true)
        let count = UInt32(clamping: text.utf8.count)
        for shift in stride(from: UInt32(0), to: 32, by: 8) { values.append(UInt8(truncatingIfNeeded: count >> shift)) }
        values += text.utf8
        bound(.text(text)) {
            if case .text(let other) = $0 { text.utf8.lexicographicallyPrecedes(other.utf8) } else { false }
        }
    }

    private mutating func bound(_ cell: Cell, isBelow: (Cell) -> Bool) {
        guard let low = least, let high = greatest else {
            least = cell
            greatest = cell
            return
        }
        if isBelow(low) { least = cell }
        if cell != high, !isBelow(high) { greatest = cell }
    }

    /// Bytes of the smallest and the greatest value; nil where there is none or it is a long text. A zero is written
    /// so that it bounds zeros of both signs.
    var bounds: (least: [UInt8], greatest: [UInt8])? {
        guard let least, let greatest else { return nil }
        func bytes(_ cell: Cell, _ zero: Double) -> [UInt8]? {
            let bits: UInt64
            switch cell {
            case .integer(let value): bits = UInt64(bitPattern: Int64(value))
            case .number(let value): bits = (value == 0 ? zero : value).bitPattern
            case .text(let text): return text.utf8.count <= Self.longestBound ? Array(text.utf8) : nil
            default: return nil
            }
            return stride(from: UInt64(0), to: 64, by: 8).map { UInt8(truncatingIfNeeded: bits >> $0) }
        }
        guard let low = bytes(least, -0.0), let high = bytes(greatest, 0.0) else { return nil }
        return (low, high)
    }

    /// The page without its header: definition levels, which say what is missing, then the values.
    var page: [UInt8] {
        let levels = Self.levels(isPresent, missing: missing)
        let count = UInt32(levels.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) } + levels + values
    }

    /// Levels of one bit in the hybrid of runs and packed bits: one run where nothing is missing, else packed.
    private static func levels(_ isPresent: [Bool], missing: Int) -> [UInt8] {
        func varint(_ value: Int) -> [UInt8] {
            var rest = value
            var bytes: [UInt8] = []
            while rest >= 0x80 {
                bytes.append(UInt8(rest & 0x7F) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }
        if missing == 0 || missing == isPresent.count {
            return varint(isPresent.count << 1) + [missing == 0 ? 1 : 0]
        }
        let groups = (isPresent.count + 7) / 8
        var packed = [UInt8](repeating: 0, count: groups)
        for (index, present) in isPresent.enumerated() where present { packed[index / 8] |= 1 << UInt8(index % 8) }
        return varint(groups << 1 | 1) + packed
    }
}
