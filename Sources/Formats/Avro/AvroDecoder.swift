/// Reads values in Avro's binary encoding (specification 1.11, "Binary Encoding").
struct AvroDecoder {
    /// What is wrong with the bytes, and where.
    struct Problem: Error {
        var byte: Int
        var text: String
    }

    private let bytes: [UInt8]
    private let types: [String: AvroSchema]
    private(set) var position = 0
    /// Values so far. A schema may nest records without a byte in them so that they double at each level.
    private var valueCount = 0
    private let mostValues: Int
    private static let deepest = 64

    init(_ bytes: [UInt8], types: [String: AvroSchema] = [:]) {
        self.bytes = bytes
        self.types = types
        mostValues = 4 * bytes.count + 10_000
    }

    var isAtEnd: Bool { position >= bytes.count }

    private func problem(_ text: String) -> Problem { Problem(byte: position, text: text) }

    // MARK: primitives

    /// A whole number: seven bits a byte, the lowest first, signs folded into the lowest bit.
    mutating func long() throws(Problem) -> Int {
        var folded: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard position < bytes.count else { throw problem("ends within a number") }
            let byte = bytes[position]
            position += 1
            folded |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
            guard shift < 64 else { throw problem("has a number of more than 64 bits") }
        }
        return Int(bitPattern: UInt(folded >> 1)) ^ -Int(folded & 1)
    }

    /// `count` bytes as they are.
    mutating func fixed(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count - position else { throw problem("ends early") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    /// Bytes after their count.
    mutating func counted() throws(Problem) -> ArraySlice<UInt8> { try fixed(long()) }

    mutating func text() throws(Problem) -> String { String(decoding: try counted(), as: UTF8.self) }

    private mutating func word(_ count: Int) throws(Problem) -> UInt64 {
        try fixed(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func float() throws(Problem) -> Double {
        Double(Float(bitPattern: UInt32(truncatingIfNeeded: try word(4))))
    }

    // MARK: values

    mutating func value(_ schema: AvroSchema, depth: Int = 0) throws(Problem) -> AvroValue {
        guard depth < Self.deepest else { throw problem("is nested too deeply") }
        valueCount += 1
        guard valueCount <= mostValues else { throw problem("has more values than its \(bytes.count) bytes can hold") }
        switch schema {
        case .null: return .null
        case .boolean: return .boolean(try fixed(1).first == 1)
        case .int, .long: return .integer(try long())
        case .float: return .number(try float())
        case .double: return .number(Double(bitPattern: try word(8)))
        case .bytes: return .bytes(Array(try counted()))
        case .string: return .text(try text())
        case .fixed(let count): return .bytes(Array(try fixed(count)))
        case .enumeration(let symbols):
            let place = try long()
            guard symbols.indices.contains(place) else { throw problem("has no symbol \(place)") }
            return .text(symbols[place])
        case .array(let item): return try array(item, depth)
        case .map(let item): return try map(item, depth)
        case .union(let options):
            let place = try long()
            guard options.indices.contains(place) else { throw problem("has no branch \(place)") }
            return try value(options[place], depth: depth + 1)
        case .record(_, let fields):
            var values: [String: AvroValue] = [:]
            for field in fields { values[field.name] = try value(field.schema, depth: depth + 1) }
            return .record(values)
        case .named(let name):
            guard let type = types[name] else { throw problem("its schema lacks the type \(name)") }
            return try value(type, depth: depth + 1)
        }
    }

    /// Items in the next block of an array or map; 0 at its end.
    private mutating func blockCount() throws(Problem) -> Int {
        let count = try long()
        if count < 0 { _ = try long() }
        // Each item has at least a byte, so no count asks for more memory than there are bytes.
        guard count > -bytes.count, count.magnitude <= UInt(bytes.count - position) else {
            throw problem("counts \(count.magnitude) items, more than there are bytes")
        }
        return abs(count)
    }

    private mutating func array(_ item: AvroSchema, _ depth: Int) throws(Problem) -> AvroValue {
        switch item {
        case .int, .long:
            var values: [Int] = []
            while case let count = try blockCount(), count > 0 {
                values.reserveCapacity(values.count + count)
                for _ in 0..<count { values.append(try long()) }
            }
            return .integers(values)
        case .float, .double:
            var values: [Double] = []
            while case let count = try blockCount(), count > 0 {
                for _ in 0..<count {
                    guard case .number(let number) = try value(item) else { continue }
                    values.append(number)
                }
            }
            return .numbers(values)
        default:
            var values: [AvroValue] = []
            while case let count = try blockCount(), count > 0 {
                for _ in 0..<count { values.append(try value(item, depth: depth + 1)) }
                guard values.count <= bytes.count else { throw problem("has more items than bytes") }
            }
            return .list(values)
        }
    }

    private mutating func map(_ item: AvroSchema, _ depth: Int) throws(Problem) -> AvroValue {
        var values: [String: AvroValue] = [:]
        while case let count = try blockCount(), count > 0 {
            for _ in 0..<count { values[try text()] = try value(item, depth: depth + 1) }
        }
        return .map(values)
    }
}
