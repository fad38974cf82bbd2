import ArgumentParser
import Devices
import Foundation

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List, find and try devices.",
        discussion: """
            Example: marey devices list
                     marey devices scan --duration 10
                     marey devices lsl
                     marey devices probe heart-rate@A0:9E:1A:00:11:22
            """,
        subcommands: [DevicesList.self, DevicesScan.self, DevicesLSL.self, DevicesProbe.self])

    /// - Throws: where `--duration` is no time that anybody listens for.
    static func demandListening(for seconds: Double) throws {
        guard seconds > 0, seconds <= 3_600 else {
            throw Failure.misuse("--duration must be above 0 s, at most 3600 s")
        }
    }
}

struct DevicesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the kinds of devices with their options, serial ports and LSL streams.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        if json { return try OutputOptions.emitJSON(Listed()) }
        for model in DeviceModel.all {
            StandardOutput.print("\(model.id)\t\(model.title)\t\(Self.place(model.transport))")
            for option in model.options {
                StandardOutput.print("  \(option.name): \(option.meaning) (default: \(option.standard))")
            }
        }
        let ports = SerialPort.all()
        if !ports.isEmpty { StandardOutput.print("\nserial ports:") }
        for port in ports { StandardOutput.print("\(port.path)\t\(port.manufacturer) \(port.product)") }
        do {
            let streams = try DevicesLSL.streams(within: 1)
            if !streams.isEmpty { StandardOutput.print("\nLab Streaming Layer:") }
            streams.forEach { StandardOutput.print(DevicesLSL.line($0, among: streams)) }
        } catch { Terminal.note("\(error)") }
    }

    /// All that is listed, as JSON.
    private struct Listed: Encodable {
        var devices = DeviceModel.all.map(Kind.init)
        var serialPorts = SerialPort.all().map(Port.init)
        /// Left out where there is no library that could find them.
        var lslStreams: [LSLStreamInfo]?

        init() {
            do { lslStreams = try DevicesLSL.streams(within: 1) } catch { Terminal.note("\(error)") }
        }

        struct Kind: Encodable {
            var id: String
            var title: String
            var place: String
            var options: [Choice]

            init(_ model: DeviceModel) {
                (id, title, place) = (model.id, model.title, DevicesList.place(model.transport))
                options = model.options.map { Choice(name: $0.name, meaning: $0.meaning, standard: $0.standard) }
            }
        }

        struct Choice: Encodable {
            var name: String
            var meaning: String
            var standard: String

            enum CodingKeys: String, CodingKey { case name, meaning, standard = "default" }
        }

        struct Port: Encodable {
            var path: String
            var manufacturer: String
            var product: String
            var serialNumber: String

            init(_ port: SerialPort) {
                (path, manufacturer, product) = (port.path, port.manufacturer, port.product)
                serialNumber = port.serialNumber
            }
        }
    }

    static func place(_ transport: DeviceTransport) -> String {
        switch transport {
        case .bluetooth: "Bluetooth address, name or “first”"
        // Of some servers no port is usual.
        case .tcp(_, 0): "HOST:PORT"
        case .tcp(let host, let port): "HOST:PORT (\(host):\(port))"
        case .serial(let baud): "serial port (\(baud) baud)"
        case .lsl: "name, type or source of the stream"
        case .relay: "name of the phone's key, in a session of marey serve"
        case .replay: "path of the log (acquire --raw-log makes one)"
        }
    }
}

struct DevicesScan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "Listen for Bluetooth devices.")

    @Option(help: "Seconds to listen.")
    var duration = 10.0

    @Option(help: "The Bluetooth adapter, such as hci1 (default: the first).")
    var adapter: String?

    @Flag(help: "Also list devices Marey does not know.")
    var all = false

    @Flag(help: "Print a line of JSON per device.")
    var json = false

    func run() throws {
        try DevicesCommand.demandListening(for: duration)
        let central = try BlueZCentral(adapter: adapter)
        let count = try waiting { [all, json, duration] in
            let scanning = Task { () throws -> Int in
                var seen: Set<String> = []
                for try await found in central.scan(for: []) {
                    let model = DeviceModel.recognised(name: found.name, services: Set(found.services))
                    guard model != nil || all, seen.insert(found.address).inserted else { continue }
                    Self.show(found, model, json)
                }
                return seen.count
            }
            let limit = Task {
                try await Task.sleep(for: .seconds(duration))
                scanning.cancel()
            }
            defer { limit.cancel() }
            do { return try await scanning.value } catch is CancellationError { return 0 }
        }
        if count == 0 {
            throw Failure.nothingDone("no device was heard in \(Int(duration)) s: switch it on, wear it, come nearer")
        }
    }

    private static func show(_ found: Advertisement, _ model: DeviceModel?, _ json: Bool) {
        let address = "\(model?.id ?? "unknown")@\(found.address)"
        if json {
            var fields: [String: Any] = ["device": address, "name": found.name]
            fields["rssi"] = found.rssi
            let data = (try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)) ?? Data()
            StandardOutput.print(String(decoding: data, as: UTF8.self))
        } else {
            StandardOutput.print("\(address)\t\(found.name)\t\(found.rssi.map { "\($0) dBm" } ?? "")")
        }
    }
}
