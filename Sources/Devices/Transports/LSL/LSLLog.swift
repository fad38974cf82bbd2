import Foundation
import Synchronization

/// The lines that liblsl writes to its log, which would go to the terminal otherwise.
///
/// Settings given before the library's first use make it write into a pipe; a thread reads it and hands every line on. The user's
/// settings (`lsl_api.cfg`) stay in force, and a log file that they name gets the lines instead.
public enum LSLLog {
    private static let listener = Mutex<(@Sendable (String) -> Void)?>(nil)
    /// True after the settings were given; only those before the first use count.
    private static let isSetUp = Mutex(false)

    /// Hands every line from now on to `listener`; nil: lines are dropped.
    public static func follow(_ listener: (@Sendable (String) -> Void)?) {
        self.listener.withLock { $0 = listener }
    }

    /// Gives the library its settings before its first use.
    /// - Parameter setContent: its function that takes the settings as text; nil before version 1.17.
    /// - Parameter use: a function that makes it read its settings.
    static func setUp(
        _ environment: [String: String], _ setContent: (@convention(c) (UnsafePointer<CChar>) -> Void)?,
        use: (@convention(c) () -> Int32)?
    ) {
        isSetUp.withLock { isSetUp in
            guard !isSetUp else { return }
            isSetUp = true
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            guard let content = settings(userSettings(environment), file: "/proc/self/fd/\(ends[1])") else {
                close(ends[0])
                close(ends[1])
                return
            }
            if let setContent {
                content.withCString(setContent)
            } else if let file = writeSettings(content) {
                setenv("LSLAPICFG", file, 1)
            }
            // It says on standard error which settings it found and where it writes.
            let standardError = dup(2)
            if standardError >= 0, dup2(ends[1], 2) >= 0 {
                _ = use?()
                dup2(standardError, 2)
                close(standardError)
            }
            let end = ends[0]
            Thread.detachNewThread { read(end) }
        }
    }

    /// The user's settings with a log file; nil where they name one.
    static func settings(_ user: String, file: String) -> String? {
        var lines = user.split(whereSeparator: \.isNewline).map(String.init)
        guard let section = lines.firstIndex(where: { $0.trimmingCharacters(in: .whitespaces) == "[log]" }) else {
            return (lines + ["[log]", "level = 0", "file = \(file)"]).joined(separator: "\n") + "\n"
        }
        let rest = lines[(section + 1)...].prefix { !$0.hasPrefix("[") }
        guard !rest.contains(where: { $0.split(separator: "=").first?.trimmingCharacters(in: .whitespaces) == "file" })
        else { return nil }
        lines.insert("file = \(file)", at: section + 1)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The first of the places where the library looks for settings that holds a file.
    private static func userSettings(_ environment: [String: String]) -> String {
        let home = environment["HOME"] ?? ""
        let places = [
            environment["LSLAPICFG"] ?? "", "lsl_api.cfg", home + "/lsl_api/lsl_api.cfg", "/etc/lsl_api/lsl_api.cfg",
        ]
        return places.lazy.filter { !$0.isEmpty }.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first
            ?? ""
    }

    private static func writeSettings(_ content: String) -> String? {
        let file = NSTemporaryDirectory() + "marey-lsl-\(getpid()).cfg"
        return (try? content.write(toFile: file, atomically: true, encoding: .utf8)).map { file }
    }

    private static func read(_ end: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var line: [UInt8] = []
        while true {
            let count = Foundation.read(end, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in bytes[..<count] {
                if byte == UInt8(ascii: "\n") {
                    hand(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                } else if line.count < 8_192 {
                    line.append(byte)
                }
            }
        }
    }

    private static func hand(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespaces)
        guard !text.isEmpty else { return }
        listener.withLock { $0 }?(text)
    }
}
