import ArgumentParser
import Foundation
import Pipeline
import Service
import Study
import Synchronization

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a study: a page to run and watch sessions with, and the API behind it.",
        discussion: """
            Example: marey serve my-study
                     marey study keys create my-study --name watcher --rights read

            Prints a link with all rights. It opens the page once; when it was used the next one is printed. \
            Programs get keys of their own, or that of --owner-key-file. Only this machine can connect unless --host says otherwise; there is no TLS, so put a proxy in \
            front for anything beyond it. /openapi.json describes the API. Ctrl-C ends a running session in order. \
            Marey is a research tool, not a medical device.
            """)

    @Argument(help: "The study folder.")
    var folder: String

    @Option(help: "The port; 0: any free one.")
    var port: UInt16 = 8311

    @Option(help: "The address to take connections at; 0.0.0.0: every one of this machine.")
    var host = "127.0.0.1"

    @Option(help: "The Bluetooth adapter, such as hci1 (default: the first).")
    var adapter: String?

    @Option(help: "Requests a second that one caller may make.")
    var rate = ServiceLimits().rate

    @Option(help: "A new file to write the owner's key to, for programs; the key ends with the service.")
    var ownerKeyFile: String?

    @Flag(help: "Write a line for every request: never who it is about.")
    var verbose = false

    @OptionGroup var parameterOptions: ParameterOptions

    func run() throws {
        guard rate > 0, rate.isFinite else { throw Failure.misuse("--rate must be above 0") }
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let parameters = try parameterOptions.parameters(standing: study.parametersFile)
        var limits = ServiceLimits()
        (limits.rate, limits.burst) = (rate, max(limits.burst, 4 * rate))
        let link = LinkPrinter(host: host)
        let service = try StudyService(
            study, parameters: parameters, limits: limits, adapter: adapter, now: { .now },
            log: verbose ? Self.log : nil, complain: { Terminal.complain($0) }, codeUsed: { link.printNext() })
        link.makeCode = { [weak service] in service?.loginCode() }
        if let ownerKeyFile { try Self.write(service.token.text, to: ownerKeyFile) }
        defer { if let ownerKeyFile { unlink(ownerKeyFile) } }
        let server: ServiceServer
        do { server = try ServiceServer(service, host: host, port: port) } catch { throw Failure.misuse("\(error)") }
        // A client that goes away is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        if !isLoopback {
            Terminal.note("anybody who can reach \(host) can read what goes to and fro; put a TLS proxy in front")
        }
        try waiting {
            let serving = Task { try await server.run { link.begin(at: $0) } }
            StopRequest.handle {
                Task {
                    await service.close()
                    serving.cancel()
                }
            }
            do { try await serving.value } catch is CancellationError {} catch {
                // Whatever is being recorded ends in order.
                await service.close()
                throw error
            }
        }
    }

    /// Writes a key to a new file that its owner alone may read.
    private static func write(_ key: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure.misuse("--owner-key-file \(path): \(String(cString: strerror(errno))); name a new file")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do { try file.write(contentsOf: Data((key + "\n").utf8)) } catch {
            throw Failure.nothingDone("--owner-key-file \(path): cannot be written")
        }
    }

    private var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    private static let log: @Sendable (String, String, Int, Double) -> Void = { method, route, status, seconds in
        Terminal.note("\(method) \(route) \(status) \(Int((seconds * 1_000).rounded())) ms")
    }
}

/// Prints links that open the page, one after another.
private final class LinkPrinter: @unchecked Sendable {
    /// Gives the code of the next link; set once, before the service answers.
    var makeCode: @Sendable () -> String? = { nil }
    private let host: String
    private let port = Mutex<UInt16?>(nil)

    init(host: String) { self.host = host }

    /// The service takes connections.
    func begin(at port: UInt16) {
        self.port.withLock { $0 = port }
        printNext()
    }

    func printNext() {
        guard let port = port.withLock(\.self), let code = makeCode() else { return }
        let name = host.contains(":") ? "[\(host)]" : host
        StandardOutput.print("http://\(name):\(port)/#\(code)")
        fflush(nil)
    }
}
