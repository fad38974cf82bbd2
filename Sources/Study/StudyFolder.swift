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
        guard FileManager.default.fileExists(atPath: Self.description(in: root).path) else {
            let content = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
            throw StudyError(
                root, "is not a study folder: it has no dataset_description.json",
                advice: content.isEmpty
                    ? "make one with: marey study init \(ShellWord.quoted(root.relativePath))"
                    : "to use the folder with what is in it, add a file of this name with "
                        + #"{"Name": "NAME", "BIDSVersion": "1.10.0"}"#)
        }
    }

    /// Makes a new study in `root`, which may exist when it is empty.
    /// - Throws: `StudyError` when `root` holds anything already, or cannot be written.
    public static func create(at root: URL, name: String, version: String) throws -> StudyFolder {
        let files = FileManager.default
        if let content = try? files.contentsOfDirectory(atPath: root.path), !content.isEmpty {
            throw StudyError(root, "is not empty", advice: "name a new or an empty folder")
        }
        do {
            for folder in ["", "sourcedata", "derivatives/marey", ".marey"] {
                try files.createDirectory(
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
        } catch let error as CocoaError {
            throw StudyError(root, "cannot be written: \(error.localizedDescription)")
        }
        return try StudyFolder(opening: root)
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
