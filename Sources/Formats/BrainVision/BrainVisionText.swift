import Foundation

/// The sections of a BrainVision header or marker file, which are written like Windows INI files.
struct BrainVisionText {
    struct Entry {
        var key: String
        var value: String
        var line: Int
    }

    let file: URL
    /// The entries of each section, in order; names of sections in lower case.
    private(set) var sections: [String: [Entry]] = [:]
    private static let largest = 256 << 20

    /// - Throws: `FormatError` when the file cannot be read or does not begin as one of BrainVision's.
    init(reading url: URL, title: String) throws {
        file = url
        let input = try InputFile(url)
        guard input.size <= Self.largest else {
            throw FormatError(url, "has \(input.size) bytes, more than a BrainVision text file may have")
        }
        let bytes = try input.read(at: 0, count: input.size)
        guard Self.isTitled(bytes, title) else {
            throw FormatError(url, at: "line 1", "is no BrainVision \(title)")
        }
        parse(Self.decoded(bytes))
    }

    /// Whether the first line is that of a BrainVision file of this kind, in any of its versions.
    static func isTitled(_ bytes: [UInt8], _ title: String) -> Bool {
        let line = bytes.prefix(120).prefix { $0 != 0x0A && $0 != 0x0D }
        let letters = String(decoding: line, as: UTF8.self).lowercased().filter { $0.isLetter }
        return letters.hasPrefix("brainvision") && letters.contains(title.filter { $0.isLetter })
    }

    /// UTF-8 where it is that, else Latin-1, which files of old recorders are written in.
    private static func decoded(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private mutating func parse(_ text: String) {
        var section = ""
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix(";") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = line.dropFirst().dropLast().lowercased()
                // Free text follows.
                if section == "comment" { return }
                continue
            }
            guard let mark = line.firstIndex(of: "=") else { continue }
            let key = line[..<mark].trimmingCharacters(in: .whitespaces)
            let value = line[line.index(after: mark)...].trimmingCharacters(in: .whitespaces)
            sections[section, default: []].append(Entry(key: key, value: value, line: index + 1))
        }
    }

    /// The value of a key, however it is capitalised; nil where it is missing or empty.
    func value(_ section: String, _ key: String) -> String? {
        entry(section, key).flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The entry of a key, however it is capitalised.
    func entry(_ section: String, _ key: String) -> Entry? {
        sections[section]?.first { $0.key.lowercased() == key.lowercased() }
    }

    /// The whole number of a key; nil where it is missing or empty.
    /// - Throws: `FormatError` when it is no number within `range`.
    func integer(_ section: String, _ key: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let entry = entry(section, key), !entry.value.isEmpty else { return nil }
        guard let number = NumberParsing.integer(entry.value), range.contains(number) else {
            throw FormatError(
                file, at: "line \(entry.line)",
                "\(key) is \"\(entry.value.prefix(40))\", expected a whole number from \(range.lowerBound) on")
        }
        return number
    }

    /// The fields of a list between commas; a comma within one is written `\1`.
    static func fields(_ value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.replacing("\\1", with: ",").trimmingCharacters(in: .whitespaces)
        }
    }
}
