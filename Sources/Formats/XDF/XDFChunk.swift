/// The kinds of chunks (XDF 1.0, "Chunk Types").
enum XDFTag: UInt16 {
    case fileHeader = 1
    case streamHeader = 2
    case samples = 3
    case clockOffset = 4
    case boundary = 5
    case streamFooter = 6

    /// Whether a stream's number stands before the content.
    var hasStream: Bool {
        switch self {
        case .streamHeader, .samples, .clockOffset, .streamFooter: true
        case .fileHeader, .boundary: false
        }
    }
}

/// The fixed bytes of the format.
enum XDFBytes {
    /// What every file begins with: `XDF:`.
    static let magic: [UInt8] = [0x58, 0x44, 0x46, 0x3A]
    /// The content of a boundary chunk, by which reading finds its way again after damage.
    static let boundary: [UInt8] = [
        0x43, 0xA5, 0x46, 0xDC, 0xCB, 0xF5, 0x41, 0x0F, 0xB3, 0x0E, 0xD5, 0x46, 0x73, 0x83, 0xCB, 0xE4,
    ]
    /// The longest boundary chunk that is taken for one, in bytes.
    static let longestBoundary = 4_096
    /// The longest XML that is read, in bytes: no header is nearly as long.
    static let longestXML = 16 << 20
}

/// A chunk found in a file: where it lies and what it is.
struct XDFChunk {
    /// What it is; nil for a kind of a later version.
    var tag: XDFTag?
    /// The stream it belongs to; 0 where there is none.
    var stream: UInt32
    /// Byte at which it begins.
    var offset: Int
    /// Bytes of its content, after tag and stream number.
    var content: Range<Int>
}

/// How a stream's values are stored.
public enum XDFValueFormat: String, Hashable, Sendable, Codable {
    case int8, int16, int32, int64, float32
    case double = "double64"
    case string

    /// Bytes of one value; 0 for text.
    public var byteCount: Int {
        switch self {
        case .int8: 1
        case .int16: 2
        case .int32, .float32: 4
        case .int64, .double: 8
        case .string: 0
        }
    }
}
