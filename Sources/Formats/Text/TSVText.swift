import CVectors
public import Signals

/// Tab-separated text of rows that come cell by cell.
///
/// A copy writes to the same memory: it is handed on, not shared.
public struct TSVText: TableSink {
    private var room = Room(1 << 13)
    private var place: UnsafeMutablePointer<UInt8>
    private var told: ToldTable?

    /// No row yet.
    public init() { place = room.first }

    /// The header of a table of these columns.
    /// - Parameter keptRows: how many rows there will be, where their cells are kept as a reader of the text would find them.
    init(under columns: [Column], keptRows: Int?) {
        self.init()
        for column in columns { text(column.name) }
        endRow()
        told = keptRows.map { ToldTable(columns, rowCount: $0) }
    }

    /// How many bytes wait to be taken.
    public var byteCount: Int { place - room.first }

    /// The cells of all rows so far; nil where they are not kept, or are too many.
    var toldTable: ToldTable? { told.flatMap { $0.isComplete ? $0 : nil } }

    /// Takes the text so far.
    public mutating func take() -> [UInt8] { takeBytes { Array($0) } }

    /// Takes the text so far, where it lies.
    mutating func takeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { place = room.first }
        return try withExtendedLifetime(room) { try body(UnsafeRawBufferPointer(start: room.first, count: byteCount)) }
    }

    /// An integer.
    public mutating func integer(_ value: Int) {
        put { NumberFormatting.write(value, at: &$0) }
        if told != nil { told?.number(Double(value)) }
    }

    /// A number with at most 9 significant digits.
    public mutating func number(_ value: Double) {
        makeRoom(TextCursor.room)
        var number = 0.0
        let count = marey_put_number(value, place, &number)
        guard count > 0 else { return plainly(value) }
        place += count
        if told != nil { told?.number(number) }
    }

    /// Numbers, one after another.
    public mutating func numbers(_ values: Span<Double>) {
        values.withUnsafeBufferPointer { values in
            guard var next = values.baseAddress else { return }
            let end = next + values.count
            while next < end {
                let count = min(end - next, 32)
                let done = count < 4 ? 0 : put(next, count)
                next += done
                guard done < count else { continue }
                number(next.pointee)
                next += 1
            }
        }
    }

    /// Writes up to 32 numbers, at least four, and gives how many come before one that is not written at a stroke.
    private mutating func put(_ numbers: UnsafePointer<Double>, _ count: Int) -> Int {
        makeRoom(16 * count + TextCursor.room)
        var length = 0
        defer { place += length }
        let start = place
        return told?.numbers(count) { marey_put_numbers(numbers, count, start, $0, &length) }
            ?? marey_put_numbers(numbers, count, start, nil, &length)
    }

    /// The same where it is not written at a stroke.
    private mutating func plainly(_ value: Double) {
        let start = byteCount
        put { NumberFormatting.write(value, at: &$0) }
        if told != nil { value.isFinite ? tell(from: start) : told?.number(.nan) }
    }

    /// A time on a grid of 0.1 ms.
    public mutating func onset(_ value: Seconds) {
        let start = byteCount
        put { NumberFormatting.write(onset: value, at: &$0) }
        guard told != nil else { return }
        if let whole = NumberFormatting.onGrid(value) { told?.number(whole) } else { tell(from: start) }
    }

    /// A text; control characters of ASCII within it, such as tabs and line ends, become blanks.
    public mutating func text(_ value: String) {
        guard !value.isEmpty else { return missing() }
        var value = value
        value.withUTF8 { bytes in
            makeRoom(bytes.count)
            for byte in bytes {
                place.pointee = TSV.isControl(byte) ? 0x20 : byte
                place += 1
            }
        }
        place.pointee = UInt8(ascii: "\t")
        place += 1
        if told != nil { told?.text(value) }
    }

    /// No value.
    public mutating func missing() {
        put { $0.put("n/a") }
        if told != nil { told?.number(.nan) }
    }

    /// The row has all its cells.
    public mutating func endRow() {
        if byteCount > 0, (place - 1).pointee == UInt8(ascii: "\t") {
            // In place of what would part it from another cell.
            (place - 1).pointee = UInt8(ascii: "\n")
        } else {
            put { $0.put(UInt8(ascii: "\n")) }
            place -= 1
        }
        if told != nil { told?.endRow() }
    }

    @inline(__always)
    private mutating func put(_ body: (inout TextCursor) -> Void) {
        makeRoom(TextCursor.room)
        var cursor = TextCursor(place)
        body(&cursor)
        cursor.put(UInt8(ascii: "\t"))
        place = cursor.place
    }

    /// Keeps the number that stands there as it is read.
    private mutating func tell(from start: Int) {
        let text = UnsafeBufferPointer(start: room.first + start, count: byteCount - start - 1)
        told?.number(NumberParsing.double(Span(_unsafeElements: text)) ?? .nan)
    }

    @inline(__always)
    private mutating func makeRoom(_ count: Int) {
        if room.end - place <= count { grow(count) }
    }

    private mutating func grow(_ count: Int) {
        let larger = Room(max(2 * room.count, byteCount + count + 1))
        larger.first.update(from: room.first, count: byteCount)
        place = larger.first + byteCount
        room = larger
    }

    /// Memory for text.
    private final class Room {
        let first: UnsafeMutablePointer<UInt8>
        let count: Int
        let end: UnsafeMutablePointer<UInt8>

        init(_ count: Int) {
            self.count = count
            first = .allocate(capacity: count)
            end = first + count
        }

        deinit { first.deallocate() }
    }
}
