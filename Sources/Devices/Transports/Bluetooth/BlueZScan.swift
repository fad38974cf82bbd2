import DBus

/// One scan: from discovery's start to its stop.
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
        let rules = [
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.objectManager)'",
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.properties)',"
                + "arg0='\(BlueZObjects.device)'",
        ]
        var subscriptions: [DBusSubscription] = []
        for rule in rules { subscriptions.append(try await bus.listen(rule) { _ in heard.yield() }) }
        defer { for subscription in subscriptions { subscription.cancel() } }
        try await start(on: adapter)
        do {
            try await hand(out: found, below: adapter, whenever: changes)
        } catch {
            await stop(on: adapter)
            throw error
        }
        await stop(on: adapter)
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

    private func start(on adapter: String) async throws {
        let filter = DBusValue.properties([
            "Transport": .string("le"),
            "UUIDs": .array(services.map { .string($0.description) }, of: "s"),
        ])
        try await call(adapter, "SetDiscoveryFilter", [filter])
        do {
            try await call(adapter, "StartDiscovery")
        } catch let error as DBusError where error.name == "org.bluez.Error.InProgress" {
            // Someone else scans already: what is heard comes to us as well.
        }
    }

    /// Also after cancellation, so in a task of its own.
    private func stop(on adapter: String) async {
        await Task { _ = try? await call(adapter, "StopDiscovery") }.value
    }

    private func call(_ adapter: String, _ member: String, _ arguments: [DBusValue] = []) async throws {
        _ = try await central.bus.call(BlueZObjects.service, adapter, BlueZObjects.adapter, member, arguments)
    }
}
