import Foundation
import Signals

/// Where the files of an Empatica E4 export are: a folder, or a zip as it comes from the maker.
struct EmpaticaSource {
    /// What a file of the export holds.
    enum Role: String, CaseIterable {
        case acc, bvp, eda, temp, hr, ibi, tags

        /// The role of the file called `path`; nil for others.
        init?(path: String) {
            let parts = path.split(separator: "/")
            guard let name = parts.last?.lowercased(), !name.hasPrefix("._"), !parts.contains("__MACOSX"),
                name.hasSuffix(".csv")
            else { return nil }
            let stem = name.dropLast(4)
            // Cohorts add the subject to the name of the tags: tags_S01.csv.
            if stem.hasPrefix("tags_") {
                self = .tags
            } else {
                self.init(rawValue: String(stem))
            }
        }
    }

    /// The folder or zip.
    let url: URL
    /// The files there are, by what they hold.
    private let paths: [Role: String]
    private let zip: ZipArchive?

    /// Finds the files of an export.
    /// - Throws: `FormatError` when there are none, or those of several sessions.
    init(_ url: URL) throws {
        self.url = url
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
        let names: [String]
        if exists, isDirectory.boolValue {
            zip = nil
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
            } catch {
                throw FormatError(url, "is a folder that cannot be listed")
            }
        } else {
            let zip = try ZipArchive(url)
            self.zip = zip
            names = zip.entries.map(\.path)
        }
        paths = try Self.assign(names, url, isZip: zip != nil)
    }

    private static func assign(_ names: [String], _ url: URL, isZip: Bool) throws -> [Role: String] {
        var paths: [Role: String] = [:]
        for name in names {
            guard let role = Role(path: name) else { continue }
            if let other = paths[role] {
                throw FormatError(
                    url, "has '\(other)' and '\(name)'; one session has one of them",
                    advice: "give one session at a time")
            }
            paths[role] = name
        }
        guard paths.keys.contains(where: { $0 != .tags }) else {
            let some = names.prefix(5).map { "'\($0.prefix(60))'" }.joined(separator: ", ")
            throw FormatError(
                url,
                "is a \(isZip ? "zip" : "folder") without an Empatica E4 session (ACC.csv, BVP.csv, EDA.csv, TEMP.csv, HR.csv, "
                    + "IBI.csv)"
                    + (some.isEmpty ? "; it is empty" : "; found \(some)\(names.count > 5 ? " and others" : "")"))
        }
        return paths
    }

    /// Whether a folder has files called as those of an export.
    static func isSessionFolder(_ url: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.contains { name in Role(path: name).map { $0 != .tags } ?? false }
    }

    /// The files of the folder that are read, or the zip.
    var files: [URL] {
        zip == nil ? paths.values.sorted().map { url.appendingPathComponent($0) } : [url]
    }

    /// Opens a file of the export; nil where there is none.
    func rows(_ role: Role) throws -> EmpaticaRows? {
        guard let path = paths[role] else { return nil }
        let name = url.relativePath + "/" + path
        guard let zip else { return EmpaticaRows(try FileSource(url.appendingPathComponent(path)), name: name) }
        guard let entry = zip.entries.first(where: { $0.path == path }) else { return nil }
        return EmpaticaRows(try zip.open(entry), name: name)
    }
}
