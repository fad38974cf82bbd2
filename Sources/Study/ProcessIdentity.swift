import Foundation

/// A process of some machine, as those that share a folder know one another: numbers are used again, so the moment of
/// its start is part of it; names of machines are, too, and containers of one machine count their processes apart.
public struct ProcessIdentity: Hashable, Sendable {
    /// The machine.
    public var host: String
    /// Its number.
    public var pid: Int32
    /// When it started, in clock ticks since the machine did.
    public var start: String
    /// The run of the machine between two boots, as Linux names it; empty where that cannot be told, nil where whoever
    /// told of the process did not know of such names.
    public var boot: String?
    /// The namespace that its number counts in (pid_namespaces(7)); empty and nil as with `boot`.
    public var namespace: String?

    /// A process that something tells of.
    public init(host: String, pid: Int32, start: String, boot: String? = nil, namespace: String? = nil) {
        (self.host, self.pid, self.start) = (host, pid, start)
        (self.boot, self.namespace) = (boot, namespace)
    }

    /// This process.
    public static let current: ProcessIdentity = {
        let known: String? = if case .started(let start) = life(of: getpid()) { start } else { nil }
        return ProcessIdentity(
            host: thisHost, pid: getpid(), start: known ?? "", boot: thisBoot, namespace: thisNamespace)
    }()

    /// Whether it lives; nil on another machine and out of another container, where that cannot be told.
    public var isAlive: Bool? {
        guard isWithinSight else { return nil }
        switch Self.life(of: pid) {
        case .gone: return false
        case .started(let moment): return moment == start
        case .hidden: return nil
        }
    }

    /// Whether its number means here what it means to itself.
    var isWithinSight: Bool {
        guard host == Self.thisHost else { return false }
        if boot == nil, namespace == nil { return true }
        return boot == Self.thisBoot && namespace == Self.thisNamespace && boot?.isEmpty == false
            && namespace?.isEmpty == false
    }

    /// Whether there is a process of this number among those that this one can see.
    public static func exists(_ pid: Int32) -> Bool { life(of: pid) != .gone }

    /// The machine's name.
    public static let thisHost: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()

    /// The machine's name, and the number of the namespace where that is known: what containers that share a name and a
    /// folder call their own files by.
    public static let thisPlace: String = {
        let digits = thisNamespace.filter(\.isNumber)
        return digits.isEmpty ? thisHost : "\(thisHost)-\(digits)"
    }()

    private static let thisBoot: String = {
        let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") ?? Data()
        return String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }()

    private static let thisNamespace: String = {
        func end(_ link: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: link) }
        // A /proc that was mounted for other namespaces numbers processes as those do.
        return end("/proc/self") == String(getpid()) ? end("/proc/self/ns/pid") ?? "" : ""
    }()

    private enum Life: Equatable {
        case gone
        case started(String)
        /// It is there, and who asks may not look (hidepid, proc(5)).
        case hidden
    }

    /// The 22nd field of /proc/PID/stat (proc(5)); a zombie is gone.
    private static func life(of pid: Int32) -> Life {
        guard let data = FileManager.default.contents(atPath: "/proc/\(pid)/stat") else {
            return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM) ? .hidden : .gone
        }
        // The name in brackets may hold anything, blanks and brackets too.
        guard let fields = String(decoding: data, as: UTF8.self).split(separator: ")").last?.split(separator: " "),
            fields.count > 19, fields[0] != "Z"
        else { return .gone }
        return .started(String(fields[19]))
    }
}
