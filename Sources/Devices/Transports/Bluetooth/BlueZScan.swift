import DBus
import Synchronization

/// One scan; all scans of a central share one discovery.
struct BlueZScan {
    let central: BlueZCentral
    let services: [BluetoothUUID]

    /// Scans until the task is cancelled, handing out what is heard.
    func run(_ found: @escaping @Sendable (Advertisement) -> Void) async throws {
        let bus = central.bus
        let adapter = try await central.adapterPath()
        let (changes, heard) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let ending = bus.whenEnded { heard.finish() }
        defer { ending.cancel() }
        let hasEnded = Mutex(false)
        let owners = try await bus.listen(BlueZObjects.ownerChanges) { _ in
            // The discovery ended with its daemon.
            hasEnded.withLock { $0 = true }
            heard.finish()
        }
        defer { owners.cancel() }
        let rules = [
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.objectManager)'",
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.properties)',"
                + "arg0='\(BlueZObjects.device)'",
        ]
        var subscriptions: [DBusSubscription] = []
        for rule in rules { subscriptions.append(try await bus.listen(rule) { _ in heard.yield() }) }
        defer { for subscription in subscriptions { subscription.cancel() } }
        try await central.discovery.join(adapter)
        do {
            try await hand(out: found, below: adapter, whenever: changes)
        } catch {
            await central.discovery.leave(adapter)
            throw error
        }
        await central.discovery.leave(adapter)
        if hasEnded.withLock({ $0 }) {
            throw DBusError(name: "org.freedesktop.DBus.Error.NameHasNoOwner", message: "bluetoothd ended")
        }
    }

    private func hand(
        out found: @Sendable (Advertisement) -> Void, below adapter: String, whenever changes: AsyncStream<Void>
    ) async throws {
        var known: [String: Advertisement] = [:]
        func look() async throws {
            for (path, interfaces) in try await central.objects().objects where path.hasPrefix(adapter + "/") {
                guard let device = interfaces[BlueZObjects.device], let advertisement = Advertisement(device),
                    services.isEmpty || !Set(services).isDisjoint(with: advertisement.services),
                    known[path] != advertisement
                else { continue }
                known[path] = advertisement
                found(advertisement)
            }
        }
        try await look()
        for await _ in changes { try await look() }
    }
}
