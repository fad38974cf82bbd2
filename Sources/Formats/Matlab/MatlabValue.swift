import Foundation

/// What a variable of a MATLAB file holds, as far as it was asked for.
enum MatlabValue {
    /// A single number.
    case number(Double)
    /// An array of any other count of numbers, which is read where it is needed.
    case numbers(MatlabNumbers)
    /// Text; rows of several become one, parted by blanks.
    case text(String)
    /// An array of structs: how many, and the values of the fields that were asked for, one for each.
    case structs(count: Int, fields: [String: [MatlabValue]])
    case cells([MatlabValue])
    /// What is not read, in words.
    case other(String)

    /// The single number; nil where it is none.
    var number: Double? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The text, also of a cell with nothing else in it; nil where it is none or empty.
    var text: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .cells(let cells): cells.count == 1 ? cells[0].text : nil
        default: nil
        }
    }

    /// The numbers, where there are no more than a few.
    /// - Throws: `FormatError` where they cannot be read.
    func few(_ most: Int = 64) throws -> [Double] {
        switch self {
        case .number(let value): [value]
        case .numbers(let numbers) where numbers.count <= most: try numbers.values()
        default: []
        }
    }

    /// Whether it is an array without anything in it.
    var isEmpty: Bool {
        switch self {
        case .number, .other: false
        case .numbers(let numbers): numbers.count == 0
        case .text(let text): text.isEmpty
        case .structs(let count, _): count == 0
        case .cells(let cells): cells.isEmpty
        }
    }

    /// What it is, in words.
    var words: String {
        switch self {
        case .number: "a number"
        case .numbers(let numbers): "\(numbers.shape.map(String.init).joined(separator: " x ")) numbers"
        case .text: "text"
        case .structs: "a struct"
        case .cells: "a cell array"
        case .other(let words): words
        }
    }
}

/// An array of numbers in a MATLAB file, the first index the fastest.
struct MatlabNumbers {
    let bytes: MatlabBytes
    let isBigEndian: Bool
    var shape: [Int]
    /// How many there are.
    var count: Int
    /// How each is stored, which may take less room than what it is in MATLAB.
    var stored: BinaryFrames.Number
    /// Where the first one begins.
    var place: Int
    var isComplex: Bool

    /// All of them.
    /// - Throws: `FormatError` where they cannot be read.
    func values() throws -> [Double] {
        let raw = try bytes.read(at: place, count: count * stored.byteCount)
        return (0..<count).map { stored.value(raw, at: $0 * stored.byteCount, isBigEndian: isBigEndian) }
    }

    /// The bytes that they are stored in, of which any may be read at once: what is compressed is unpacked to a file
    /// without a name.
    /// - Returns: the bytes, and where the first number begins in them.
    /// - Throws: `FormatError` where they cannot be read, or the disk is full.
    func unpacked() throws -> (bytes: any PlacedBytes, place: Int) {
        guard bytes.isPacked else { return (bytes, place) }
        let file = try NamelessFile(in: FileManager.default.temporaryDirectory, named: "numbers", for: bytes.url)
        let end = place + count * stored.byteCount
        for start in stride(from: place, to: end, by: 1 << 18) {
            let piece = try bytes.read(at: start, count: min(1 << 18, end - start))
            try piece.withUnsafeBytes { try file.append($0) }
        }
        try bytes.check()
        return (try file.whileOpenable { try InputFile(file.url) }, 0)
    }
}

/// Which fields of structs are read, and which of those within them; all else is passed over.
struct MatlabWish {
    var fields: [String: MatlabWish] = [:]

    /// Text, numbers, and cells of these.
    static let value = MatlabWish()
}
