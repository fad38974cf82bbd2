public import Foundation

/// Results of the reference implementations, written by the scripts in `Tests/Oracles` before the tests run.
public enum OracleData {
    /// The folder with the results, when the environment variable `MAREY_ORACLES` names one.
    public static let folder: URL? = ProcessInfo.processInfo.environment["MAREY_ORACLES"].flatMap {
        $0.isEmpty ? nil : URL(fileURLWithPath: $0, isDirectory: true)
    }

    /// Whether the result `name` is there. When not, says why, so that a skip has its reason.
    public static func has(_ name: String) -> Bool {
        if let folder, FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path) { return true }
        print("skipped: \(name): MAREY_ORACLES names no folder that holds it (make test writes it)")
        return false
    }

    /// The result `name`.
    /// - Precondition: `has(name)`.
    public static func url(_ name: String) -> URL {
        guard let folder else { preconditionFailure("check has(_:) first") }
        return folder.appendingPathComponent(name)
    }
}
