import Foundation
import Synchronization

/// A serial port of a simulated instrument that can be unplugged and plugged in again: a name that leads to a pseudo
/// terminal, a new one each time.
final class PseudoPort: Sendable {
    /// The name that programs open.
    let path: String
    private let folder: URL
    private let terminal: Mutex<PseudoTerminal>

    /// A port that is plugged in.
    /// - Throws: `LinkError.unavailable` when the system has no pseudo terminals, or its folder for temporary files cannot
    ///   be written.
    init() throws {
        let first = try PseudoTerminal()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-port-\(UUID().uuidString)")
        path = folder.appendingPathComponent("tty").path
        terminal = Mutex(first)
        guard mkdir(folder.path, 0o700) == 0 else {
            throw LinkError.unavailable("\(folder.path) cannot be made: \(systemError()).")
        }
        try lead(to: first)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The instrument's end.
    /// - Throws: `LinkError.unavailable`.
    func deviceLink(clock: any HostClock) throws -> DescriptorLink {
        try terminal.withLock { $0 }.deviceLink(clock: clock)
    }

    /// Unplugs the port, which those who have it open notice, and plugs it in again.
    /// - Throws: `LinkError.unavailable`.
    func replug() throws {
        let next = try PseudoTerminal()
        try lead(to: next)
        terminal.withLock { $0 = next }
    }

    /// In one step: there is always something behind the name.
    private func lead(to terminal: PseudoTerminal) throws {
        let new = path + ".new"
        guard symlink(terminal.path, new) == 0, rename(new, path) == 0 else {
            throw LinkError.unavailable("\(path) cannot be made: \(systemError()).")
        }
    }
}
