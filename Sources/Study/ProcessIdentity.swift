import Foundation

/// A process of some machine, as those that share a folder know one another: numbers are used again, so the moment of its
/// start is part of it.
public struct ProcessIdentity: Hashable, Sendable {
    /// The machine.
    public var host: String
    /// Its number.
    public var pid: Int32
    /// When it started, in clock ticks since the machine did.
    public var start: String

    /// A process that something tells of.
    public init(host: String, pid: Int32, start: String) {
        (self.host, self.pid, self.start) = (host, pid, start)
    }

    /// This process.
    public static let current = ProcessIdentity(
        host: thisHost, pid: getpid(), start: start(of: getpid()) ?? "")

    /// Whether it lives; nil on another machine, where that cannot be told.
    public var isAlive: Bool? { host == Self.thisHost ? Self.start(of: pid) == start : nil }

    /// Whether this machine has a process of this number.
    public static func exists(_ pid: Int32) -> Bool { start(of: pid) != nil }

    /// The machine's name.
    public static let thisHost: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// The 22nd field of /proc/PID/stat (proc(5)); nil when there is no such process, or it is a zombie.
    private static func start(of pid: Int32) -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else { return nil }
        // The name in brackets may hold anything, blanks and brackets too.
        guard let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " "),
            fields.count > 19, fields[0] != "Z"
        else { return nil }
        return String(fields[19])
    }
}
