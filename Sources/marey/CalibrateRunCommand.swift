import ArgumentParser
import Decoding
import Foundation
import Service
import Sessions
import Signals

struct CalibrateRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run a calibration task on the open page of marey serve, then fit the model.",
        discussion: """
            Example: marey calibrate run http://127.0.0.1:8311/ --key-file key \\
                       --subject 01 --prediction visualAttention \\
                       --device muse@00:55:DA:B0:00:01

            The link is the one that marey serve printed, open in a browser where the participant sits. Its key, what is behind \
            the #, is better given in the environment as MAREY_KEY, or in a file: what is in the link can be read by \
            everybody on this machine, in the list of its processes. A session of the participant that runs already is \
            used; else one is recorded with the devices, and ended after the task, also by Ctrl-C. Ends with 1 when the states could not be told apart, or the task was stopped.
            """)

    @Argument(help: "The link that marey serve printed, with or without its key.")
    var link: String

    @OptionGroup var keys: KeyOptions

    @Option(help: "Participant label: letters and digits, with or without sub-.")
    var subject: String

    @Option(help: "The prediction's name, such as visualAttention.")
    var prediction: String

    @Option(help: "A device as MODEL@PLACE, as often as wanted, for a session of its own.")
    var device: [String] = []

    @Option(help: "Seconds to wait for the page to be opened and the task to be done.")
    var patience = 900.0

    func run() throws {
        let prediction = try CalibratedPrediction.named(self.prediction)
        guard patience > 0, patience <= 86_400 else {
            throw Failure.misuse("--patience must be above 0 s, at most 86400 s")
        }
        guard let client = ServiceClient(link: link, key: try keys.key()) else {
            throw Failure.misuse(ServiceClient.whatALinkIs)
        }
        try DeviceSecretOptions.refuse(in: device)
        let task = GuidedTask(
            client: client, subject: try CalibrationDesk.participant(subject), prediction: prediction,
            devices: device, patience: patience)
        let (accepted, cause) = try waiting { () async throws -> (Bool, String) in
            let running = Task { try await task.run() }
            StopRequest.handle { running.cancel() }
            do { return try await running.value } catch is CancellationError {
                throw Failure(
                    code: ExitStatus.someFailed, message: "stopped before it was known whether a model may be used")
            }
        }
        guard accepted else { throw Failure(code: ExitStatus.someFailed, message: cause) }
        StandardOutput.tell(cause)
    }
}

/// A calibration task on somebody's page, from the session it needs to the model.
private struct GuidedTask: Sendable {
    let client: ServiceClient
    let subject: String
    let prediction: Prediction
    let devices: [String]
    let patience: Seconds

    /// - Returns: whether a model may be used now, and why.
    func run() async throws -> (Bool, String) {
        let (session, isOwn) = try await session()
        do {
            if isOwn { try await untilEEG() }
            // What was done before, in the same session, is not this task.
            let asked = try await client.call("GET", "/api/sessions/\(session)/time")["t"]?.number ?? 0
            try await begin()
            try await untilDone(since: asked)
        } catch {
            if isOwn { await giveUp(session) }
            throw error
        }
        guard isOwn else {
            return (true, "the task is done; the model is fitted when the session is finished")
        }
        try await finish(session)
        try await until("the session is computed") { try await live()["session"] == .null }
        let standing = try await standing()
        return (standing?["status"]?.integer == 2, standing?["cause"]?.text ?? "no model was fitted")
    }

    private func live() async throws -> JSONValue { try await client.call("GET", "/api/live") }

    /// The session that runs, or a new one.
    private func session() async throws -> (id: Int, isOwn: Bool) {
        let running = try await live()["session"] ?? .null
        if let id = running["id"]?.integer, running["phase"]?.text == "running" {
            guard running["participant"]?.text == subject else {
                throw Failure.nothingDone("a session of somebody else is running; finish it first")
            }
            return (id, false)
        }
        guard !devices.isEmpty else { throw Failure.misuse("no session runs: name the devices with --device") }
        let wish: JSONValue = [
            "participant": .text(subject), "task": .text(prediction.name),
            "devices": .list(devices.map { .text($0) }),
        ]
        let started = try await uninterrupted("POST", "/api/sessions", wish)
        return (started["id"]?.integer ?? 0, true)
    }

    private func untilEEG() async throws {
        try await until("a device sends EEG") {
            try await live()["streams"]?.list?.contains { $0["kind"]?.text == "eeg" } ?? false
        }
    }

    private func finish(_ session: Int) async throws {
        try await uninterrupted("POST", "/api/sessions/\(session)/finish")
    }

    /// Ends the session after something else went wrong, which is what is told of.
    private func giveUp(_ session: Int) async {
        do {
            try await finish(session)
        } catch let refusal as ServiceClient.Refusal where refusal.reason == "notRunning" {
            // It has ended already.
        } catch {
            let cause = (error as? Failure)?.message ?? "\(error)"
            Terminal.complain("session \(session) may go on recording; finish it on the page: \(cause)")
        }
    }

    /// Asks for something to the end, also when the program is told to stop: a session that began without its number
    /// being known, or was not finished, would go on recording with nobody there.
    @discardableResult
    private func uninterrupted(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        // A task of its own is not cancelled with this one.
        try await Task { [client] in try await client.call(method, path, body) }.value
    }

    /// Asks the page to begin, waiting for somebody to open it.
    private func begin() async throws {
        var wasTold = false
        try await until("the page is open") {
            do {
                _ = try await client.call("POST", "/api/tasks", ["task": .text(prediction.name)])
                return true
            } catch let refusal as ServiceClient.Refusal where refusal.reason == "noPage" {
                if !wasTold {
                    Terminal.note(
                        "open the page of \(client.address) where the participant sits, with the link that marey serve printed"
                    )
                }
                wasTold = true
                return false
            }
        }
        Terminal.note("the task is on the page")
    }

    private func untilDone(since asked: Seconds) async throws {
        try await until("the task is done") {
            let markers = try await live()["markers"]?.list ?? []
            let own = markers.filter {
                ($0["t"]?.number ?? 0) > asked && $0["stream"]?.text == Marker.calibrationStream
            }
            .compactMap { $0["label"]?.text }.filter { $0.hasPrefix("task=\(prediction.name) ") }
            if own.last?.contains("event=taskAborted") == true {
                throw Failure(code: ExitStatus.someFailed, message: "the task was stopped")
            }
            return own.last?.contains("event=taskEnd") == true
        }
    }

    private func standing() async throws -> JSONValue? {
        let people = try await client.call("GET", "/api/calibrations")["items"]?.list ?? []
        return people.first { $0["participant"]?.text == subject }?["predictions"]?.list?
            .first { $0["name"]?.text == prediction.name }
    }

    private func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
        let end = Date().addingTimeInterval(patience)
        while try await !isSo() {
            guard Date() < end else {
                throw Failure.nothingDone("waited \(Int(patience)) s in vain until \(what)")
            }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
