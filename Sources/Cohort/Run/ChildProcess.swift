import Foundation
import Pipeline
import Synchronization

/// A process that is spoken to line by line.
final class ChildProcess {
    /// How a process ended.
    enum End: Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    let pid: pid_t
    private let input: Int32
    private let output: Int32
    private var received: [UInt8] = []

    /// Starts `program`, found by its path.
    /// - Parameters:
    ///   - environment: what differs from our own.
    ///   - messages: the file its standard error goes to.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:], messages: String) throws {
        let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        (pid, input, output) = try Self.starting.withLock { _ in
            let (toChild, fromChild) = (try Self.pipe(), try Self.pipe())
            defer {
                close(toChild.read)
                close(fromChild.write)
            }
            do {
                let words = [program] + arguments
                let variables = all.map { "\($0.key)=\($0.value)" }
                let pid = try Self.spawn(words, variables, from: toChild.read, to: fromChild.write, messages)
                return (pid, toChild.write, fromChild.read)
            } catch {
                close(toChild.write)
                close(fromChild.read)
                throw error
            }
        }
    }

    /// Pipes are marked after they are made, so none may be made while another child starts: it would hold our end.
    private static let starting = Mutex(())

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Foundation.pipe(&ends) == 0 else {
            throw CohortError("no pipe to a worker: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func spawn(
        _ words: [String], _ variables: [String], from input: Int32, to output: Int32, _ messages: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var pid: pid_t = 0
        let (arguments, environment) = (words.map { strdup($0) } + [nil], variables.map { strdup($0) } + [nil])
        defer { (arguments + environment).forEach { free($0) } }
        let code = posix_spawn(&pid, words[0], &actions, nil, arguments, environment)
        guard code != EAGAIN else {
            throw CohortError("\(ThreadShortage(code: code))", advice: "or give fewer workers with --n-cpus")
        }
        guard code == 0 else {
            throw CohortError("\(words[0]): cannot be started: \(String(cString: strerror(code)))")
        }
        return pid
    }

    /// Sends a line; false when nobody reads it.
    func send(_ line: String) -> Bool {
        let bytes = Array((line + "\n").utf8)
        return write(input, bytes, bytes.count) == bytes.count
    }

    /// The next line; nil when there will be none.
    func line() -> String? {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                let line = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                return line
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            received += buffer[..<count]
        }
    }

    /// Says that there will be no more lines, and waits for the end.
    func end() -> End {
        close(input)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        close(output)
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(status & 0x7F)
    }
}
