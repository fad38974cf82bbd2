public import Foundation
import Signals

/// The annotations of a record by one annotator, such as the reference beats in `100.atr`.
public struct WFDBAnnotations: Hashable, Sendable {
    /// The annotations in the order of the file, which is the order of time in well-made files.
    public var list: [WFDBAnnotation]
    /// Ticks per second of the annotations' times, where the file itself says so; nil means the record's frame rate.
    public var timeResolution: Double?
    /// Names the file gives to codes: symbol and description.
    public var definitions: [UInt8: Definition]
    /// What was odd about the file.
    public var notes: [String] = []
    /// Whether the file ended before its end mark: a part of it may be missing.
    public var isCutOff = false

    /// What a file says that one of its codes means.
    public struct Definition: Hashable, Sendable {
        /// The symbol that programs print.
        public var symbol: String
        /// What it means.
        public var description: String

        /// A meaning of a code.
        public init(symbol: String, description: String) {
            self.symbol = symbol
            self.description = description
        }
    }

    /// These annotations.
    public init(_ list: [WFDBAnnotation], timeResolution: Double? = nil, definitions: [UInt8: Definition] = [:]) {
        self.list = list
        self.timeResolution = timeResolution
        self.definitions = definitions
    }

    /// Reads an annotation file in MIT or AHA format.
    /// - Throws: `FormatError` when it is empty, larger than 32 MiB, ends within an annotation or has codes that do not
    ///   exist.
    public static func read(_ url: URL) throws -> WFDBAnnotations {
        try WFDBAnnotations(reading: url)
    }

    /// Reads an annotation file in MIT or AHA format.
    public init(reading url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= 32 << 20 else {
            throw FormatError(url, "has \(input.size) bytes, an annotation file may have at most 32 MiB")
        }
        try self.init(parsing: input.read(at: 0, count: input.size), file: url)
    }

    /// Reads annotations from bytes that came from `file`.
    public init(parsing bytes: [UInt8], file: URL) throws {
        guard bytes.count >= 2 else { throw FormatError(file, "is empty, expected WFDB annotations") }
        if WFDBAHAAnnotations.recognizes(bytes) {
            self = try WFDBAHAAnnotations.parse(bytes, file: file)
        } else {
            var parser = WFDBAnnotationParser(bytes: bytes, file: file)
            self = try parser.parse()
        }
    }

    /// The frame rate these annotations count in: their own, else that of the header beside `url`.
    /// - Throws: `FormatError` when neither says.
    public func sampleRate(beside url: URL) throws -> Double {
        if let timeResolution { return timeResolution }
        let header = url.deletingPathExtension().appendingPathExtension("hea")
        guard FileManager.default.fileExists(atPath: header.path) else {
            throw FormatError(
                url, "does not give its time resolution",
                advice: "put the record's header \(header.lastPathComponent) beside it")
        }
        return try WFDBHeader(reading: header).sampleRate
    }
}

/// Takes MIT-format annotations apart (WFDB Applications Guide, annot(5)).
struct WFDBAnnotationParser {
    let bytes: [UInt8]
    let file: URL
    private var position = 0
    private var time = 0
    private var chan: UInt8 = 0
    private var num: Int8 = 0
    private var found = WFDBAnnotations([])
    private var isDefining = false

    init(bytes: [UInt8], file: URL) {
        self.bytes = bytes
        self.file = file
    }

    mutating func parse() throws -> WFDBAnnotations {
        while true {
            guard let word = word() else {
                found.notes.append("the file has no end mark")
                found.isCutOff = true
                break
            }
            let code = UInt8(word >> 10)
            let value = Int(word & 0x3FF)
            if word == 0 { break }
            switch code {
            case 59: time += try skip()
            case 60...63: throw wrong("a modifier (code \(code)) without an annotation")
            case 50...58: throw wrong("the code \(code), which does not exist; is this a WFDB annotation file?")
            default:
                time += value
                try annotation(code)
            }
        }
        if position < bytes.count, bytes[position...].contains(where: { $0 != 0 }) {
            found.notes.append("\(bytes.count - position) bytes after the end mark were not read")
        }
        return found
    }

