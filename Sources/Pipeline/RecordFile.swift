import Foundation
import Synchronization

/// Records of numbers in a temporary file that is gone when nobody uses it any more.
final class RecordFile: Sendable {
    private struct State {
        var handle: FileHandle
        var count = 0
        /// The records read last, and the number of the first.
        var cached: [Double] = []
        var first = 0
    }

    /// Numbers read at a time, in whole records.
    private static let numbersTogether = 1 << 15

    private let size: Int
    private let together: Int
    private let state: Mutex<State>

    /// A file with the first `count` records of another.
    /// - Throws: where no file can be made or written.
    init(recordSize: Int, copying other: RecordFile?, count: Int) throws {
        size = recordSize
        together = max(1, Self.numbersTogether / recordSize)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forUpdating: url)
        // Open files live on without a name, and no crash leaves one behind.
        try FileManager.default.removeItem(at: url)
        state = Mutex(State(handle: handle))
        for first in stride(from: 0, to: count, by: together) {
            try append((first..<min(count, first + together)).flatMap { other?.record($0) ?? [] })
        }
    }

    /// How many records there are.
    var count: Int { state.withLock { $0.count } }

    /// Adds whole records.
    func append(_ numbers: [Double]) throws {
        try state.withLock { state in
            try state.handle.seek(toOffset: UInt64(state.count * size * 8))
            try state.handle.write(contentsOf: numbers.withUnsafeBytes { Data($0) })
            state.count += numbers.count / size
            state.cached = []
        }
    }

    /// A record; empty where it cannot be read.
    func record(_ index: Int) -> [Double] {
        state.withLock { state in
            let held = state.first..<state.first + state.cached.count / size
            if !held.contains(index) {
                state.cached = Self.read(index, min(together, state.count - index), size, state.handle)
                state.first = index
            }
            guard state.cached.count >= (index - state.first + 1) * size else { return [] }
            return Array(state.cached[(index - state.first) * size..<(index - state.first + 1) * size])
        }
    }

    private static func read(_ index: Int, _ count: Int, _ size: Int, _ handle: FileHandle) -> [Double] {
        guard count > 0, (try? handle.seek(toOffset: UInt64(index * size * 8))) != nil,
            let data = try? handle.read(upToCount: count * size * 8), data.count == count * size * 8
        else { return [] }
        return data.withUnsafeBytes { bytes in
            (0..<count * size).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self) }
        }
    }
}
