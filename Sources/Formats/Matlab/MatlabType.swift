/// How data in a MATLAB file are stored (MathWorks, "MAT-File Format", table 1-1).
enum MatlabType: UInt32 {
    case int8 = 1
    case uint8 = 2
    case int16 = 3
    case uint16 = 4
    case int32 = 5
    case uint32 = 6
    case single = 7
    case double = 9
    case int64 = 12
    case uint64 = 13
    case matrix = 14
    case compressed = 15
    case utf8 = 16
    case utf16 = 17
    case utf32 = 18

    /// The numbers that it holds; nil where it holds none.
    var number: BinaryFrames.Number? {
        switch self {
        case .int8: .int8
        case .uint8: .uint8
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .single: .float32
        case .double: .float64
        case .matrix, .compressed, .utf8, .utf16, .utf32: nil
        }
    }
}

/// What a variable is (MathWorks, "MAT-File Format", table 1-3).
enum MatlabClass: UInt8 {
    case cell = 1
    case structure = 2
    case object = 3
    case text = 4
    case sparse = 5
    case double = 6
    case single = 7
    case int8 = 8
    case uint8 = 9
    case int16 = 10
    case uint16 = 11
    case int32 = 12
    case uint32 = 13
    case int64 = 14
    case uint64 = 15
    case function = 16
    case opaque = 17

    var isNumeric: Bool { (Self.double.rawValue...Self.uint64.rawValue).contains(rawValue) }
}
