import Foundation

/// A program that serves at a port of loopback, which it tells on standard error, until it is let go.
final class ServerProcess {
    let port: Int
    private let process = Process()
    private let messages = Pipe()

    /// - Parameter mark: what stands before the port's number.
    init(_ program: String, _ arguments: [String], portAfter mark: String) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        let line = Self.line(messages.fileHandleForReading, containing: mark)
        let digits = line.range(of: mark).map { line[$0.upperBound...].prefix(while: \.isNumber) }
        port = digits.flatMap { Int($0) } ?? 0
        // Whoever tells of each request must not wait for a reader.
        messages.fileHandleForReading.readabilityHandler = {
            if $0.availableData.isEmpty { $0.readabilityHandler = nil }
        }
    }

    deinit {
        // A program begun on a thread of the tests may have got that thread's mask, which holds back all else.
        kill(process.processIdentifier, SIGKILL)
    }

    private static func line(_ handle: FileHandle, containing mark: String) -> String {
        var text: [UInt8] = []
        while let byte = try? handle.read(upToCount: 1)?.first {
            text.append(byte)
            if byte == UInt8(ascii: "\n") {
                let line = String(decoding: text, as: UTF8.self)
                if line.contains(mark) { return line }
                text = []
            }
        }
        return ""
    }
}

/// Hands connections on to a server of loopback, and breaks some of them.
final class CuttingRelay {
    private let process: ServerProcess

    /// Where it listens.
    var port: Int { process.port }

    /// Of the connections made, the first `cuts` are broken after so many bytes.
    init(to server: Int, cuts: Int, afterBytes limit: Int) throws {
        process = try ServerProcess(
            "/usr/bin/python3", ["-u", "-c", Self.script, "\(server)", "\(cuts)", "\(limit)"], portAfter: "port ")
    }

    /// Relays connections; a connection that carries more than `limit` bytes is broken, `cuts` times.
    private static let script = """
        import socket, sys, threading
        target, cuts, limit = map(int, sys.argv[1:4])
        lock = threading.Lock()
        listener = socket.create_server(("127.0.0.1", 0))
        print("port", listener.getsockname()[1], file=sys.stderr, flush=True)
        def cut():
            global cuts
            with lock:
                if cuts <= 0: return False
                cuts -= 1
                return True
        def pump(source, sink, counts):
            total = 0
            try:
                while data := source.recv(65536):
                    total += len(data)
                    if counts and total > limit and cut(): break
                    sink.sendall(data)
            except OSError: pass
            for end in (source, sink):
                try: end.shutdown(socket.SHUT_RDWR)
                except OSError: pass
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", target))
            threading.Thread(target=pump, args=(client, server, True), daemon=True).start()
            threading.Thread(target=pump, args=(server, client, False), daemon=True).start()
        """
}
