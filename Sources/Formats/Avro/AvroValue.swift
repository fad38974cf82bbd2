/// A value read from an Avro file. Arrays of numbers are kept as such.
enum AvroValue {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case bytes([UInt8])
    case integers([Int])
    case numbers([Double])
    case list([AvroValue])
    case map([String: AvroValue])
    case record([String: AvroValue])

    /// A field of a record.
    subscript(field: String) -> AvroValue? {
        if case .record(let fields) = self { return fields[field] }
        return nil
    }

    var integer: Int? {
        if case .integer(let value) = self { return value }
        return nil
    }

    /// A number of any kind.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var text: String? {
        if case .text(let value) = self { return value }
        return nil
    }

    /// Numbers of any kind; nil when it is no array of them.
    var numbers: [Double]? {
        switch self {
        case .integers(let values): values.map(Double.init)
        case .numbers(let values): values
        case .list(let values) where values.isEmpty: []
        default: nil
        }
    }

    var integers: [Int]? {
        switch self {
        case .integers(let values): values
        case .list(let values) where values.isEmpty: []
        default: nil
        }
    }
}
