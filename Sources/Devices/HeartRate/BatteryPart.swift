import Signals

/// The Battery service, 0x180F: stream `battery` in per cent, and the status.
struct BatteryPart: GattPart {
    private var isAnnounced = false

    static let service = BluetoothUUID(0x180F)
    static let level = BluetoothUUID(0x2A19)

    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        actions.append(.read(Self.level))
        actions.append(.subscribe(Self.level, isRequired: false))
    }

    mutating func receive(
        _ bytes: [UInt8], from characteristic: BluetoothUUID, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> Bool {
        guard characteristic == Self.level else { return false }
        guard bytes.count == 1, bytes[0] <= 100 else {
            let problem = bytes.count == 1 ? "\(bytes[0]) % is beyond 100 %" : "expected 1 byte, got \(bytes.count)"
            actions.emit(.malformed(MalformedMessage(place: "Battery Level", problem: problem, bytes: bytes)))
            return true
        }
        report(percent: Double(bytes[0]), into: &actions)
        return true
    }

    /// Says how much charge is left.
    mutating func report(percent: Double, into actions: inout [ConversationAction]) {
        if !isAnnounced {
            isAnnounced = true
            let channel = Channel(label: "battery", unit: .percent)
            let header = StreamHeader(name: "battery", kind: .battery, channels: [channel], sampleRate: 0)
            actions.emit(.stream(DeviceStream(id: "battery", header: header)))
        }
        actions.emit(.values(stream: "battery", [DeviceValue([percent])]))
        actions.emit(.status(.battery(percent / 100)))
    }
}
