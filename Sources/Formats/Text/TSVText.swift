public import Signals

/// Tab-separated text of rows that come cell by cell.
public struct TSVText: TableSink {
    private var memory: [UInt8]
    private var count = 0
    private var isRowBegun = false

    /// No row yet.
    public init() { memory = [UInt8](repeating: 0, count: 1 << 13) }

    /// How many bytes wait to be taken.
    public var byteCount: Int { count }

    /// Takes the text so far.
    public mutating func take() -> [UInt8] {
        defer { count = 0 }
        return Array(memory[..<count])
    }

    /// An integer.
    public mutating func integer(_ value: Int) { put { NumberFormatting.write(value, at: &$0) } }

    /// A number with at most 9 significant digits.
    public mutating func number(_ value: Double) { put { NumberFormatting.write(value, at: &$0) } }

    /// A time on a grid of 0.1 ms.
    public mutating func onset(_ value: Seconds) { put { NumberFormatting.write(onset: value, at: &$0) } }

    /// A text; tabs and line ends within it become blanks.
    public mutating func text(_ value: String) {
        guard !value.isEmpty else { return missing() }
        put(room: value.utf8.count) { cursor in
            for byte in value.utf8 { cursor.put(byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0x20 : byte) }
        }
    }

    /// No value.
    public mutating func missing() { put { $0.put("n/a") } }

    /// The row has all its cells.
    public mutating func endRow() {
        makeRoom(1)
        memory[count] = UInt8(ascii: "\n")
        count += 1
        isRowBegun = false
    }

    @inline(__always)
    private mutating func put(room: Int = TextCursor.room, _ body: (inout TextCursor) -> Void) {
        makeRoom(room + 1)
        let (count, isRowBegun) = (count, isRowBegun)
        self.count = memory.withUnsafeMutableBufferPointer { memory in
            // The memory is never empty.
            let first = memory.baseAddress.unsafelyUnwrapped
            var cursor = TextCursor(first + count)
            if isRowBegun { cursor.put(UInt8(ascii: "\t")) }
            body(&cursor)
            return cursor.place - first
        }
        self.isRowBegun = true
    }

    private mutating func makeRoom(_ room: Int) {
        guard memory.count - count < room else { return }
        memory.append(contentsOf: repeatElement(0, count: max(memory.count, room)))
    }
}
