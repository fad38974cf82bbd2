import Formats
public import Foundation

/// Folders that results go into.
public enum CohortFolder {
    /// Makes a folder, for its owner alone, and those around it.
    /// - Parameter name: the folder that the user knows, for the message; nil: the folder itself.
    /// - Throws: `CohortError` when that cannot be.
    public static func make(_ folder: URL, named name: URL? = nil) throws {
        let name = name ?? folder
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: name.path, isDirectory: &isFolder), !isFolder.boolValue {
            throw CohortError(name, "is a file", advice: "name a folder")
        }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CohortError(
                name, "cannot be made: \(SystemReason.text(error))", advice: "name a folder that can be written")
        }
    }
}
