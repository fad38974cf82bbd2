import Foundation

/// Data of a person that a folder holds by links.
extension PersonalData {
    /// What lies in the folder, as far as it is its owner's.
    ///
    /// A linked folder is entered where names say that it is the owner's: in a place for its data, where names decide
    /// file by file, or in the person's, where it is called after the person itself. What else lies in a folder of the
    /// person by a link may be others', too.
    func walk() -> FolderWalk {
        let home = ErasedFile.end(of: root) ?? root.path
        var parts: [String]?
        if case .parts(let some) = scope { parts = some }
        return FolderWalk(root, parts: parts) { choice(link: $0, target: $1, home: home) }
    }

    /// Where studies keep their data.
    private static let places: Set<Substring> = ["sourcedata", "derivatives", "phenotype", ".marey", "logs", "group"]

    private func choice(link: String, target: String, home: String) -> FolderWalk.Choice {
        let steps = link.split(separator: "/")
        let names = names(target, home: home)
        let isAround = home == target || home.hasPrefix(target == "/" ? "/" : target + "/")
        if isPersonal(link) {
            if !isAround, names.contains(where: isNamed) { return .enter }
            return .leave(
                "leads to \(target), where others' data may lie: delete what is the person's there, then the link")
        }
        // Another person's, or a part of this folder that is looked at by itself.
        if steps.contains(where: { $0.hasPrefix("sub-") }) || target.hasPrefix(home + "/") { return .skip }
        let url = URL(fileURLWithPath: target, isDirectory: true)
        func has(_ path: String) -> Bool { ErasedFile.isThere(url.appendingPathComponent(path)) }
        let isOther =
            has(".marey/study.sqlite") || (steps.first != "derivatives" && has("dataset_description.json"))
        if !isAround, !isOther, let place = steps.first, Self.places.contains(place) { return .enter }
        let inside = (try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []
        let raw = (try? FileManager.default.contentsOfDirectory(atPath: target + "/sourcedata")) ?? []
        return (inside + raw).contains { isNamed($0[...]) }
            ? .leave("\(target) (another data set, to which \(link) links)") : .skip
    }

    /// Whether a path lies in a folder, or is a file, that is named after the person.
    func isPersonal(_ path: String) -> Bool { path.split(separator: "/").contains(where: isNamed) }

    /// The names on the way to a file or folder, from the root's on where it lies within.
    private func names(_ target: String, home: String) -> [Substring] {
        (target.hasPrefix(home + "/") ? target.dropFirst(home.count + 1) : target[...]).split(separator: "/")
    }

    /// Where the content of a file lies that is a link.
    enum Target: Equatable {
        /// In this folder, for the person alone: relative to it.
        case own(String)
        /// Elsewhere, or shared with others; the whole path, and whether anything is there.
        case elsewhere(String, isThere: Bool)
    }

    /// All files that go as a whole, and contents within this folder that go with links to them.
    func filesAndContents() -> [String] {
        let files = files()
        let contents = targets(of: files).values.compactMap { if case .own(let path) = $0 { path } else { nil } }
        return Set(files + contents).sorted()
    }

    /// Where the content lies of those of `files` that are links to files, as annexes have it.
    func targets(of files: [String]) -> [String: Target] {
        let links = files.filter { ErasedFile.isLink(root.appendingPathComponent($0)) }
        guard !links.isEmpty else { return [:] }
        let home = ErasedFile.end(of: root) ?? root.path
        let gone = Set(files)
        let others = walk().paths.filter { !gone.contains($0) }.map { root.appendingPathComponent($0) }
        let shared = Set(others.filter(ErasedFile.isLink).compactMap(ErasedFile.end))
        var targets: [String: Target] = [:]
        for link in links {
            let url = root.appendingPathComponent(link)
            guard let end = ErasedFile.end(of: url) else {
                let words = (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) ?? ""
                let lost = URL(fileURLWithPath: words, relativeTo: url.deletingLastPathComponent())
                targets[link] = .elsewhere(lost.absoluteURL.standardizedFileURL.path, isThere: false)
                continue
            }
            let steps = names(end, home: home)
            // An annex keeps contents under names of their own.
            let isKept = steps.contains(where: isNamed) || steps.starts(with: [".git", "annex", "objects"])
            let isOwn = end.hasPrefix(home + "/") && isKept && !shared.contains(end)
            targets[link] = isOwn ? .own(steps.joined(separator: "/")) : .elsewhere(end, isThere: true)
        }
        return targets
    }
}
