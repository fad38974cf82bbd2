/// Bluetooth inside this process: simulated devices, without adapter or daemon.
public struct SimulatedCentral: GattCentral {
    private let devices: [(advertisement: Advertisement, runner: SimulatorRunner)]
    private let clock: any HostClock

    /// A central that hears these devices.
    public init(_ devices: [(advertisement: Advertisement, runner: SimulatorRunner)], clock: any HostClock) {
        self.devices = devices
        self.clock = clock
    }

    /// Hands out every device once and ends.
    public func scan(for services: [BluetoothUUID]) -> AsyncThrowingStream<Advertisement, any Error> {
        AsyncThrowingStream { output in
            for device in devices {
                let advertised = Set(device.advertisement.services)
                if services.isEmpty || !advertised.isDisjoint(with: services) { output.yield(device.advertisement) }
            }
            output.finish()
        }
    }

    /// Connects to the device with this address.
    /// - Throws: `LinkError.unreachable` when there is none.
    public func connect(to address: String) async throws -> any Link {
        guard let device = devices.first(where: { $0.advertisement.address == address }),
            let profile = await device.runner.profile()
        else { throw LinkError.unreachable("No simulated device \(address).") }
        let link = SimulatedLink(device.runner, profile, clock)
        await link.open()
        return link
    }
}

/// A connection to a simulated device in this process.
final class SimulatedLink: Link {
    private let runner: SimulatorRunner
    private let present: Set<BluetoothUUID>
    private let clock: any HostClock
    private let events = LinkQueue()

    init(_ runner: SimulatorRunner, _ profile: GattProfile, _ clock: any HostClock) {
        (self.runner, self.clock) = (runner, clock)
        present = Set(profile.services.flatMap(\.characteristics).map(\.uuid))
    }

    func open() async {
        deliver(await runner.connect { [weak self] in self?.deliver($0) })
    }

    func next() async -> LinkEvent? { await events.next() }

    var hasWaiting: Bool { events.hasWaiting }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        if case .characteristic(let uuid) = endpoint, !present.contains(uuid) { throw LinkError.missing(uuid) }
        try deliverOrThrow(await runner.receive(bytes, at: endpoint))
    }

    func subscribe(_ characteristic: BluetoothUUID) async throws {
        guard present.contains(characteristic) else { throw LinkError.missing(characteristic) }
        try deliverOrThrow(await runner.subscribe(characteristic))
    }

    func read(_ characteristic: BluetoothUUID) async throws {
        guard present.contains(characteristic) else { throw LinkError.missing(characteristic) }
        try deliverOrThrow(await runner.read(characteristic))
    }

    func close() async {
        await runner.disconnect()
        events.put(.closed(nil, at: clock.now))
    }

    private func deliverOrThrow(_ actions: [SimulatorAction]) throws {
        deliver(actions)
        for case .refuse(_, let code) in actions {
            throw LinkError.refused("The device refused with ATT error 0x\(String(code, radix: 16)).")
        }
    }

    private func deliver(_ actions: [SimulatorAction]) {
        for action in actions {
            switch action {
            case .send(let bytes, let endpoint): events.put(.received(bytes, from: endpoint, at: clock.now))
            case .close:
                events.put(.closed(.lost("The simulated device broke the connection."), at: clock.now))
                Task { await runner.disconnect() }
            case .refuse, .measured: break
            }
        }
    }
}