    private mutating func word() -> UInt16? {
        guard position + 2 <= bytes.count else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    /// A 32-bit interval, high half first, each half little-endian.
    private mutating func skip() throws -> Int {
        guard let high = word(), let low = word() else { throw wrong("the end of the file within a SKIP") }
        return Int(Int32(bitPattern: UInt32(high) << 16 | UInt32(low)))
    }

    private mutating func annotation(_ code: UInt8) throws {
        var annotation = WFDBAnnotation(sample: time, code: code)
        loop: while position + 2 <= bytes.count, bytes[position + 1] >> 2 > 59 {
            let low = bytes[position]
            let modifier = bytes[position + 1] >> 2
            position += 2
            switch modifier {
            case 60: num = Int8(bitPattern: low)
            case 61: annotation.subtype = Int8(bitPattern: low)
            case 62: chan = low
            default: annotation.aux = try aux(Int(low))
            }
        }
        annotation.chan = chan
        annotation.num = num
        if code == 0 || takeDefinition(annotation) { return }
        found.list.append(annotation)
    }

    private mutating func aux(_ length: Int) throws -> String {
        guard position + length <= bytes.count else { throw wrong("the end of the file within a note") }
        defer { position += length + length % 2 }
        // Some writers count the zero that ends a C string.
        let text = bytes[position..<position + length].prefix { $0 != 0 }
        if let string = String(validating: text, as: UTF8.self) { return string }
        return String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }

    /// Whether an annotation speaks of the file itself: notes at time 0 that begin with `##`, and the list of
    /// definitions between two of them.
    private mutating func takeDefinition(_ annotation: WFDBAnnotation) -> Bool {
        guard annotation.code == 22, annotation.sample == 0 else { return false }
        let note = annotation.aux
        let resolution = "## time resolution: "
        if note.hasPrefix(resolution) {
            if let rate = NumberParsing.double(note.dropFirst(resolution.count)), Plausible.sampleRates.contains(rate) {
                found.timeResolution = rate
            } else {
                found.notes.append("the time resolution \"\(note.dropFirst(resolution.count))\" is not a rate")
            }
            return true
        }
        if note == "## annotation type definitions" || note == "## end of definitions" {
            isDefining = note.contains("type")
            return true
        }
        guard isDefining else { return false }
        let words = note.split(separator: " ", maxSplits: 2)
        if words.count >= 2, let code = UInt8(words[0]), code < 50 {
            let description = words.count == 3 ? String(words[2]) : ""
            found.definitions[code] = WFDBAnnotations.Definition(symbol: String(words[1]), description: description)
        }
        return true
    }

    private func wrong(_ what: String) -> FormatError {
        FormatError(file, at: "byte \(max(0, position - 2))", "found \(what)")
    }
}

/// Reads annotations in the format of the AHA database: 16 bytes each (annot(5)).
enum WFDBAHAAnnotations {
    private static let codes: [UInt8: UInt8] = [
        UInt8(ascii: "N"): 1, UInt8(ascii: "V"): 5, UInt8(ascii: "F"): 6, UInt8(ascii: "E"): 10, UInt8(ascii: "P"): 12,
        UInt8(ascii: "Q"): 13, UInt8(ascii: "R"): 41, UInt8(ascii: "U"): 14, UInt8(ascii: "O"): 22,
        UInt8(ascii: "["): 32, UInt8(ascii: "]"): 33,
    ]

    /// MIT files cannot begin with a zero byte and one of these letters.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 16, bytes[0] == 0, codes[bytes[1]] != nil else { return false }
        return bytes[1] != UInt8(ascii: "[") && bytes[1] != UInt8(ascii: "]")
    }

    static func parse(_ bytes: [UInt8], file: URL) throws -> WFDBAnnotations {
        var list: [WFDBAnnotation] = []
        var position = 0
        while position < bytes.count, bytes[position] != 0xFF {
            guard position + 16 <= bytes.count else {
                throw FormatError(file, at: "byte \(position)", "found the end of the file within an AHA annotation")
            }
            let entry = bytes[position..<position + 16]
            let base = entry.startIndex
            guard bytes[position] == 0, let code = codes[entry[base + 1]] else {
                throw FormatError(file, at: "byte \(position)", "found no AHA annotation")
            }
            let high = UInt32(entry[base + 2]) | UInt32(entry[base + 3]) << 8
            let low = UInt32(entry[base + 4]) | UInt32(entry[base + 5]) << 8
            let aux = String(decoding: entry[(base + 10)...].prefix { $0 != 0 }, as: UTF8.self)
            var subtype = Int8(bitPattern: entry[base + 8])
            if entry[base + 1] == UInt8(ascii: "U"), subtype == 0 { subtype = -1 }
            list.append(
                WFDBAnnotation(
                    sample: Int(Int32(bitPattern: high << 16 | low)), code: code, subtype: subtype,
                    chan: entry[base + 9], aux: aux))
            position += 16
        }
        return WFDBAnnotations(list)
    }
}
