public import Foundation
import Glibc

/// A message bus of one program: a real `dbus-daemon` on a socket of its own.
///
/// A shell holds the daemon and reads from a pipe to this program. The pipe ends with the program, also when it is killed, and
/// the shell then ends the daemon: nothing remains.
public final class PrivateBus {
    /// The bus's address, as `DBUS_SYSTEM_BUS_ADDRESS` takes it.
    public let address: String
    /// The process id of the daemon.
    public let daemon: pid_t
    private let keeper: Keeper

    /// The daemon's program.
    public static let program = "/usr/bin/dbus-daemon"
    /// True if this machine has the daemon.
    public static let isPresent = FileManager.default.isExecutableFile(atPath: program)

    /// Starts a bus.
    /// - Throws: `LinkError.unavailable` where there is no daemon, or it gives no address.
    public init() throws(LinkError) {
        let remedy = "a private D-Bus needs \(Self.program): install it (apt-get install dbus)"
        guard Self.isPresent else { throw .unavailable(remedy) }
        do { keeper = try Keeper([Self.program, "--session", "--nofork", "--print-address"]) } catch {
            throw .unavailable("\(remedy): \(error)")
        }
        daemon = keeper.line().flatMap { pid_t($0) } ?? 0
        guard let address = keeper.line(), !address.isEmpty else { throw .unavailable(remedy) }
        self.address = address
    }

    /// A program that ends when this one does.
    public final class Keeper {
        private let shell = Process()
        private let input: FileHandle
        private let output: FileHandle

        /// The shell's script: it prints the id of the program, waits for the end of its input and kills the program.
        /// A starter's blocked signals are blocked in both: SIGTERM would not arrive, and the shell would wait for SIGCHLD for ever.
        private static let script = """
            /bin/sh -c 'echo $$; exec "$@"' sh "$@" & child=$!
            read -r _
            kill -KILL $child 2>/dev/null
            """

        /// Starts a program by its path, with its arguments.
        /// - Throws: when the shell cannot be started.
        public init(_ command: [String], environment: [String: String]? = nil) throws {
            let (fromHere, toHere) = (try Self.pipe(), try Self.pipe())
            (input, output) = (fromHere.write, toHere.read)
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            shell.arguments = ["-c", Self.script, "sh"] + command
            shell.environment = environment
            (shell.standardInput, shell.standardOutput) = (fromHere.read, toHere.write)
            shell.standardError = FileHandle.nullDevice
            try shell.run()
            try? toHere.write.close()
        }

        deinit { try? input.close() }

        /// The ends of a pipe that no other child process inherits: a second holder of the end for writing would keep the program
        /// running.
        private static func pipe() throws -> (read: FileHandle, write: FileHandle) {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                throw LinkError.unavailable(String(cString: strerror(errno)))
            }
            return (
                FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
                FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
            )
        }

        /// Returns the next line that the program prints; the first is its process id. Nil at the end.
        public func line() -> String? {
            var text: [UInt8] = []
            while let byte = try? output.read(upToCount: 1)?.first {
                if byte == UInt8(ascii: "\n") { return String(decoding: text, as: UTF8.self) }
                text.append(byte)
            }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }
    }
}
