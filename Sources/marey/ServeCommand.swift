import ArgumentParser
import Foundation
import Pipeline
import Service
import Study

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a study: a page to run and watch sessions with, and the API behind it.",
        discussion: """
            Example: marey serve my-study
                     marey study keys create my-study --name watcher --rights read

            Prints a link with a key for whoever started it; the key ends with the program. Other programs get keys of \
            their own. Only this machine can connect unless --host says otherwise; there is no TLS, so put a proxy in \
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

    @Flag(help: "Write a line for every request: never who it is about.")
    var verbose = false

    @OptionGroup var parameterOptions: ParameterOptions

    func run() throws {
        guard rate > 0, rate.isFinite else { throw Failure.misuse("--rate must be above 0") }
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let parameters = try parameterOptions.parameters(standing: study.parametersFile)
        var limits = ServiceLimits()
        (limits.rate, limits.burst) = (rate, max(limits.burst, 4 * rate))
        let service = try StudyService(
            study, parameters: parameters, limits: limits, adapter: adapter, now: { .now },
            log: verbose ? Self.log : nil,
            complain: { Terminal.complain($0) })
        let server: ServiceServer
        do { server = try ServiceServer(service, host: host, port: port) } catch { throw Failure.misuse("\(error)") }
        // A client that goes away is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        if !isLoopback {
            Terminal.note("anybody who can reach \(host) can read what goes to and fro; put a TLS proxy in front")
        }
        try waiting { [host, token = service.token] in
            let serving = Task {
                try await server.run { port in
                    let name = host.contains(":") ? "[\(host)]" : host
                    StandardOutput.print("http://\(name):\(port)/#\(token.text)")
                    fflush(nil)
                }
            }
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

    private var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    private static let log: @Sendable (String, String, Int, Double) -> Void = { method, route, status, seconds in
        Terminal.note("\(method) \(route) \(status) \(Int((seconds * 1_000).rounded())) ms")
    }
}
