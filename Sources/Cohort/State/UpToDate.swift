public import Foundation
import Pipeline

/// One file of results, pinned by its content.
public struct ResultFile: Hashable, Codable, Sendable {
    /// Its path relative to the folder of the results.
    public var path: String
    /// Its length.
    public var bytes: Int
    /// SHA-256 of its content, in hexadecimal.
    public var sha256: String
}

/// Why results are not up to date.
public enum OutdatedCause: Hashable, Sendable, CustomStringConvertible {
    /// Another version of the software made them.
    case version(String)
    /// They were made with other parameters.
    case parameters
    /// They were made from other files, or from files that have changed.
    case inputs
    /// It was not noted which files belong to them.
    case unrecorded
    /// A file of them is not there.
    case missing(String)
    /// A file of them has another length.
    case length(String, found: Int, expected: Int)
    /// A file of them has other content.
    case content(String)

    /// The file that is concerned; nil where all are.
    public var file: String? {
        switch self {
        case .missing(let path), .length(let path, _, _), .content(let path): path
        case .version, .parameters, .inputs, .unrecorded: nil
        }
    }

    /// In words for the reader.
    public var description: String {
        switch self {
        case .version(let version): "made by version \(version)"
        case .parameters: "made with other parameters"
        case .inputs: "made from other files, or from files that have changed"
        case .unrecorded: "its files were not noted by the version that made it"
        case .missing: "is not there"
        case .length(_, let found, let expected): "has \(found) bytes, expected \(expected)"
        case .content: "is not what was computed: its content has changed"
        }
    }
}

/// The one definition of "up to date", for studies and for batches: results are up to date where they were made from the same
/// inputs, with the same parameters and by the same version, and where each of their files has the length and the content that
/// it was written with.
public enum UpToDate {
    /// The basis of results.
    public struct Basis<Inputs: Hashable>: Hashable {
        /// The version of the software.
        public var version: String
        /// SHA-256 of the parameters.
        public var parametersSHA256: String
        /// The files that are read, by stamps or by hashes.
        public var inputs: Inputs
    }

    /// Why results are not up to date; empty where they are.
    /// - Parameters:
    ///   - made: what they were made from.
    ///   - wanted: what they would be made from now.
    ///   - files: the files that they consist of; nil where that was not noted.
    ///   - root: the folder that the files' paths are relative to.
    ///   - sealed: as in `changes(of:in:sealed:)`.
    public static func causes<Inputs>(
        made: Basis<Inputs>, wanted: Basis<Inputs>, files: [ResultFile]?, in root: URL, sealed: Int? = nil
    ) -> [OutdatedCause] {
        var causes: [OutdatedCause] = []
        if made.version != wanted.version { causes.append(.version(made.version)) }
        if made.parametersSHA256 != wanted.parametersSHA256 { causes.append(.parameters) }
        if made.inputs != wanted.inputs { causes.append(.inputs) }
        guard let files else { return causes + [.unrecorded] }
        // Results that are made again need not be read.
        guard causes.isEmpty else { return causes }
        return changes(of: files, in: root, sealed: sealed)
    }

    /// The files of results that are not as they were written.
    /// - Parameter sealed: when the results were noted, by the clock of their disk (`changeTime(of:)`). Files of the
    ///   right length that have not been touched since are not read again; nil: all are read.
    public static func changes(of files: [ResultFile], in root: URL, sealed: Int? = nil) -> [OutdatedCause] {
        let folder = root.path
        return files.compactMap { file in
            let path = folder + "/" + file.path
            var status = stat()
            guard stat(path, &status) == 0 else { return .missing(file.path) }
            guard Int(status.st_size) == file.bytes else {
                return .length(file.path, found: Int(status.st_size), expected: file.bytes)
            }
            if let sealed, changeTime(status) < sealed { return nil }
            // Content that may not be read is not compared; whoever needs it is told the reason.
            guard access(path, R_OK) == 0 else { return nil }
            let found = try? InputHash(of: root.appendingPathComponent(file.path, isDirectory: false))
            return found?.sha256 == file.sha256 ? nil : .content(file.path)
        }
    }

    /// When the content, the name or the rights of a file last changed, in nanoseconds since 1970; nil where it is not there.
    public static func changeTime(of url: URL) -> Int? {
        var status = stat()
        return stat(url.path, &status) == 0 ? changeTime(status) : nil
    }

    private static func changeTime(_ status: stat) -> Int {
        let (seconds, isBeyond) = status.st_ctim.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isPast) = seconds.addingReportingOverflow(status.st_ctim.tv_nsec)
        return isBeyond || isPast ? .max : sum
    }
}
