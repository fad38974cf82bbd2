import Foundation

/// What is known before anything is deleted.
extension ErasureReceipt {
    private static let isKept = "; others' files lead to it, too: it is kept)"

    /// Those of the copies elsewhere that have to be deleted there: others' files lead to none of them.
    public var copiesToDelete: [String] { copiesElsewhere.filter { !$0.hasSuffix(Self.isKept) } }

    /// Notes what an erasure would delete in one folder, and what it would not.
    mutating func foresee(_ data: PersonalData, others: [String], prefix: String) {
        let walk = data.walk()
        note(walk, of: data, prefix: prefix)
        let own = Set(data.files() + others).sorted()
        var gone = Set(own + data.passingLinks(walk))
        for (file, target) in data.targets(of: own).sorted(by: { $0.key < $1.key }) {
            if case .own(let path) = target { gone.insert(path) } else { note(target, ledToBy: prefix + file) }
        }
        files += gone.sorted().map { prefix + $0 }
    }

    /// Notes the folders that are not entered.
    mutating func note(_ walk: FolderWalk, of data: PersonalData, prefix: String) {
        for folder in walk.unlisted { left[prefix + (folder.isEmpty ? "." : folder)] = "cannot be listed" }
        for (link, words) in walk.left.sorted(by: { $0.key < $1.key }) {
            if data.isPersonal(link) { left[prefix + link] = words } else { copiesElsewhere.append(words) }
        }
    }

    /// Notes where the content of a link lies that stays.
    mutating func note(_ target: PersonalData.Target, ledToBy file: String) {
        switch target {
        case .own: break
        case .shared(let path): copiesElsewhere.append("\(path) (to which \(file) led" + Self.isKept)
        case .elsewhere(let path, let isThere):
            copiesElsewhere.append("\(path) (to which \(file) led\(isThere ? "" : "; not found there"))")
        }
    }

    /// Notes results that are not where they were written.
    mutating func noteLost(_ output: PersonalData) {
        copiesElsewhere.append(output.root.path + " (results, not found there any more)")
    }
}
