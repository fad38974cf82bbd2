import Foundation

/// A folder that was given where a recording was expected.
struct FolderContents {
    private let url: URL
    private let names: [String]

    init(_ url: URL) {
        self.url = url
        names = ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
    }

    /// The refusal, with the command or file that fits what the folder holds.
    var error: FormatError {
        if let page = names.contains("group") ? "group/report.html" : names.first(where: { $0.hasSuffix(".html") }) {
            return FormatError(
                url, "is a folder of results, not a recording", advice: "open its page \(path(page))")
        }
        let recordings = names.filter { name in
            let suffix = url.appendingPathComponent(name).pathExtension.lowercased()
            return ReadableFormat.all.contains { $0.extensions.contains(suffix) }
        }
        let people = names.filter { $0.hasPrefix("sub-") }
        if recordings.count > 1 || !people.isEmpty {
            let found = people.isEmpty ? recordings : people
            let examples = found.prefix(2).joined(separator: ", ") + (found.count > 2 ? ", …" : "")
            let count = "\(found.count) \(people.isEmpty ? "file" : "participant")\(found.count == 1 ? "" : "s")"
            return FormatError(
                url, "is a folder of \(count) (\(examples)), not one recording",
                advice: "analyze them all with: marey batch \(url.relativePath) RESULTS participant")
        }
        return FormatError(
            url, "is a folder without an Empatica E4 session (ACC.csv, BVP.csv, EDA.csv, TEMP.csv, HR.csv, IBI.csv)",
            advice: "give the file of another format" + (recordings.first.map { ", such as \(path($0))" } ?? ""))
    }

    /// The path of a file in the folder, as the folder was written.
    private func path(_ name: String) -> String {
        let folder = url.relativePath
        return folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}
