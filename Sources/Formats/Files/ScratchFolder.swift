public import Foundation
import Synchronization

/// A hash that grows with the bytes it is given.
public protocol GrowingHash {
    /// Adds bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer)
    /// The hash of all of them, in hexadecimal.
    func hexadecimal() -> String
}

/// A folder that nobody looks into before it is complete as a whole, and whose content is checked then: files are made in
/// place, left to the system to bring to the disk, and what they hold is taken down as they are written.
public final class ScratchFolder: Sendable {
    /// What one file holds.
    public struct Content: Sendable {
        /// Its length in bytes.
        public var bytes: Int
        /// The hash of its content, in hexadecimal.
        public var hash: String
        /// The table that it is, where tables are kept and it is not too long.
        public var table: ToldTable?
    }

    @TaskLocal private static var current: ScratchFolder?

    private let place: String
    private let newHash: @Sendable () -> any GrowingHash
    private let keepsTable: @Sendable (_ name: String) -> Bool
    private let contents = Mutex<[String: Content]>([:])

    /// The folder at `url`.
    /// - Parameters:
    ///   - hash: makes the hash of a file.
    ///   - keepsTable: whether the table in the file of this name is kept.
    public init(
        _ url: URL, hash: @escaping @Sendable () -> any GrowingHash,
        keepsTable: @escaping @Sendable (_ name: String) -> Bool = { _ in false }
    ) {
        place = url.path + "/"
        newHash = hash
        self.keepsTable = keepsTable
    }

    /// Lets `body` write files into the folder.
    public func fill<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$current.withValue(self, operation: body)
    }

    /// What was written into the file of this name; nil where no file of it was.
    public func content(_ name: String) -> Content? { contents.withLock { $0[name] } }

    /// The folder being filled, where the file at `path` lies in it.
    static func holding(_ path: String) -> ScratchFolder? {
        guard let current, path.hasPrefix(current.place) else { return nil }
        return current
    }

    /// What is known of a file while it is written.
    struct Growing {
        var bytes = 0
        var hash: any GrowingHash
        var table: ToldTable?

        mutating func add(_ more: UnsafeRawBufferPointer) {
            bytes += more.count
            hash.add(more)
        }
    }

    func begin() -> Growing { Growing(hash: newHash()) }

    func keeps(_ path: String) -> Bool { keepsTable(String(path.dropFirst(place.count))) }

    func end(_ path: String, _ content: Growing) {
        let whole = Content(bytes: content.bytes, hash: content.hash.hexadecimal(), table: content.table)
        contents.withLock { $0[String(path.dropFirst(place.count))] = whole }
    }
}
