import Foundation

/// A program that tests the service from outside.
enum OutsideProgram {
    /// Runs it to its end.
    static func run(_ program: URL, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        // A file, not a pipe: a full pipe would stop a program that nobody reads.
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("outside-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: place.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: place) }
        let process = Process()
        (process.executableURL, process.arguments) = (program, arguments)
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        let handle = try FileHandle(forWritingTo: place)
        (process.standardOutput, process.standardError) = (handle, handle)
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
                continuation.resume(returning: (process.terminationStatus, text))
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    /// The program of this name on the path; nil, said, where there is none.
    static func found(_ name: String, in folders: [String]) -> URL? {
        for folder in folders {
            let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: url.path) { return url }
        }
        print("skipped: \(name) is not installed in \(folders.joined(separator: ", "))")
        return nil
    }
}
