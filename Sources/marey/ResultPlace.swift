import Formats
import Foundation

/// Where a result may be written: not among a study's raw data, and over nothing but an earlier result, which what is there
/// is told by.
enum ResultPlace {
    /// What is written.
    enum Kind {
        /// A table, JSON, a page or a PDF.
        case text
        /// WFDB annotations of beats.
        case annotations
    }

    /// Refuses places where nothing that is lost could be made again.
    /// - Throws: `Failure.misuse` with the first of `files` that no result may be written to.
    static func demand(_ files: [URL], for kind: Kind = .text) throws {
        for file in files where !OutputFiles.isDevice(file) {
            try OutputFiles.refuseDangling(file)
            try refuseRawData(file)
            try refuseOthers(file, kind)
        }
    }

    /// - Throws: when `file` is, or would be, among the raw data of a study, or is one of the files that describe it.
    static func refuseRawData(_ file: URL) throws {
        // As it is named and as it lies: raw data may be a link to another disk.
        for path in Set([file.standardizedFileURL.path, OutputFiles.place(file)]) {
            var place = URL(fileURLWithPath: path)
            var folder = place.deletingLastPathComponent()
            if described.contains(place.lastPathComponent), isDataset(folder) {
                throw Failure.misuse("\(file.relativePath): describes a data set and is no result; name another file")
            }
            while place.path != "/" {
                if place.lastPathComponent == "sourcedata", isDataset(folder) {
                    throw Failure.misuse(
                        "\(file.relativePath): lies among the raw data of a study, which no result is written to; "
                            + "name a file elsewhere")
                }
                place = folder
                folder = place.deletingLastPathComponent()
            }
        }
    }

    private static let described: Set<String> = ["dataset_description.json", "participants.tsv", "participants.json"]

    private static func isDataset(_ folder: URL) -> Bool {
        access(folder.appendingPathComponent("dataset_description.json").path, F_OK) == 0
    }

    /// What is written by people or simulations, and read beside a recording.
    private static let kept = ["_truth.tsv", "_faults.tsv", "_simulation.json", "_desc-edits_beats.tsv"]

    private static func refuseOthers(_ file: URL, _ kind: Kind) throws {
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else { return }
        if let ending = kept.first(where: { file.lastPathComponent.hasSuffix($0) }) {
            throw Failure.misuse(
                "\(file.relativePath): is there already, and what ends with \(ending) is no result but goes with a recording; "
                    + "name another file")
        }
        guard !isReplaceable(file, kind) else { return }
        let results = kind == .text ? "a table, JSON, a page or a PDF" : "annotations of beats, other than .atr"
        throw Failure.misuse(
            "\(file.relativePath): is there already and is no result that can be made again (\(results)); it may be a "
                + "recording: name another file")
    }

    private static func isReplaceable(_ file: URL, _ kind: Kind) -> Bool {
        let ending = file.pathExtension.lowercased()
        guard let input = try? InputFile(file), let head = try? input.read(at: 0, count: 1 << 12) else { return false }
        if kind == .annotations {
            // What databases call the reference of a record.
            guard ending != "atr", let end = try? input.read(at: input.size - 2, count: 2) else { return false }
            return end == [0, 0] && (try? WFDBAnnotations.read(file)) != nil
        }
        if head.starts(with: Array("%PDF-".utf8)) { return true }
        guard !head.contains(0) else { return false }
        if ["tsv", "json", "html", "htm", "pdf"].contains(ending) { return true }
        let isRecording = ReadableFormat.endings.contains(ending) && !["csv", "tsv", "txt"].contains(ending)
        return !isRecording && (isMarkup(head) || isTable(head))
    }

    /// Whether a text begins as JSON or a page does.
    private static func isMarkup(_ head: [UInt8]) -> Bool {
        let start = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace }.prefix(16).lowercased()
        return ["{", "[", "<!doctype html", "<html"].contains { start.hasPrefix($0) }
    }

    /// Whether a text begins with the names of columns and goes on with rows of as many cells, all with tabs between them.
    private static func isTable(_ head: [UInt8]) -> Bool {
        let lines = head.split(separator: UInt8(ascii: "\n"))
        guard let header = lines.first else { return false }
        func tabs(_ line: ArraySlice<UInt8>) -> Int { line.count { $0 == UInt8(ascii: "\t") } }
        let cells = header.split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
        guard tabs(header) > 0, let name = cells.first, Double(name) == nil else { return false }
        // The last line may be cut off.
        return lines.dropFirst().dropLast().allSatisfy { tabs($0) == tabs(header) }
    }
}
