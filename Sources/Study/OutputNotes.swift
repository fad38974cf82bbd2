import Formats
import Foundation
public import Signals

/// Folders with results, noted by machines that must not open the bookkeeping, such as the nodes of a cluster: a small
/// file for each below `.marey/outputs`, which holds the folder's path and is named after it.
extension StudyFolder {
    private var outputNotes: URL { root.appendingPathComponent(".marey/outputs", isDirectory: true) }

    /// Notes a folder outside of the study that holds results of its recordings. It does not matter how often that is
    /// done, and by how many at a time.
    /// - Parameter path: the folder's whole path.
    /// - Throws: `StudyError` when it cannot be written.
    public func leaveNote(ofOutput path: String) throws {
        let file = note(of: path)
        func isThere() -> Bool { FileManager.default.contents(atPath: file.path) == Data(path.utf8) }
        if isThere() { return }
        do {
            try FileManager.default.createDirectory(
                at: outputNotes, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw StudyError(outputNotes, "cannot be made: \(SystemReason.text(error))") }
        do { try Self.write(Data(path.utf8), to: file) } catch {
            // Another node may have been at it.
            guard isThere() else { throw error }
        }
    }

    /// The folders that were noted so and are in no bookkeeping yet, in order.
    public func notedOutputs() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: outputNotes.path)) ?? []
        return names.filter { !$0.hasPrefix(".") && $0.hasSuffix(".path") }.compactMap { name in
            FileManager.default.contents(atPath: outputNotes.appendingPathComponent(name).path).map {
                String(decoding: $0, as: UTF8.self)
            }
        }.filter { $0.hasPrefix("/") }.sorted()
    }

    /// Takes the notes into the bookkeeping.
    /// - Throws: what SQLite says; the notes stay then.
    public func collectNotes(into bookkeeping: Bookkeeping, at now: Timestamp) throws {
        for path in notedOutputs() {
            try bookkeeping.noteOutput(path, at: now)
            try? FileManager.default.removeItem(at: note(of: path))
        }
    }

    /// Its name is a hash of the path (FNV-1a, 64 bits).
    static func noteName(of path: String) -> String {
        let hash = path.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 16) + ".path"
    }

    private func note(of path: String) -> URL {
        outputNotes.appendingPathComponent(Self.noteName(of: path), isDirectory: false)
    }
}
