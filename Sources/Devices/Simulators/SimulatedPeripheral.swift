import Signals

/// What all simulated Bluetooth devices share: connection, subscriptions, battery, identity, and the faults that end
/// connections.
struct SimulatedPeripheral: Sendable {
    let faults: DeviceFaults
    private let values: [BluetoothUUID: [UInt8]]
    private(set) var isConnected = false
    private var subscribed: Set<BluetoothUUID> = []
    private var nextBattery: Seconds = 0
    private var resets: [Seconds]
    private(set) var isDead = false

    private static let batteryPeriod: Seconds = 30

    /// What happened to the device by itself.
    enum Event: Sendable {
        case reset, died
    }

    /// A device whose characteristics hold these values.
    init(_ faults: DeviceFaults, model: String, manufacturer: String, values: [BluetoothUUID: [UInt8]] = [:]) {
        self.faults = faults
        resets = faults.resets.sorted()
        let identity: [(DeviceInformationPart.Field, String)] = [
            (.manufacturer, manufacturer), (.model, model), (.serialNumber, "SIM00001"), (.firmware, "1.0.0"),
            (.hardware, "1"), (.software, "1.0"),
        ]
        var all = values
        for (field, text) in identity { all[field.characteristic] = Array(text.utf8) }
        self.values = all
    }

    /// The services every device has.
    static let services = [
        GattService(BatteryPart.service, [GattCharacteristic(BatteryPart.level, [.read, .notify])]),
        GattService(
            DeviceInformationPart.service,
            [.manufacturer, .model, .serialNumber, .firmware, .hardware, .software].map {
                (field: DeviceInformationPart.Field) in GattCharacteristic(field.characteristic, [.read])
            }),
    ]

    mutating func connect(into actions: inout [SimulatorAction]) {
        isConnected = !isDead
        subscribed = []
        if isDead { actions.append(.close) }
    }

    mutating func disconnect() {
        isConnected = false
        subscribed = []
    }

    mutating func subscribe(_ characteristic: BluetoothUUID) {
        if isConnected { subscribed.insert(characteristic) }
    }

    func isSubscribed(_ characteristic: BluetoothUUID) -> Bool { isConnected && subscribed.contains(characteristic) }

    /// Sends a notification, when someone asked for it.
    func notify(_ bytes: [UInt8], from characteristic: BluetoothUUID, into actions: inout [SimulatorAction]) {
        if isSubscribed(characteristic) { actions.append(.send(bytes, from: .characteristic(characteristic))) }
    }

    /// Answers a read of one of the shared characteristics.
    func read(_ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]) {
        guard isConnected else { return }
        let value = characteristic == BatteryPart.level ? [percent(at: moment)] : values[characteristic]
        if let value { actions.append(.send(value, from: .characteristic(characteristic))) }
    }

    private func percent(at moment: Seconds) -> UInt8 { UInt8((faults.charge(at: moment) * 100).rounded()) }

    /// When something happens by itself.
    var due: Seconds? {
        guard !isDead else { return nil }
        return Swift.min(nextBattery, Swift.min(resets.first ?? .infinity, faults.end))
    }

    /// Does what is due at `moment`.
    mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) -> Event? {
        guard !isDead else { return nil }
        if faults.end <= moment {
            isDead = true
            if isConnected { actions.append(.close) }
            disconnect()
            return .died
        }
        if let reset = resets.first, reset <= moment {
            resets.removeFirst()
            if isConnected { actions.append(.close) }
            disconnect()
            return .reset
        }
        if nextBattery <= moment {
            notify([percent(at: moment)], from: BatteryPart.level, into: &actions)
            nextBattery += Self.batteryPeriod
        }
        return nil
    }
}
