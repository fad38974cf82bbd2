public import Foundation
import Synchronization

/// The rclone program, which knows how to reach more than forty kinds of storage.
public struct Rclone: Sendable {
    /// The program.
    public let program: URL
    private let children = Children()

    /// The program at a place.
    public init(program: URL) { self.program = program }

    /// Ends what runs, and starts nothing more: whoever waits for an answer is told `UploadError.stopped`.
    public func stop() { children.stop() }

    /// Whether it was stopped.
    var isStopped: Bool { children.isStopped }

    /// rclone where the system finds it, or where `MAREY_RCLONE` says.
    /// - Throws: `UploadError.noRclone`.
    public init() throws(UploadError) {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "/usr/bin").split(separator: ":").map(String.init)
        let candidates = [environment["MAREY_RCLONE"]].compactMap(\.self) + folders.map { $0 + "/rclone" }
        guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw .noRclone
        }
        program = URL(fileURLWithPath: found)
    }

    /// Copies one file to `remote`, a full path as rclone writes it, in place of what is there.
    /// - Throws: `UploadError.failed` with rclone's own words.
    public func copy(_ file: URL, to remote: String) throws(UploadError) {
        // Left to itself rclone sends nothing where the sizes are equal and the storage knows neither hashes nor times.
        _ = try run(["copyto", file.path, remote, "--ignore-times"] + Self.patience)
    }

    /// How long a storage is waited for: what failed is tried again later, by the outbox.
    private static let patience = [
        "--retries", "1", "--low-level-retries", "2", "--contimeout", "20s", "--timeout", "60s",
    ]

    /// The hash of a local or remote file; nil when the storage can't tell it.
    /// - Parameters:
    ///   - kind: `sha256`, `sha1` or `md5`.
    ///   - byDownload: read the whole file back and hash it here.
    /// - Throws: `UploadError.failed`.
    public func hash(_ kind: String, of place: String, byDownload: Bool = false) throws(UploadError) -> String? {
        let output = try run(["hashsum", kind, place] + (byDownload ? ["--download"] : []) + Self.patience)
        guard let word = output.split(separator: " ").first, word.allSatisfy(\.isHexDigit), word.count >= 32 else {
            return nil
        }
        return String(word)
    }

    /// Whether there is a file or a folder at `place`.
    /// - Throws: `UploadError.failed` when the storage cannot tell.
    public func exists(_ place: String) throws(UploadError) -> Bool {
        guard let found = try entry(at: place) else { return false }
        // Of a storage of objects, as S3, any place is told to be a folder.
        return try found.isFolder ? hasFolders(place) : true
    }

    /// The size of the file at `place` in bytes; nil where there is none, and when the storage can't tell it.
    /// - Throws: `UploadError.failed`.
    func size(of place: String) throws(UploadError) -> Int? {
        guard let found = try entry(at: place), !found.isFolder, let bytes = found.size, bytes >= 0 else { return nil }
        return bytes
    }

    /// What rclone tells of one place.
    private struct Entry: Decodable {
        let isFolder: Bool
        let size: Int?

        enum CodingKeys: String, CodingKey {
            case isFolder = "IsDir"
            case size = "Size"
        }
    }

    /// What there is at a place; nil where there is nothing.
    private func entry(at place: String) throws(UploadError) -> Entry? {
        // rclone ends with 3 or 4 where it finds nothing (rclone.org/docs, "Exit code").
        guard let text = try run(["lsjson", "--stat", place] + Self.patience, unless: [3, 4]) else { return nil }
        return (try? JSONDecoder().decode(Entry.self, from: Data(text.utf8))) ?? Entry(isFolder: false, size: nil)
    }

    /// Whether the storage of a place knows folders, or only objects whose names look as if they were in some.
    private func hasFolders(_ place: String) throws(UploadError) -> Bool {
        struct Storage: Decodable {
            struct Features: Decodable { let CanHaveEmptyDirectories: Bool }
            let Features: Features
        }
        let text = try run(["backend", "features", place])
        let storage = try? JSONDecoder().decode(Storage.self, from: Data(text.utf8))
        return storage?.Features.CanHaveEmptyDirectories ?? true
    }

    /// A line of rclone's log without the time and level before it: `2026/11/21 10:00:00 ERROR : `.
    static func withoutStamp(_ line: String) -> String {
        let stamp = /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\s+((ERROR|NOTICE|INFO|DEBUG|CRITICAL)\s*:\s*)?/
        return String(line.trimmingPrefix(stamp))
    }

    private func run(_ arguments: [String]) throws(UploadError) -> String { try run(arguments, unless: []) ?? "" }

    /// - Parameter codes: ends with these are no failures, and the answer is nil.
    private func run(_ arguments: [String], unless codes: Set<CInt>) throws(UploadError) -> String? {
        let process = Process()
        let (output, messages) = (Pipe(), Pipe())
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, messages)
        try children.start(process)
        // Both pipes at once: a full one would stop the program.
        let remarks = Remarks(messages.fileHandleForReading)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if children.end(process) { throw .stopped }
        let lines = remarks.text.split(separator: "\n").map(String.init)
        if process.terminationReason == .exit, codes.contains(process.terminationStatus) { return nil }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let line = lines.last { $0.contains("ERROR") || $0.contains("Failed") } ?? lines.last ?? "rclone failed"
            throw .failed(Self.withoutStamp(line))
        }
        return text
    }
}

/// The programs that run now.
private final class Children: Sendable {
    private struct State {
        var running: [Process] = []
        var isStopped = false
    }

    private let state = Mutex(State())

    func start(_ process: Process) throws(UploadError) {
        try state.withLock { state throws(UploadError) in
            guard !state.isStopped else { throw .stopped }
            do { try process.run() } catch { throw .noRclone }
            state.running.append(process)
        }
    }

    /// Forgets a program that has ended.
    /// - Returns: whether it may have been ended by `stop`.
    func end(_ process: Process) -> Bool {
        state.withLock { state in
            state.running.removeAll { $0 === process }
            return state.isStopped
        }
    }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    func stop() {
        signal(SIGTERM)
        // What does not end by itself, as somebody's script that waits for a network, is ended.
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { self.signal(SIGKILL) }
    }

    private static let patience = 5.0

    /// Each program leads a process group of its own (Foundation begins it so), in which those that it began are as well:
    /// where rclone is a script, the real one is among them, and would run on.
    private func signal(_ number: CInt) {
        state.withLock { state in
            state.isStopped = true
            for process in state.running { kill(-process.processIdentifier, number) }
        }
    }
}

/// What a program writes beside its output, read on a thread of its own.
private final class Remarks: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)
    private var data = Data()

    init(_ handle: FileHandle) {
        Thread { [self] in
            data = handle.readDataToEndOfFile()
            done.signal()
        }.start()
    }

    var text: String {
        done.wait()
        defer { done.signal() }
        return String(decoding: data, as: UTF8.self)
    }
}
