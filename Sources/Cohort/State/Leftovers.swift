import Foundation
import Study

extension BatchFolder {
    /// Deletes what processes left behind that were killed: half-written files, messages of workers, results of
    /// recordings that nobody is at any more.
    public func sweep() {
        for folder in ["units", "done", "failed", "locks", "parameters", "partial"].map(state) + [
            root.appendingPathComponent("group")
        ] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
                let url = folder.appendingPathComponent(name)
                let isLeft =
                    name.hasPrefix(".")
                    ? Self.isLeftFile(name, url) : folder.lastPathComponent == "partial" && isLeftFolder(name)
                if isLeft { try? FileManager.default.removeItem(at: url) }
            }
        }
    }

    /// Seconds that files of other machines, whose processes cannot be asked after, may be at rest.
    private static let patience = 60.0

    /// How many parts from the end of a hidden file's name its process stands: `.<host>.<process>.<number>.messages`,
    /// `.<name>.<process>.<number>.partial`, `.<host>.<number>.<process>.draft`.
    private static let places = ["messages": 3, "partial": 3, "draft": 2, "clock": 2]

    /// Whether a hidden file is nobody's.
    private static func isLeftFile(_ name: String, _ url: URL) -> Bool {
        let parts = name.split(separator: ".").map(String.init)
        guard let ending = parts.last, let place = places[ending], parts.count >= place,
            let process = Int32(parts[parts.count - place]), !ProcessIdentity.exists(process)
        else { return false }
        if ending == "messages", name.hasPrefix(".\(ProcessIdentity.thisPlace).") { return true }
        let modified = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.modificationDate] as? Date
        return modified.map { -$0.timeIntervalSinceNow > patience } ?? false
    }

    /// Whether nobody is at the recording whose results a folder `<stem>.<process>` holds: its lock is taken before the
    /// folder is made.
    private func isLeftFolder(_ name: String) -> Bool {
        let lock = lockFile(name.split(separator: ".").dropLast().joined(separator: "."))
        return !FileManager.default.fileExists(atPath: lock.path) || WorkLock.isLost(lock)
    }
}
