import Foundation

/// rclone serving a folder over WebDAV on loopback, reached through a relay that breaks connections on request.
final class WebDAVServer {
    let folder: URL
    /// rclone's name for the served folder.
    let remote: String
    private let server: Process
    private let relay: Process

    static let isPossible = ["/usr/bin/rclone", "/usr/bin/python3"].allSatisfy(
        FileManager.default.isExecutableFile(atPath:))

    /// Serves `folder`; of the connections made, the first `cuts` are broken after so many bytes.
    init(_ folder: URL, cuts: Int = 0, afterBytes limit: Int = 0) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        (server, _) = try Self.start("/usr/bin/rclone", ["serve", "webdav", folder.path, "--addr", "127.0.0.1:0"])
        let port = Self.number(in: Self.line(of: server, containing: "http://127.0.0.1:"), after: "127.0.0.1:")
        (relay, _) = try Self.start(
            "/usr/bin/python3", ["-u", "-c", Self.relayScript, "\(port)", "\(cuts)", "\(limit)"])
        let front = Self.number(in: Self.line(of: relay, containing: "port "), after: "port ")
        remote = ":webdav,url='http://127.0.0.1:\(front)':"
    }

    deinit {
        relay.terminate()
        server.terminate()
    }

    private static func start(_ program: String, _ arguments: [String]) throws -> (Process, Pipe) {
        let process = Process()
        let messages = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = messages
        try process.run()
        return (process, messages)
    }

    private static func line(of process: Process, containing mark: String) -> String {
        guard let handle = (process.standardError as? Pipe)?.fileHandleForReading else { return "" }
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

    private static func number(in line: String, after mark: String) -> Int {
        guard let place = line.range(of: mark) else { return 0 }
        return Int(line[place.upperBound...].prefix(while: \.isNumber)) ?? 0
    }

    /// Relays connections; a connection that carries more than `limit` bytes is broken, `cuts` times.
    private static let relayScript = """
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
