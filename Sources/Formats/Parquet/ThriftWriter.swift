/// Writes structures in Thrift's compact protocol, in which the metadata of Parquet files are (Apache Thrift, "Thrift
/// Compact protocol encoding").
struct ThriftWriter {
    private(set) var bytes: [UInt8] = []
    private var last = 0

    private enum Kind: UInt8 {
        case int32 = 5
        case int64 = 6
        case binary = 8
        case list = 9
        case structure = 12
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func zigzag(_ value: Int) {
        varint(UInt64(bitPattern: Int64(value << 1 ^ value >> 63)))
    }

    private mutating func header(_ field: Int, _ kind: Kind) {
        let step = field - last
        if (1...15).contains(step) {
            bytes.append(UInt8(step) << 4 | kind.rawValue)
        } else {
            bytes.append(kind.rawValue)
            zigzag(field)
        }
        last = field
    }

    mutating func int32(_ field: Int, _ value: Int) {
        header(field, .int32)
        zigzag(value)
    }

    mutating func int64(_ field: Int, _ value: Int) {
        header(field, .int64)
        zigzag(value)
    }

    mutating func binary(_ field: Int, _ value: [UInt8]) {
        header(field, .binary)
        raw(value)
    }

    mutating func text(_ field: Int, _ value: String) { binary(field, Array(value.utf8)) }

    mutating func structure(_ field: Int, _ body: (inout ThriftWriter) -> Void) {
        header(field, .structure)
        nested(body)
    }

    mutating func int32s(_ field: Int, _ values: [Int]) {
        list(field, values.count, .int32)
        for value in values { zigzag(value) }
    }

    mutating func texts(_ field: Int, _ values: [String]) {
        list(field, values.count, .binary)
        for value in values { raw(Array(value.utf8)) }
    }

    mutating func structures<Value>(_ field: Int, _ values: [Value], _ body: (inout ThriftWriter, Value) -> Void) {
        list(field, values.count, .structure)
        for value in values { nested { body(&$0, value) } }
    }

    /// Ends the outermost structure.
    mutating func finish() { bytes.append(0) }

    private mutating func nested(_ body: (inout ThriftWriter) -> Void) {
        let outer = last
        last = 0
        body(&self)
        bytes.append(0)
        last = outer
    }

    private mutating func raw(_ value: [UInt8]) {
        varint(UInt64(value.count))
        bytes += value
    }

    private mutating func list(_ field: Int, _ count: Int, _ kind: Kind) {
        header(field, .list)
        if count < 15 {
            bytes.append(UInt8(count) << 4 | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            varint(UInt64(count))
        }
    }
}
