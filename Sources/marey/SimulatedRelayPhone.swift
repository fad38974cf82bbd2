import Devices
import Foundation
import Service
import Synchronization

/// A simulated phone that sends a board's ECG to the relay of a running service.
struct SimulatedRelayPhone {
    private let client: ServiceClient
    private let link: String

    /// A phone that calls the service of a link such as `http://127.0.0.1:8311/#marey_…`.
    init(_ link: String) throws {
        guard let client = ServiceClient(link: link) else {
            throw Failure.misuse(
                "relay@LINK: the link is the one that marey serve prints, such as http://127.0.0.1:8311/#marey_…")
        }
        (self.client, self.link) = (client, link)
    }

    /// Sends what the phone tells until the task is cancelled; says each change of the relay's answer.
    func run(_ runner: SimulatorRunner, say: @escaping @Sendable (String) -> Void) async throws {
        let client = client
        let last = Mutex("")
        say("relay@" + (link.split(separator: "#").first.map(String.init) ?? ""))
        try await RelayClientHost(runner).run { message in
            switch message {
            case .disconnected:
                try await client.call("POST", "/api/relay/disconnect")
                say("relay: board lost")
            case .sample(let sample):
                let answer = try await client.call(
                    "POST", "/api/relay/messages",
                    ["amplitude": .text(sample.amplitude), "time": .text(sample.time)])
                let status = answer["statusCode"]?.text ?? ""
                let isNew = last.withLock { last in
                    defer { last = status }
                    return last != status
                }
                if isNew { say("relay: status \(status), heart rate \(answer["heartRate"]?.text ?? "")") }
            }
        }
    }
}
