import Acquisition
import ArgumentParser
import Devices
import Foundation
import Signals
import Synchronization

struct DevicesProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Connect to a device for some seconds and say what it sends; nothing is recorded.")

    @Argument(help: "The device: MODEL@PLACE,option=value.")
    var device: String

    @Option(help: "Seconds to listen.")
    var duration = 10.0

    @Option(help: "The Bluetooth adapter, such as hci1 (default: the first).")
    var adapter: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        try DevicesCommand.demandListening(for: duration)
        var address: DeviceAddress
        let chosen: SessionDevice
        do {
            address = try DeviceAddress(device)
            try DeviceSecretOptions.complete(&address)
            chosen = try address.device(clock: SystemClock()) { try BlueZCentral(adapter: adapter) }
        } catch let error as DeviceFailure {
            throw Failure.misuse(error.description)
        }
        let found = Mutex(Findings())
        try waiting { [duration, address] in
            let connection = DeviceConnection(
                name: address.name, connector: chosen.connector, conversation: chosen.conversation,
                clock: SystemClock(), reconnection: Reconnection(attempts: 1), secrets: chosen.secrets
            ) { report in
                found.withLock { $0.take(report) }
            }
            let limit = Task {
                try await Task.sleep(for: .seconds(duration))
                await connection.stop()
            }
            StopRequest.handle { Task { await connection.stop() } }
            await connection.run()
            limit.cancel()
        }
        let findings = found.withLock { $0 }
        let device = chosen.secrets.reduce(self.device) { $0.replacing($1, with: "…") }
        if json {
            try OutputOptions.emitJSON(findings.table(address, chosen.connector.place))
        } else {
            findings.lines.forEach { StandardOutput.print($0) }
        }
        if !findings.isConnected { throw Failure.nothingDone(findings.reason ?? "\(device) did not answer") }
        if !findings.hasSpoken {
            let reason = findings.failure ?? findings.reason ?? "it sent nothing that \(address.model) sends"
            throw Failure.nothingDone("\(device) is connected, but is it a \(address.model)? \(reason)")
        }
    }

    /// The JSON that is printed.
    private struct Table: Encodable {
        var model: String
        var place: String
        var connected: Bool
        var identity: DeviceIdentity
        var location: String?
        var remarks: [String]
        var streams: [Stream]
        var malformed: Int

        struct Stream: Encodable {
            var stream: String
            var count: Int
        }
    }

    /// What was heard.
    private struct Findings {
        var isConnected = false
        var reason: String?
        var failure: String?
        /// Whether it sent values, or who it is.
        var hasSpoken = false
        var identity = DeviceIdentity()
        var remarks: [String] = []
        var streams: [(id: String, count: Int)] = []
        var malformed = 0

        mutating func take(_ report: DeviceReport) {
            switch report.content {
            case .connection(_, .connected, _): isConnected = true
            case .connection(_, _, let error?): reason = error.description
            case .event(.stream(let stream)):
                if !streams.contains(where: { $0.id == stream.id }) { streams.append((stream.id, 0)) }
            case .event(.samples(let samples)): count(samples.stream, samples.block.frameCount)
            case .event(.values(let stream, let values)): count(stream, values.count)
            case .event(.identity(let identity)):
                // The name and address come from the transport.
                hasSpoken = hasSpoken || identity.hasDetailsOfItsOwn
                self.identity.add(identity)
            case .event(.status(let status)): remarks.append("\(status)")
            case .event(.log(let text)): remarks.append(text)
            case .event(.failed(let failure)):
                self.failure = failure.description
                remarks.append(failure.description)
            case .event(.malformed): malformed += 1
            default: break
            }
        }

        /// The lines of its identity.
        private var identityLines: [String] {
            [
                ("name", identity.name), ("address", identity.address ?? ""), ("manufacturer", identity.manufacturer),
                ("model", identity.model), ("serial number", identity.serialNumber),
                ("firmware", identity.firmware), ("hardware", identity.hardware),
                ("location", identity.location ?? ""),
            ].filter { !$0.1.isEmpty }.map { "\($0.0)\t\($0.1.shown)" }
        }

        private mutating func count(_ id: String, _ number: Int) {
            hasSpoken = hasSpoken || number > 0
            for index in streams.indices where streams[index].id == id { streams[index].count += number }
        }

        /// The findings as JSON.
        func table(_ device: DeviceAddress, _ place: String) -> Table {
            Table(
                model: device.model, place: identity.address ?? place, connected: isConnected, identity: identity,
                location: identity.location, remarks: remarks,
                streams: streams.map { Table.Stream(stream: $0.id, count: $0.count) }, malformed: malformed)
        }

        var lines: [String] {
            identityLines + Array(remarks.suffix(20)) + streams.map { "\($0.id)\t\($0.count)" }
                + (malformed > 0 ? ["\(malformed) messages broke the protocol"] : [])
        }
    }
}

extension DeviceIdentity {
    /// True when it holds more than the name and the address, which the transport knows.
    fileprivate var hasDetailsOfItsOwn: Bool {
        var others = self
        others.name = ""
        others.details["address"] = nil
        return others != DeviceIdentity()
    }
}
