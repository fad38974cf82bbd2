import Formats
public import Foundation

/// Finds the recordings of a data set that may be scored.
///
/// In a folder with a file `RECORDS` the WFDB records are those that it lists, folders (with a `/` at the end) included; in
/// others all headers, but for those of segments. Other recordings count where a simulation's truth lies beside
/// them; those of formats that can hold ECG and pulse together are returned as candidates.
public struct ValidationSearch {
    /// Records and recordings with a truth, in order of their names.
    public private(set) var subjects: [ValidationSubject] = []
    /// Files that can be scored only if they hold both ECG and BVP.
    public private(set) var candidates: [ValidationSubject] = []
    private let root: URL
    private var visited: Set<String> = []

    /// Endings of files that may hold signals without being WFDB records.
    private static let signalEndings: Set<String> = ["edf", "bdf", "rec", "zip", "csv", "txt", "xdf", "vhdr", "acq"]
    private static let deepest = 16

    /// Searches a folder and all below it.
    public init(_ folder: URL) {
        root = folder.resolvingSymlinksInPath().standardizedFileURL
        search(root, depth: 0)
    }

    private mutating func search(_ folder: URL, depth: Int) {
        guard depth <= Self.deepest, visited.insert(folder.resolvingSymlinksInPath().path).inserted else { return }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { !$0.hasPrefix(".") }.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        let listed = names.contains("RECORDS") ? Self.list(folder.appendingPathComponent("RECORDS")) : nil
        let headers = Set(names.filter { $0.hasSuffix(".hea") }.map { String($0.dropLast(4)) })
        if let listed {
            for entry in listed {
                let place = folder.appendingPathComponent(entry)
                if entry.hasSuffix("/") {
                    search(place, depth: depth + 1)
                } else {
                    add(place.appendingPathExtension("hea"))
                }
            }
        } else {
            let segments = Self.segments(of: headers, in: folder)
            for header in names where header.hasSuffix(".hea") && !segments.contains(String(header.dropLast(4))) {
                add(folder.appendingPathComponent(header))
            }
        }
        for name in names where !name.hasSuffix(".hea") {
            let url = folder.appendingPathComponent(name)
            if isFolder(url) {
                if listed == nil { search(url, depth: depth + 1) }
            } else {
                addFile(url, among: Set(names), headers)
            }
        }
    }

    private mutating func addFile(_ url: URL, among names: Set<String>, _ headers: Set<String>) {
        let stem = ValidationSubject.stem(of: url)
        let ending = url.pathExtension.lowercased()
        let inner = ending == "gz" ? url.deletingPathExtension().pathExtension.lowercased() : ending
        guard Self.signalEndings.contains(inner) || inner == "tsv", !headers.contains(stem.lastPathComponent) else {
            return
        }
        let subject = subject(url)
        if names.contains(stem.lastPathComponent + "_truth.tsv") {
            if !subjects.contains(where: { $0.url == url }) { subjects.append(subject) }
        } else if Self.signalEndings.contains(inner) {
            candidates.append(subject)
        }
    }

    private mutating func add(_ header: URL) {
        subjects.append(subject(header))
    }

    private func subject(_ url: URL) -> ValidationSubject {
        let stem = ValidationSubject.stem(of: url).standardizedFileURL.path
        let prefix = root.path + "/"
        let name = stem.hasPrefix(prefix) ? String(stem.dropFirst(prefix.count)) : url.lastPathComponent
        return ValidationSubject(url: url, name: name, set: url.deletingLastPathComponent().lastPathComponent)
    }

    private func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// The entries of a RECORDS file; nil when it cannot be read as text or lists nothing.
    private static func list(_ url: URL) -> [String]? {
        guard let bytes = try? InputFile(url).read(at: 0, count: 16 << 20),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let entries = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        return entries.isEmpty ? nil : entries
    }

    /// The records that are segments of others.
    private static func segments(of headers: Set<String>, in folder: URL) -> Set<String> {
        var segments: Set<String> = []
        for name in headers {
            let header = try? WFDBHeader(reading: folder.appendingPathComponent(name).appendingPathExtension("hea"))
            for segment in header?.segments ?? [] { segment.name.map { _ = segments.insert($0) } }
        }
        return segments
    }
}
