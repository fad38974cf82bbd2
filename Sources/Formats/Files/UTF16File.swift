import Foundation
import Signals

/// Text of UTF-16, as spreadsheets and Windows programs save it ("Unicode text"): read as the same text of UTF-8, from a
/// file without a name in the folder for temporary files.
enum UTF16File {
    /// The order of the two bytes of a code unit.
    enum Order { case littleEndian, bigEndian }

    private static let chunkSize = 1 << 18
    private static let sampleSize = 1 << 10

    /// True if a file begins with a byte order mark of UTF-16, or with lines of ASCII characters of two bytes each.
    static func recognizes(_ head: [UInt8], url: URL) -> Bool { order(head) != nil }

    /// The byte order of a text that begins with `head`; nil where it is no UTF-16.
    static func order(_ head: [UInt8]) -> Order? {
        guard head.count >= 4 else { return nil }
        // FF FE 00 00 would be UTF-32.
        if head.starts(with: [0xFF, 0xFE]) { return head[2] == 0 && head[3] == 0 ? nil : .littleEndian }
        if head.starts(with: [0xFE, 0xFF]) { return .bigEndian }
        let sample = head.prefix(sampleSize & ~1)
        let pairs = stride(from: 0, to: sample.count - 1, by: 2).map { (sample[$0], sample[$0 + 1]) }
        if areText(pairs.map { ($0.0, $0.1) }) { return .littleEndian }
        return areText(pairs.map { ($0.1, $0.0) }) ? .bigEndian : nil
    }

    /// True if code units are those of a table in a European language.
    private static func areText(_ units: [(low: UInt8, high: UInt8)]) -> Bool {
        let plain = units.count {
            $0.high == 0 && ((0x20...0x7E).contains($0.low) || [0x09, 0x0A, 0x0D].contains($0.low))
        }
        let digits = units.count { $0.high == 0 && (0x30...0x39).contains($0.low) }
        return plain * 10 >= units.count * 9 && digits > 0 && !units.contains { $0.high == 0 && $0.low == 0 }
    }

    /// Opens the recording in the text.
    /// - Throws: `FormatError` when it is no valid UTF-16, or holds no recording.
    static func open(_ url: URL) throws -> any RecordingReader { try open(url) { try RecordingFile.open($0) } }

    /// Opens the recording in the text by `body`, which is given a place that only `InputFile` can open.
    /// - Throws: `FormatError` when it is no valid UTF-16; what `body` throws.
    static func open(_ url: URL, by body: (URL) throws -> any RecordingReader) throws -> any RecordingReader {
        let target = try NamelessFile(
            in: FileManager.default.temporaryDirectory, named: url.lastPathComponent, for: url)
        try decode(InputFile(url)) { try $0.withUnsafeBytes { try target.append($0) } }
        return try UnpackedRecording(of: url, in: target.url) {
            try target.whileOpenable { try body(target.url) }
        }
    }

    /// The bytes of a text as UTF-8: decoded where they are UTF-16, else as they stand.
    /// - Throws: `FormatError` when UTF-16 is damaged.
    static func utf8(_ bytes: [UInt8], file: URL) throws -> [UInt8] {
        guard let order = order(bytes) else { return bytes }
        var decoder = Decoder(order: order, file: file)
        var text: [UInt8] = []
        try decoder.take(bytes, into: &text)
        try decoder.finish()
        return text
    }

    private static func decode(_ input: InputFile, _ write: ([UInt8]) throws -> Void) throws {
        let head = try input.read(at: 0, count: sampleSize)
        guard let order = order(head) else { throw FormatError(input.url, "is no text of UTF-16") }
        var decoder = Decoder(order: order, file: input.url)
        var offset = 0
        while offset < input.size {
            let bytes = try input.read(at: offset, count: chunkSize)
            if bytes.isEmpty { break }
            offset += bytes.count
            var text: [UInt8] = []
            text.reserveCapacity(bytes.count)
            try decoder.take(bytes, into: &text)
            try write(text)
        }
        try decoder.finish()
    }

    /// Decodes UTF-16 that comes in chunks.
    private struct Decoder {
        let order: Order
        let file: URL
        private var offset = 0
        private var odd: UInt8?
        private var lead: UInt16?

        init(order: Order, file: URL) { (self.order, self.file) = (order, file) }

        mutating func take(_ bytes: [UInt8], into text: inout [UInt8]) throws {
            for byte in bytes {
                offset += 1
                guard let first = odd else {
                    odd = byte
                    continue
                }
                odd = nil
                let unit =
                    order == .littleEndian
                    ? UInt16(byte) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(byte)
                try take(unit, into: &text)
            }
        }

        private mutating func take(_ unit: UInt16, into text: inout [UInt8]) throws {
            if let high = lead {
                guard UTF16.isTrailSurrogate(unit) else { throw damaged }
                lead = nil
                let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                if let scalar = Unicode.Scalar(value) { text.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
            } else if UTF16.isLeadSurrogate(unit) {
                lead = unit
            } else if unit < 0x80 {
                text.append(UInt8(unit))
            } else if let scalar = Unicode.Scalar(unit) {
                if unit != 0xFEFF || !text.isEmpty || offset > 2 {
                    text.append(contentsOf: UTF8.encode(scalar) ?? .init())
                }
            } else {
                throw damaged
            }
        }

        /// A byte too many at the end is a line that is cut off.
        func finish() throws { if lead != nil { throw damaged } }

        private var damaged: FormatError {
            FormatError(file, at: "byte \(offset)", "is no valid UTF-16", advice: "save the file as UTF-8")
        }
    }
}
