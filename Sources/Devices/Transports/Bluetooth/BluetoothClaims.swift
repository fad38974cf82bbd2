import Foundation
import Synchronization

/// The devices that a session has for itself, among the programs of this user.
///
/// BlueZ lets programs share a connection, but hands what a device tells to the first that asks, and ends the connection
/// for all when one lets go: two sessions on one device would take its data from each other without a word. A device stays
/// its session's while it is connected again.
final class BluetoothClaims: Sendable {
    private let held = Mutex<[String: BluetoothClaim?]>([:])
    /// The devices that connectors name by address or name.
    private let reserved = Mutex<Set<GattTarget>>([])

    /// Reserves a device for the connector that names it.
    func reserve(_ target: GattTarget) {
        if case .first = target { return }
        _ = reserved.withLock { $0.insert(target) }
    }

    /// Returns true for a device that is neither held nor named.
    func isFree(_ advertisement: Advertisement) -> Bool {
        let isHeld = held.withLock { $0[advertisement.address.uppercased()] != nil }
        return !isHeld && !reserved.withLock { $0.contains { $0.matches(advertisement) } }
    }

    /// Claims a device; once more for a connection after the first.
    /// - Parameter bus: which D-Bus it is reached through: an address means another device on each.
    /// - Returns: whether it was not this session's before.
    /// - Throws: `LinkError.refused` that says which process has it.
    func take(_ address: String, on bus: String) throws(LinkError) -> Bool {
        let outcome = held.withLock { held -> Result<Bool, LinkError> in
            guard held[address] == nil else { return .success(false) }
            switch BluetoothClaim.make(address, on: bus) {
            case .success(let claim):
                held[address] = .some(claim)
                return .success(true)
            case .failure(let error): return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Lets others have a device.
    func release(_ address: String) { held.withLock { $0[address] = nil } }
}

/// A locked file that says who has a device. The system gives it back when the program ends, however it does; the file
/// stays, as one that somebody else is about to lock must not be taken away.
private final class BluetoothClaim: Sendable {
    private let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Locks the file of a device; nil where there can be none: that is no reason not to record.
    static func make(_ address: String, on bus: String) -> Result<BluetoothClaim?, LinkError> {
        func bare(_ text: String) -> String { text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        let name = "marey-\(getuid())-\(bare(address).uppercased())-\(bare(bus)).lock"
        guard let descriptor = own(folder + "/" + name) else { return .success(nil) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            defer { close(descriptor) }
            return errno == EWOULDBLOCK ? .failure(refusal(address, signature(descriptor))) : .success(nil)
        }
        sign(descriptor)
        return .success(BluetoothClaim(descriptor))
    }

    /// Where programs of this user leave what others of them look for until the machine is switched off.
    private static var folder: String {
        let named = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? ""
        return [named, "/run/user/\(getuid())"].first { folder in
            var status = stat()
            return folder.hasPrefix("/") && stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                && status.st_uid == getuid() && access(folder, W_OK) == 0
        } ?? "/tmp"
    }

    /// Opens a file of this user's alone. Where everybody may write, others may have put something else there.
    private static func own(_ path: String) -> CInt? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == getuid(),
            status.st_nlink == 1
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func sign(_ descriptor: CInt) {
        let bytes = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// The number of the process that signed last; nil where none did.
    private static func signature(_ descriptor: CInt) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count], as: UTF8.self).filter(\.isNumber))
    }

    private static func refusal(_ address: String, _ holder: Int32?) -> LinkError {
        let who = holder.map { $0 == getpid() ? "another session of this program" : "process \($0)" }
        return .refused(
            "\(address) is being recorded by \(who ?? "another program") already: two would take its data from each other. "
                + "End that one, or wait for its end.")
    }
}
