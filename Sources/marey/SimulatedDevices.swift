import Devices
import Foundation
import Signals
import Simulation

/// `marey simulate --serve`: simulated devices on the transports the real ones use, until told to stop.
struct SimulatedDevices {
    /// What is served, each `MODEL` or `MODEL@PORT`.
    var wishes: [String]
    var parameters: SimulationParameters
    var deviceFaults: DeviceFaults
    var linkFaults: LinkFaults
    /// A D-Bus for the Bluetooth devices; nil: one of our own.
    var bus: String?
    /// Where every measured frame is noted.
    var truth: URL?
    /// A file with the participant's load, 0 at rest … 1, read again and again.
    var load: URL?
    /// The key of the services of relayed phones; nil: that of each link, else of the environment.
    var key: String?

    private struct Served {
        var model: DeviceModel
        var runner: SimulatorRunner
        var port: UInt16
        /// Where its measurements are published, for streams of the Lab Streaming Layer.
        var publisher: LSLPublisher?
    }

    func run() throws {
        let log = try truth.map { try MeasuredLog($0) }
        let relayed = try wishes.compactMap { wish in
            wish.hasPrefix("relay@") ? try SimulatedRelayPhone(String(wish.dropFirst(6)), key: key) : nil
        }
        var served: [Served] = []
        for wish in wishes where !wish.hasPrefix("relay@") { served.append(try device(wish, log)) }
        let phones = relayed.map { _ in FaultBearer(name: "relay", faults: RelayPhoneSimulator.faults) }
        do throws(DeviceFailure) {
            let shortcomings = try (served.map(\.model.bearer) + phones).shortcomings(deviceFaults, linkFaults)
            shortcomings.forEach(Terminal.note)
        } catch { throw Failure.misuse("--faults: \(error.description)") }
        // It ends with this program, also when that is killed.
        let own = try privateBus(for: served)
        defer { withExtendedLifetime(own) {} }
        let busAddress = bus ?? own?.address
        let devices = served
        try waiting {
            let serving = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    try await Self.serveStreams(devices, in: &group)
                    for phone in relayed {
                        let runner = relayPhone(log)
                        group.addTask { try await phone.run(runner, say: Self.say) }
                    }
                    if let busAddress { try await Self.serveBluetooth(devices, on: busAddress, in: &group) }
                    if let load { group.addTask { try await Self.follow(load, devices) } }
                    for try await _ in group {}
                }
            }
            StopRequest.handle { serving.cancel() }
            do { try await serving.value } catch is CancellationError {}
        }
        try log?.close()
    }

    /// Tells the devices what a file says of the participant, five times a second.
    private static func follow(_ file: URL, _ devices: [Served]) async throws {
        var told: Double?
        while true {
            try await Task.sleep(for: .milliseconds(200))
            let text = (try? String(contentsOf: file, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
            guard let load = text.flatMap(Double.init), load.isFinite, load != told else { continue }
            told = load
            for device in devices { await device.runner.participant(isLoaded: load) }
        }
    }

    private func device(_ wish: String, _ log: MeasuredLog?) throws -> Served {
        let parts = wish.split(separator: "@", maxSplits: 1).map(String.init)
        guard let model = DeviceModel.named(parts[0]), let make = model.simulator else {
            let known = (DeviceModel.all.filter { $0.simulator != nil }.map(\.id) + ["relay@LINK"]).joined(
                separator: ", ")
            throw Failure.misuse("“\(parts[0])” can't be simulated; there are: \(known)")
        }
        let port = parts.count > 1 ? UInt16(parts[1]) : 0
        guard let port else { throw Failure.misuse("“\(wish)”: a port is a number") }
        let device = Self.faulty(make(parameters, deviceFaults), linkFaults)
        let start = SystemClock().wallClock
        let publisher = try model.transport == .lsl ? Self.wristbandOutlets() : nil
        let runner = SimulatorRunner(device) { samples in
            log?.note(model.id, samples, since: start)
            publisher?.push(samples)
        }
        return Served(model: model, runner: runner, port: port, publisher: publisher)
    }

    /// Outlets for all that a simulated wristband measures, of names nobody else has here.
    private static func wristbandOutlets() throws -> LSLPublisher {
        let streams = EmpaticaSignal.allCases.compactMap(\.stream).map { stream in
            var stream = stream
            stream.header.name = "wristband-\(stream.header.name)"
            return stream
        }
        return try LSLPublisher(LSLLibrary(), streams: streams, sourceID: "marey-simulated-\(getpid())-")
    }

    private func relayPhone(_ log: MeasuredLog?) -> SimulatorRunner {
        var simulation = RelaySimulation()
        simulation.seed = parameters.seed
        simulation.start = SystemClock().wallClock
        simulation.lost = deviceFaults.losses
        let start = simulation.start
        let phone = Self.faulty(RelayPhoneSimulator(simulation), linkFaults)
        return SimulatorRunner(phone) { samples in log?.note("relay", samples, since: start) }
    }

    private static func faulty(_ device: some DeviceSimulator, _ faults: LinkFaults) -> any DeviceSimulator {
        FaultInjector(device, faults)
    }

    // MARK: - Byte streams

    private static func serveStreams(
        _ devices: [Served], in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        for device in devices {
            let host: StreamSimulatorHost
            switch device.model.transport {
            case .bluetooth, .relay, .replay: continue
            case .lsl:
                device.publisher?.names.forEach { say("lsl@\($0)") }
                group.addTask { await device.runner.run() }
                continue
            case .tcp: host = try StreamSimulatorHost(tcp: device.runner, port: device.port)
            case .serial: host = try StreamSimulatorHost(terminal: device.runner)
            }
            for (name, value) in device.model.simulatedEnvironment.sorted(by: { $0.key < $1.key }) {
                say("\(name)=\(value)")
            }
            say((["\(device.model.id)@\(host.place)"] + device.model.simulatedOptions).joined(separator: ","))
            group.addTask { try await host.run() }
        }
    }

    // MARK: - Bluetooth

    private static func serveBluetooth(
        _ devices: [Served], on bus: String, in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws {
        var peripherals: [(advertisement: Advertisement, runner: SimulatorRunner)] = []
        var lines: [String] = []
        for device in devices {
            guard case .bluetooth = device.model.transport else { continue }
            // Addresses of the block set aside for documentation (RFC 7042, 2.1.2).
            let number = peripherals.count + 1
            let address = "00:00:5E:00:53:" + (number < 16 ? "0" : "") + String(number, radix: 16, uppercase: true)
            let profile = await device.runner.profile()
            peripherals.append(
                (
                    Advertisement(
                        address: address, name: profile?.name ?? "", rssi: -60, services: profile?.advertised ?? []),
                    device.runner
                ))
            lines.append("\(device.model.id)@\(address)")
        }
        guard !peripherals.isEmpty else { return }
        let server = try await BlueZServer(busAddress: bus, devices: peripherals)
        let announcements = ["DBUS_SYSTEM_BUS_ADDRESS=\(bus)"] + lines
        group.addTask { try await server.run { announcements.forEach(say) } }
    }

    private func privateBus(for devices: [Served]) throws -> PrivateBus? {
        let needsBus = devices.contains { if case .bluetooth = $0.model.transport { true } else { false } }
        guard needsBus, bus == nil else { return nil }
        do throws(LinkError) { return try PrivateBus() } catch {
            throw Failure.nothingDone("simulated Bluetooth devices need a D-Bus: \(error), or give one with --bus")
        }
    }

    private static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}
