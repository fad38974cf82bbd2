import Foundation

/// What lies below a folder, and below folders that it links to: raw recordings often lie on another disk.
struct FolderWalk {
    /// What to do with a folder that others' data may lie in.
    enum Choice {
        /// What lies there belongs to this folder.
        case enter
        /// It does not, and nobody needs to know.
        case skip
        /// It cannot be told; words on what lies there.
        case leave(String)
    }

    /// Files, links and folders, relative to the root, each folder before what lies in it.
    private(set) var paths: [String] = []
    /// Links to folders that were entered.
    private(set) var entered: [String] = []
    /// Links to folders, and folders behind links, that were not, and words on what lies there.
    private(set) var left: [String: String] = [:]
    /// Folders that could not be listed.
    private(set) var unlisted: [String] = []

    typealias Chooser = (_ path: String, _ target: String, _ isLink: Bool) -> Choice

    /// A folder, however it is reached.
    private struct Place: Equatable {
        var device: dev_t
        var number: ino_t
    }

    private let root: String

    /// - Parameters:
    ///   - parts: what to look at, relative to the root; nil: all of it.
    ///   - choose: what to do with a link to a folder, or with a folder behind an entered link: by its path, where that
    ///     leads, a whole path without links, and whether it is the link itself.
    init(_ root: URL, parts: [String]?, choose: Chooser) {
        self.root = root.path
        if let parts {
            for part in parts { take(part, [], isBehind: false, choose) }
        } else {
            list("", [], isBehind: false, choose)
        }
    }

    /// - Parameter isBehind: whether an entered link led here.
    private mutating func take(_ path: String, _ above: [Place], isBehind: Bool, _ choose: Chooser) {
        let url = url(path)
        guard ErasedFile.isThere(url) else { return }
        paths.append(path)
        guard ErasedFile.isFolder(url) else { return }
        let isLink = ErasedFile.isLink(url)
        if isLink || isBehind {
            // A link to a folder around it leads nowhere new.
            guard let target = ErasedFile.end(of: url), let place = spot(of: url), !above.contains(place) else {
                return
            }
            switch choose(path, target, isLink) {
            case .enter: if isLink { entered.append(path) }
            case .skip: return
            case .leave(let words):
                left[path] = words
                return
            }
        }
        list(path, above, isBehind: isLink || isBehind, choose)
    }

    private mutating func list(_ path: String, _ above: [Place], isBehind: Bool, _ choose: Chooser) {
        let url = url(path)
        guard let place = spot(of: url), !above.contains(place) else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            unlisted.append(path)
            return
        }
        for name in names.sorted() {
            take(path.isEmpty ? name : path + "/" + name, above + [place], isBehind: isBehind, choose)
        }
    }

    private func url(_ path: String) -> URL {
        URL(fileURLWithPath: path.isEmpty ? root : root + "/" + path, isDirectory: false)
    }

    private func spot(of url: URL) -> Place? {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        return Place(device: status.st_dev, number: status.st_ino)
    }
}
