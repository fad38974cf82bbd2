import Devices
import Foundation
import Study

/// Kinds of devices, those that are near, and those of what runs.
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
            connect(context), disconnect(context),
        ]
    }

    private static func connect(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/devices/connect", id: "connectDevice",
            summary: "Connect one device: again where it was disconnected, in a check also one more", right: .record,
            body: .object([
                .required(
                    "device", .text(longest: 500), "Its name in what runs, or its address: MODEL@PLACE,option=value")
            ]),
            answer: Route.Answer(status: 202, meaning: "It is being connected; live events tell", type: nil),
            problems: [409, 503]
        ) { call in
            let device = call.body["device"]?.text ?? ""
            try call.caller.demandFiles(of: [device], within: context.study)
            try await context.desk.connect(device) { added throws in
                try call.caller.demandPlaces(of: [added], among: context.bookkeeping.devicePlaces())
            }
            return ServiceResponse(status: 202, type: nil, .data(Data()))
        }
    }

    private static func disconnect(_ context: ServiceContext) -> Route {
        Route(
            method: "POST", path: "/api/devices/disconnect", id: "disconnectDevice",
            summary: "Disconnect one device of the check or the session that runs, until it is connected again",
            right: .record,
            body: .object([.required("device", .text(longest: 500), "Its name in what runs, or its address")]),
            answer: Route.Answer(status: 204, meaning: "It is disconnected", type: nil), problems: [409]
        ) { call in
            try await context.desk.disconnect(call.body["device"]?.text ?? "")
            return .nothing
        }
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
