import Devices
import Foundation
import Service
import Synchronization

/// A simulated phone that sends a board's ECG to the relay of a running service.
struct SimulatedRelayPhone {
    private let client: ServiceClient

    /// A phone that calls the service of a link such as `http://127.0.0.1:8311/#code_…`.
    /// - Parameter key: nil: the link's own, else that of the environment.
    init(_ link: String, key: String?) throws {
        guard let client = ServiceClient(link: link, key: key) else {
            throw Failure.misuse("relay@LINK: " + ServiceClient.whatALinkIs)
        }
        self.client = client
    }

    /// Sends what the phone tells until the task is cancelled; says each change of the relay's answer.
    func run(_ runner: SimulatorRunner, say: @escaping @Sendable (String) -> Void) async throws {
        let client = client
        let last = Mutex("")
        say("relay@" + client.address)
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
