import Foundation
import Pipeline

/// The recordings that the arguments of `marey validate` mean.
struct ValidationPaths {
    var subjects: [ValidationSubject] = []
    var candidates: [ValidationSubject] = []

    /// Searches folders; takes everything else for a recording.
    /// - Throws: when there is nothing to score.
    init(_ paths: [String]) throws {
        for path in paths {
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            let url = URL(fileURLWithPath: path)
            if exists, isDirectory.boolValue {
                let search = ValidationSearch(url)
                subjects += search.subjects
                candidates += search.candidates
            } else {
                // A WFDB record may be named without an ending.
                add(exists ? url : url.appendingPathExtension("hea"))
            }
        }
        // A recording that several arguments mean is scored once.
        var taken: Set<String> = []
        subjects = subjects.filter { taken.insert(Self.place(of: $0)).inserted }
        candidates = candidates.filter { taken.insert(Self.place(of: $0)).inserted }
        guard !subjects.isEmpty || !candidates.isEmpty else {
            throw Failure.nothingDone("\(paths.joined(separator: ", ")): no recordings")
        }
    }

    private static func place(of subject: ValidationSubject) -> String {
        subject.url.standardizedFileURL.resolvingSymlinksInPath().path
    }

    private mutating func add(_ url: URL) {
        subjects.append(ValidationSubject(file: url))
    }
}
