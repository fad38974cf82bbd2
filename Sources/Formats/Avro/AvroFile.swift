import Foundation

/// An Avro object container file (specification 1.11, "Object Container Files"): the values it holds, codecs `null` and
/// `deflate`.
struct AvroFile {
    static let magic: [UInt8] = [0x4F, 0x62, 0x6A, 0x01]
    private static let largest = 256 << 20

    /// The name of the record that the values are.
    let schemaName: String
    let values: [AvroValue]

    /// Reads a whole file.
    /// - Throws: `FormatError` when it is damaged, larger than 256 MiB, or compressed otherwise.
    init(reading url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= Self.largest else {
            throw FormatError(url, "has \(input.size) bytes, an Avro file may have at most \(Self.largest)")
        }
        let bytes = try input.read(at: 0, count: input.size)
        guard bytes.starts(with: Self.magic) else { throw FormatError(url, "does not begin like an Avro file") }
        var decoder = AvroDecoder(bytes)
        do {
            _ = try decoder.fixed(4)
            let metadata = try decoder.value(.map(.bytes))
            let codec = try Self.codec(metadata, url)
            let document = try Self.schema(metadata, url)
            let sync = Array(try decoder.fixed(16))
            var values: [AvroValue] = []
            while !decoder.isAtEnd {
                let count = try decoder.long()
                let block = try decoder.counted()
                guard Array(try decoder.fixed(16)) == sync else {
                    throw FormatError(url, at: "byte \(decoder.position)", "a block does not end where it should")
                }
                values += try Self.values(block, count, codec, document, url)
            }
            self.values = values
            if case .record(let name, _) = document.root { schemaName = name } else { schemaName = "" }
        } catch let problem as AvroDecoder.Problem {
            throw FormatError(url, at: "byte \(problem.byte)", problem.text)
        }
    }

    private static func entry(_ metadata: AvroValue, _ key: String) -> [UInt8]? {
        guard case .map(let entries) = metadata, case .bytes(let bytes)? = entries[key] else { return nil }
        return bytes
    }

    private static func codec(_ metadata: AvroValue, _ url: URL) throws -> String {
        let codec = entry(metadata, "avro.codec").map { String(decoding: $0, as: UTF8.self) } ?? "null"
        guard ["null", "deflate"].contains(codec) else {
            throw FormatError(
                url, "is compressed by \(codec.prefix(20)); null and deflate are read",
                advice: "write it again with one of these codecs")
        }
        return codec
    }

    private static func schema(_ metadata: AvroValue, _ url: URL) throws -> AvroSchema.Document {
        guard let json = entry(metadata, "avro.schema"), let document = AvroSchema.parse(json) else {
            throw FormatError(url, "has no schema that can be understood")
        }
        return document
    }

    private static func values(
        _ block: ArraySlice<UInt8>, _ count: Int, _ codec: String, _ document: AvroSchema.Document, _ url: URL
    ) throws -> [AvroValue] {
        let content: [UInt8]
        if codec == "null" {
            content = Array(block)
        } else {
            guard let unpacked = Inflation.raw(block, limit: largest) else {
                throw FormatError(url, at: "byte \(block.startIndex)", "a block cannot be unpacked")
            }
            content = unpacked
        }
        guard count >= 0, count <= content.count else {
            throw FormatError(url, at: "byte \(block.startIndex)", "a block counts \(count) values")
        }
        var decoder = AvroDecoder(content, types: document.types)
        do {
            var values: [AvroValue] = []
            for _ in 0..<count { values.append(try decoder.value(document.root)) }
            return values
        } catch {
            throw FormatError(
                url, at: "byte \(error.byte) of the block at byte \(block.startIndex)", error.text)
        }
    }
}
