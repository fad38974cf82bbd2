import Formats
public import Foundation
import Signals

/// A study on disk: a BIDS dataset with raw recordings under `sourcedata`, results under `derivatives/marey`, and the
/// bookkeeping in `.marey/study.sqlite`. Participants' data is personal: the folders and files that are made here, what is
/// recorded and models are 0700 and 0600 by themselves; repaired recordings and results are what the program's umask lets
/// them be, which `marey` sets to 0077.
public struct StudyFolder: Sendable {
    /// The folder that holds `dataset_description.json`.
    public let root: URL

    /// The study in `root`.
    /// - Throws: `StudyError` when `root` is no study folder.
    public init(opening root: URL) throws {
        self.root = root
        var status = stat()
        guard stat(Self.description(in: root).path, &status) == 0 else {
            // A folder of somebody else may be a study.
            guard errno != EACCES else {
                throw StudyError(
                    root, "cannot be read: \(String(cString: strerror(EACCES)))",
                    advice: "ask whom it belongs to for the right to read it and what is in it")
            }
            let content = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
            throw StudyError(
                root, "is not a study folder: it has no dataset_description.json",
                advice: content.isEmpty
                    ? "make one with: marey study init \(ShellWord.quoted(root.relativePath))"
                    : "to use the folder with what is in it, add a file of this name with "
                        + #"{"Name": "NAME", "BIDSVersion": "1.10.0"}"#)
        }
    }

    /// Makes a new study in `root`, which may exist when it is empty. Where that fails, what was made of it goes again, so that
    /// it can be tried once more.
    /// - Parameter complete: does what else belongs to it, such as making its bookkeeping.
    /// - Throws: `StudyError` when `root` holds anything already, or cannot be written; what `complete` throws.
    public static func create(
        at root: URL, name: String, version: String, complete: (StudyFolder) throws -> Void = { _ in }
    ) throws -> StudyFolder {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        let wasThere = files.fileExists(atPath: root.path, isDirectory: &isFolder)
        if wasThere, !isFolder.boolValue {
            throw StudyError(root, "is a file", advice: "name a new or an empty folder")
        }
        if wasThere {
            // What cannot be listed may hold a study.
            guard let content = try? files.contentsOfDirectory(atPath: root.path) else {
                throw StudyError(root, "cannot be read", advice: "name a new or an empty folder")
            }
            guard content.isEmpty else {
                throw StudyError(root, "is not empty", advice: "name a new or an empty folder")
            }
        }
        do {
            try fill(root, name: name, version: version)
            let study = try StudyFolder(opening: root)
            try complete(study)
            return study
        } catch {
            for part in parts { try? files.removeItem(at: root.appendingPathComponent(part)) }
            if !wasThere { rmdir(root.path) }
            guard error is CocoaError else { throw error }
            throw StudyError(
                root, "cannot be written: \(SystemReason.text(error))",
                advice: "name a folder that can be written, on a disk with room")
        }
    }

    /// What a new study consists of.
    private static let parts = [
        "dataset_description.json", "participants.tsv", "participants.json", "README", ".bidsignore", "sourcedata",
        "derivatives", ".marey",
    ]

    private static func fill(_ root: URL, name: String, version: String) throws {
        for folder in ["", "sourcedata", "derivatives/marey", ".marey"] {
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent(folder), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let dataset = DatasetDescription(name: name)
        try write(dataset.json(), to: description(in: root))
        let derivative = DatasetDescription(derivativeOf: name, version: version)
        try write(derivative.json(), to: description(in: root.appendingPathComponent("derivatives/marey")))
        try write(Data("participant_id\n".utf8), to: root.appendingPathComponent("participants.tsv"))
        try write(Data(participantsSidecar.utf8), to: root.appendingPathComponent("participants.json"))
        try write(Data(readme(name).utf8), to: root.appendingPathComponent("README"))
        // What BIDS does not describe is left to us: validators skip it.
        try write(Data(".marey/\nsourcedata/\nstudy.yaml\n".utf8), to: root.appendingPathComponent(".bidsignore"))
    }

    /// `.marey/study.sqlite`.
    public var database: URL { root.appendingPathComponent(".marey/study.sqlite") }
    /// Where raw recordings lie.
    public var sourcedata: URL { root.appendingPathComponent("sourcedata") }
    /// Where results go.
    public var derivatives: URL { root.appendingPathComponent("derivatives/marey") }
    /// `study.yaml`, the parameters of the study's analyses; nil where there is none.
    public var parametersFile: URL? {
        let file = root.appendingPathComponent("study.yaml")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
    /// `participants.tsv`.
    public var participants: URL { root.appendingPathComponent("participants.tsv") }

    /// The study that a file lies in, if any.
    public init?(around file: URL) {
        var folder = file.standardizedFileURL.deletingLastPathComponent()
        while folder.path != "/" {
            if let study = try? StudyFolder(opening: folder) {
                self = study
                return
            }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }

    /// The path of `url` relative to the study, for the bookkeeping; nil when it lies elsewhere.
    public func relativePath(of url: URL) -> String? {
        let base = root.standardizedFileURL.path
        let path = url.standardizedFileURL.path
        return path.hasPrefix(base + "/") ? String(path.dropFirst(base.count + 1)) : nil
    }

    private static func description(in folder: URL) -> URL {
        folder.appendingPathComponent("dataset_description.json")
    }

    private static let participantsSidecar = """
        {
          "participant_id": { "Description": "Participant label; names carry no personal information" }
        }

        """

    private static func readme(_ name: String) -> String {
        """
        \(name)

        A BIDS dataset kept by Marey. Raw recordings are under sourcedata/ and are never changed; results are under
        derivatives/marey/ and can be made again from them with: marey analyze <this folder>

        """
    }
}
