import Foundation
import Testing

/// The program under test, run as a user runs it.
enum Program {
    /// What one run left behind.
    struct Outcome {
        var status: Int32
        var output: String
        var messages: String

        /// The output as rows of tab-separated cells, header first.
        var rows: [[String]] {
            output.split(separator: "\n").map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
        }

        /// The rows without the cells of a column.
        func rows(without name: String) throws -> [[String]] {
            let index = try #require(rows.first?.firstIndex(of: name), "no column \(name)")
            return rows.map { Array($0[..<index] + $0[(index + 1)...]) }
        }

        /// The cells of a column.
        func column(_ name: String) throws -> [String] {
            let index = try #require(rows.first?.firstIndex(of: name), "no column \(name)")
            return rows.dropFirst().map { $0[index] }
        }
    }

    /// The program lies beside the test bundle.
    static let url: URL = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("marey")
    }()

    /// Runs `marey` with these arguments and nothing on standard input.
    @discardableResult
    static func run(_ arguments: String..., in folder: URL? = nil) throws -> Outcome {
        try run(arguments, in: folder)
    }

    /// - Parameter fileLimit: kilobytes beyond which the system refuses to write any file, as on a full disk.
    static func run(_ arguments: [String], in folder: URL? = nil, fileLimit: Int? = nil) throws -> Outcome {
        // The shell counts in blocks of 512 bytes.
        let limited = fileLimit.map { ["-c", "ulimit -f \($0 * 2) && exec \"$0\" \"$@\"", url.path] } ?? []
        return try outcome(of: fileLimit == nil ? url : shell, limited + arguments, in: folder)
    }

    /// Runs a line of the shell, in which `marey` is the program.
    static func run(line: String, in folder: URL) throws -> Outcome {
        try outcome(of: shell, ["-c", "marey() { '\(url.path)' \"$@\"; }; " + line], in: folder)
    }

    /// Runs `marey` as somebody whom the rights of files bind, as they do not bind root.
    static func runBound(_ arguments: String..., in folder: URL) throws -> Outcome {
        try runBound(arguments, in: folder)
    }

    /// The same with the arguments in a list.
    static func runBound(_ arguments: [String], in folder: URL) throws -> Outcome {
        guard geteuid() == 0 else { return try run(arguments, in: folder) }
        return try outcome(of: shell, ["-c", "exec \(bound) \"$0\" \"$@\"", url.path] + arguments, in: folder)
    }

    private static let bound = "setpriv --bounding-set=-dac_override,-dac_read_search"

    /// Whether that can be done: root needs a program to give rights up with.
    static let canBeBound: Bool = {
        if geteuid() != 0 { return true }
        let place = FileManager.default.temporaryDirectory
        return (try? outcome(of: shell, ["-c", "\(bound) true"], in: place).status) == 0
    }()

    private static let shell = URL(fileURLWithPath: "/bin/sh")

    private static func outcome(of executable: URL, _ arguments: [String], in folder: URL?) throws -> Outcome {
        // Files, not pipes: a full pipe would stop a program that nobody reads.
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("marey-run-\(UUID().uuidString)")
        let (outputURL, messagesURL) = (base.appendingPathExtension("out"), base.appendingPathExtension("err"))
        for url in [outputURL, messagesURL] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
        defer { for url in [outputURL, messagesURL] { try? FileManager.default.removeItem(at: url) } }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: messagesURL)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
            messages: String(decoding: try Data(contentsOf: messagesURL), as: UTF8.self))
    }
}
