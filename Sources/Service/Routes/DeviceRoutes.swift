import Devices
import Study

/// Kinds of devices, and those that are near.
enum DeviceRoutes {
    static func routes(_ context: ServiceContext) -> [Route] {
        [
            Route(
                method: "GET", path: "/api/devices", id: "listDevices",
                summary: "Kinds of devices with their options, and serial ports", right: .read,
                answer: Route.Answer(meaning: "The devices", schema: Schemas.devices)
            ) { _ in
                .json([
                    "models": .list(DeviceModel.all.map(json)),
                    "serialPorts": .list(SerialPort.all().map { .text($0.path) }),
                ])
            },
            Route(
                method: "POST", path: "/api/devices/scan", id: "scanDevices",
                summary: "Listen for Bluetooth devices", right: .record,
                body: .object([.optional("duration", .number(1...30), "Seconds to listen; without it: 5")]),
                answer: Route.Answer(meaning: "What was heard", schema: .items(Schemas.found)),
                problems: [409, 503]
            ) { call in
                let found = try await context.scanner.scan(for: call.body["duration"]?.number ?? 5)
                return .json(
                    .items(
                        found.map { device in
                            [
                                "device": .text(device.address), "name": .text(device.name),
                                "rssi": .optional(device.rssi),
                            ]
                        }))
            },
        ]
    }

    private static func json(_ model: DeviceModel) -> JSONValue {
        let (transport, place) = place(model.transport)
        return [
            "id": .text(model.id), "title": .text(model.title), "transport": .text(transport),
            "place": .text(place),
            "options": .object(
                Dictionary(model.options.map { ($0.name, JSONValue.text($0.meaning)) }) { first, _ in first }),
        ]
    }

    private static func place(_ transport: DeviceTransport) -> (String, String) {
        switch transport {
        case .bluetooth: ("bluetooth", "Bluetooth address")
        case .tcp(let host, let port): ("tcp", "\(host):\(port)")
        case .serial(let baud): ("serial", "serial port, \(baud) baud")
        case .lsl: ("lsl", "name of the stream, type:TYPE or source_id:ID")
        case .relay: ("relay", "name of the key it sends with; without it: whoever started the service")
        case .replay: ("replay", "path of a raw byte log")
        }
    }
}
