import Signals

/// A recording whose name contradicts its place, or cannot be written into tables. It is nobody else's loss: the others
/// of its data set are taken.
public struct RefusedRecording: Hashable, Sendable {
    /// What is wrong with the name.
    public enum Reason: Hashable, Sendable {
        /// The folder `ses-…` and the name tell of different sessions; both labels.
        case session(folder: String, name: String)
        /// A tab, a line's end or the like stands in the path below the data set's folder.
        case controlCharacter
    }

    /// The recording, relative to the data set.
    public var path: String
    /// Whose it is: the label, without `sub-`.
    public var participant: String
    /// What is wrong.
    public var reason: Reason

    /// The path as it can be shown: characters that a terminal would act on are spelled.
    public var shownPath: String { path.shown }

    /// What is wrong, and what to do.
    public var problem: String {
        switch reason {
        case .session(let folder, let name):
            "lies in a folder of the session \(folder.shown), and its name says session \(name.shown): rename "
                + "it, or move it into the folder ses-\(name.shown)"
        case .controlCharacter:
            "has a control character in its name, such as a tab: rename it, labels are letters and digits"
        }
    }

    /// What is wrong with the name of a recording; nil where nothing is.
    /// - Parameters:
    ///   - path: where it lies, relative to the data set.
    ///   - labels: what its name tells.
    init?(_ path: String, _ labels: BIDSLabels) {
        if path.unicodeScalars.contains(where: \.isControl) {
            reason = .controlCharacter
        } else if let folder = Self.sessionFolder(path), let name = labels.session, name != folder {
            reason = .session(folder: folder, name: name)
        } else {
            return nil
        }
        self.path = path
        participant = labels.participant
    }

    /// The label of the folder `ses-…` that a recording lies in, right below that of its person; nil without one.
    static func sessionFolder(_ path: String) -> String? {
        let folders = path.split(separator: "/").dropLast()
        guard let person = folders.firstIndex(where: { $0.hasPrefix("sub-") }), person + 1 < folders.endIndex,
            folders[person + 1].hasPrefix("ses-")
        else { return nil }
        return String(folders[person + 1].dropFirst(4))
    }
}
