import Foundation

/// Data of a person that a folder holds by links.
extension PersonalData {
    /// What lies in the folder, as far as it is its owner's.
    ///
    /// A linked folder is entered where names say that it is the owner's: in a place for its data, where names decide
    /// file by file, or in the person's, where it is called after the person itself. What else lies in a folder of the
    /// person by a link may be others', too. Behind a link, data sets of their own are not entered, however deep they lie.
    /// - Parameter isWhole: whether to look at all that lies in the folder, whosever it is.
    func walk(isWhole: Bool = false) -> FolderWalk {
        let home = ErasedFile.end(of: root) ?? root.path
        var parts: [String]?
        if !isWhole, case .parts(let some) = scope { parts = some }
        return FolderWalk(root, parts: parts) { path, target, isLink in
            isLink ? choice(link: path, target: target, home: home) : choice(folder: path, target: target)
        }
    }

    /// Where studies keep their data.
    private static let places: Set<Substring> = ["sourcedata", "derivatives", "phenotype", ".marey", "logs", "group"]

    private func choice(link: String, target: String, home: String) -> FolderWalk.Choice {
        let steps = link.split(separator: "/")
        let isAround = home == target || home.hasPrefix(target == "/" ? "/" : target + "/")
        if isPersonal(link) {
            if !isAround, isOfPerson(target, home: home) { return .enter }
            return .leave(
                "leads to \(target), where others' data may lie: delete what is the person's there, then the link")
        }
        // Another person's, or a part of this folder that is looked at by itself.
        if steps.contains(where: { $0.hasPrefix("sub-") }) || target.hasPrefix(home + "/") { return .skip }
        let isOther = DatasetMark.isOther(target, at: link, isLink: true)
        if !isAround, !isOther, let place = steps.first, Self.places.contains(place) { return .enter }
        return another(link, target)
    }

    /// What to do with a folder behind an entered link.
    private func choice(folder path: String, target: String) -> FolderWalk.Choice {
        guard DatasetMark.isOther(target, at: path, isLink: false) else { return .enter }
        guard isPersonal(path) else { return another(path, target) }
        return .leave("is \(target), another data set: delete what is the person's there, then this")
    }

    /// A data set that is not this one is named where it may hold data of the person.
    private func another(_ path: String, _ target: String) -> FolderWalk.Choice {
        func names(in folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: target + folder)) ?? []
        }
        let shelves = ["", "/sourcedata"] + names(in: "/derivatives").map { "/derivatives/" + $0 }
        let isTold = shelves.contains { names(in: $0).contains { isNamed($0[...]) } }
        return isTold ? .leave("\(target) (another data set, to which \(path) links)") : .skip
    }

    /// Whether what lies in a folder that the person's links to is surely the person's: it is called after the person
    /// exactly, or lies in a folder that is, and in no other study.
    private func isOfPerson(_ target: String, home: String) -> Bool {
        let steps = names(target, home: home)
        guard let place = steps.lastIndex(where: { $0 == name }) else { return false }
        let below = steps[(place + 1)...]
        guard !below.contains(where: { $0.hasPrefix("sub-") && !isNamed($0) }) else { return false }
        var folder = URL(fileURLWithPath: target, isDirectory: true)
        if !below.isEmpty, DatasetMark.isDescribed(folder) { return false }
        while folder.path != home, folder.path != "/" {
            if DatasetMark.isStudy(folder) { return false }
            folder.deleteLastPathComponent()
        }
        return true
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
        /// Others' files lead there, too; the whole path.
        case shared(String)
        /// Elsewhere, or not called after the person; the whole path, and whether anything is there.
        case elsewhere(String, isThere: Bool)
    }

    /// Links to folders of the person that go with these, as they will be empty.
    func passingLinks(_ walk: FolderWalk) -> [String] {
        let staying = walk.left.keys + walk.unlisted
        return walk.entered.filter { link in
            isPersonal(link) && !staying.contains { $0 == link || $0.hasPrefix(link + "/") }
        }
    }

    /// Whether a file lies where annexes keep contents, under names of their own, in folders that cannot be written.
    static func isInAnnex(_ path: String) -> Bool { path.hasPrefix(".git/annex/objects/") }

    /// Where the content lies of those of `files` that are links to files, as annexes have it.
    func targets(of files: [String]) -> [String: Target] {
        let links = files.filter { ErasedFile.isLink(root.appendingPathComponent($0)) }
        guard !links.isEmpty else { return [:] }
        let home = ErasedFile.end(of: root) ?? root.path
        let gone = Set(files)
        let others = walk(isWhole: true).paths.filter { !gone.contains($0) }.map { root.appendingPathComponent($0) }
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
            let path = steps.joined(separator: "/")
            let isOwn = end.hasPrefix(home + "/") && (isPersonal(path) || Self.isInAnnex(path))
            if shared.contains(end) {
                targets[link] = .shared(end)
            } else {
                targets[link] = isOwn ? .own(path) : .elsewhere(end, isThere: true)
            }
        }
        return targets
    }
}
