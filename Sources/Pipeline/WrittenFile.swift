import Formats
public import Foundation

/// A file of settings that somebody wrote by hand, read whole.
public enum WrittenFile {
    /// More bytes than this nobody writes.
    static let mostBytes = 64 << 20

    /// What is in a file.
    /// - Throws: `PipelineError`, naming the file, when it is missing, a folder or no regular file, cannot be read, or is larger
    ///   than settings are.
    public static func bytes(of url: URL) throws -> [UInt8] {
        do {
            let input = try InputFile(url)
            guard input.size <= mostBytes else {
                throw PipelineError("\(url.relativePath): has \(input.size) bytes, expected a file of settings")
            }
            return try input.read(at: 0, count: input.size)
        } catch let error as FormatError {
            // A link to content that was not fetched says what to do.
            let isMissing = error.advice == nil && !FileManager.default.fileExists(atPath: url.path)
            throw PipelineError(
                "\(url.relativePath): \(isMissing ? "there is no such file" : error.problem)", advice: error.advice)
        }
    }

    /// What is in a text file.
    /// - Throws: `PipelineError`, naming the file, as `bytes(of:)`, and when it is not UTF-8 text.
    public static func text(of url: URL) throws -> String {
        let bytes = try Self.bytes(of: url)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard let text = String(bytes: bytes.dropFirst(bytes.starts(with: mark) ? 3 : 0), encoding: .utf8) else {
            throw PipelineError("\(url.relativePath): cannot be read as UTF-8 text")
        }
        return text
    }
}
