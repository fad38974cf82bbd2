/// Lines from all over a text file: what its beginning shows need not be so later.
enum LineStretches {
    private static let count = 15
    private static let size = 1 << 14

    /// Whole lines, which end with `lineEnd`, of stretches that are spread evenly over what follows the first `start` bytes.
    static func read(_ input: InputFile, after start: Int, lineEnd: UInt8 = 0x0A) throws -> [[UInt8]] {
        guard input.size > start else { return [] }
        return try (0..<count).map { place in
            let bytes = try input.read(at: start + (input.size - start) / count * place, count: size)
            guard let first = bytes.firstIndex(of: lineEnd), let last = bytes.lastIndex(of: lineEnd) else {
                return []
            }
            return Array(bytes[first..<last].dropFirst())
        }
    }

    /// The lines of such a stretch.
    static func lines(_ bytes: some Collection<UInt8>) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
