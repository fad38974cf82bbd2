public import Foundation

/// The reader's own copy of the public data sets, found through the environment variable `MAREY_DATA`.
public enum RealData {
    /// The folder, when `MAREY_DATA` names one that exists.
    public static let folder: URL? = {
        guard let path = ProcessInfo.processInfo.environment["MAREY_DATA"], !path.isEmpty else { return nil }
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue
        else { return nil }
        return URL(fileURLWithPath: path, isDirectory: true)
    }()

    /// Whether `path` below the folder can be read. When not, says why, once per call, so that a skip has its reason.
    public static func has(_ path: String) -> Bool {
        guard let folder else {
            print("skipped: \(path): MAREY_DATA names no folder with the public data sets")
            return false
        }
        guard FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path) else {
            print("skipped: \(path): not in \(folder.path)")
            return false
        }
        return true
    }

    /// The file or folder `path` below the data folder.
    /// - Precondition: `has(path)`.
    public static func url(_ path: String) -> URL {
        guard let folder else { preconditionFailure("check has(_:) first") }
        return folder.appendingPathComponent(path)
    }
}
