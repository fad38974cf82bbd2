import ArgumentParser
import Foundation

/// Where the key of a service comes from, other than its link: what stands on the command line can be read by everybody on
/// the machine, in the list of its processes.
struct KeyOptions: ParsableArguments {
    @Option(
        help: "A file whose first line is the key of the link, or the whole link with it; - for standard input.")
    var keyFile: String?

    private static let longestLine = 4_096

    /// The key in the file; nil without one.
    /// - Throws: `Failure` when there is no such file or no key in it.
    func key() throws -> String? {
        guard let keyFile else { return nil }
        let line = keyFile == "-" ? readLine() : try Self.firstLine(of: keyFile)
        // Of a whole link, what is behind the #.
        let key = line?.split(separator: "#").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        guard key.hasPrefix("marey_") || key.hasPrefix("code_") else {
            throw Failure.misuse("--key-file \(keyFile): its first line is no key of marey serve: marey_…")
        }
        return key
    }

    private static func firstLine(of path: String) throws -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let head = try? file.read(upToCount: longestLine) else {
            throw Failure.misuse("--key-file \(path): cannot be read")
        }
        return String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    }
}
