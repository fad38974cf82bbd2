public import Devices
import Foundation
import Recorder

/// What a program or a person may ask of a running session.
public enum SessionCommand: Hashable, Sendable {
    /// Record a tag now.
    case tag(String)
    /// Halt a script, or a device's sending, and keep the connection; nil: of every device.
    case pause(device: String?)
    /// Go on after `pause`.
    case resume(device: String?)
    /// Stop the script that runs on an instrument, which stays connected; nil: on every instrument.
    case abort(device: String?)
    /// Disconnect a device, which leaves a gap that says so, and leave it so; nil: every device.
    case disconnect(device: String?)
    /// Connect a device again, after `disconnect` or at once where it is being waited for; nil: every device.
    case connect(device: String?)
    /// Have a strap count the energy that its wearer expends from 0 again; nil: every one that may count it.
    case resetEnergy(device: String?)
    /// End the session in order.
    case finish

    /// The words for commands that concern devices, with what they become.
    public static let deviceCommands: [String: @Sendable (String?) -> SessionCommand] = [
        "pause": { .pause(device: $0) }, "resume": { .resume(device: $0) }, "abort": { .abort(device: $0) },
        "disconnect": { .disconnect(device: $0) }, "connect": { .connect(device: $0) },
        "resetEnergy": { .resetEnergy(device: $0) },
    ]

    /// A line of JSON: `{"tag":"…"}`, or `{"command":"…","device":"…"}` with `pause`, `resume`, `disconnect`, `connect`,
    /// `abort`, `resetEnergy` or `finish`; without a device all are meant, and `finish` takes none.
    /// - Throws: `DeviceFailure` saying what would be right.
    public init(json line: String) throws(DeviceFailure) {
        let fields = try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        let known: Set<String> = ["tag", "command", "device"]
        guard let fields, known.isSuperset(of: fields.keys), (fields["tag"] == nil) != (fields["command"] == nil) else {
            throw DeviceFailure(
                description: "“\(line.prefix(100))” is no command: write {\"tag\":\"LABEL\"} or "
                    + "{\"command\":\"WORD\",\"device\":\"NAME\"}")
        }
        if let label = fields["tag"] {
            self = .tag(label)
        } else if fields["command"] == "finish" {
            guard fields["device"] == nil else {
                throw DeviceFailure(
                    description: "finish ends the session of all devices: write it without a device, or disconnect "
                        + "that device")
            }
            self = .finish
        } else if let make = Self.deviceCommands[fields["command"] ?? ""] {
            self = make(fields["device"])
        } else {
            let words = (Self.deviceCommands.keys.sorted() + ["finish"]).joined(separator: ", ")
            throw DeviceFailure(description: "“\(fields["command"] ?? "")” is no command; there are: \(words)")
        }
    }
}

extension LiveSession {
    /// Does what a line of JSON asks; what cannot be done is shown as a failure of the device `command`.
    public func obey(json line: String) async {
        do throws(DeviceFailure) {
            try await obey(SessionCommand(json: line))
        } catch {
            show(.remark(device: "command", error.description, isFailure: true, at: recorder.onset(clock.now)))
        }
    }

    /// Does what is asked.
    /// - Throws: `DeviceFailure` when there is no such device, it runs no scripts, counts no energy, or cannot be connected any
    ///   more.
    public func obey(_ command: SessionCommand) async throws(DeviceFailure) {
        switch command {
        case .tag(let label): tag(label)
        case .pause(let device): try await ask(.pause, of: device)
        case .resume(let device): try await ask(.resume, of: device)
        case .abort(let device?):
            try demand(device)
            guard instruments.contains(device) else {
                throw DeviceFailure(description: "\(device) runs no scripts that could be aborted")
            }
            await request(.abort, of: device)
        case .abort(nil): for device in instruments { await request(.abort, of: device) }
        case .disconnect(let device):
            if let device { try demand(device) }
            await withTaskGroup { group in
                for connection in meant(device) { group.addTask { await connection.disconnect() } }
            }
        case .connect(let device):
            if let device { try demand(device) }
            for connection in meant(device) {
                guard await !connection.connect(), device != nil else { continue }
                throw DeviceFailure(
                    description: "\(connection.name) was given up, or the session ends: it is not connected any more")
            }
        case .resetEnergy(let device):
            if let device { try demand(device) }
            let asked = energyCounters.filter { device == nil || $0 == device }
            guard !asked.isEmpty else {
                let who = device.map { "\($0) is none" } ?? "the session has none"
                throw DeviceFailure(
                    code: "unsupported", description: "only heart rate sensors count energy, and \(who)")
            }
            for device in asked.sorted() { await request(.resetEnergy, of: device) }
        case .finish: await stop()
        }
    }

    /// Halts the scripts that run on instruments, or lets them go on where one is halted.
    public func toggleHalt() async { await toggle(instruments) }

    /// Pauses what other devices send, or lets them go on where one is paused.
    public func togglePause() async { await toggle(names.subtracting(instruments)) }

    private func toggle(_ devices: Set<String>) async {
        let isResuming = !paused.isDisjoint(with: devices)
        for device in devices.sorted() { await request(isResuming ? .resume : .pause, of: device) }
    }

    /// The connection of a device, or all.
    private func meant(_ device: String?) -> [DeviceConnection] {
        connections.filter { device == nil || $0.name == device }
    }

    private func ask(_ wish: DeviceRequest, of device: String?) async throws(DeviceFailure) {
        if let device { try demand(device) }
        await request(wish, of: device)
    }

    private func demand(_ device: String) throws(DeviceFailure) {
        guard !names.contains(device) else { return }
        throw DeviceFailure(
            description: "the session has no device “\(device)”; there are: "
                + names.sorted().joined(separator: ", "))
    }
}
