import DBus
import Synchronization

/// The discovery of one bus connection, shared by all who scan through it: BlueZ allows each client one, and its first stop
/// ends it for all.
actor BlueZDiscovery {
    private let bus: DBusConnection
    /// The number of scans on each adapter.
    private var holders: [String: Int] = [:]
    /// The last change; changes are made one after the other.
    private var last: Task<Void, Never>?

    init(_ bus: DBusConnection) {
        self.bus = bus
    }

    /// Adds a scan on an adapter. Starts the discovery unless it runs; the daemon may have ended it meanwhile.
    /// - Throws: `DBusError`.
    func join(_ adapter: String) async throws {
        try await inTurn { discovery in
            let isFirst = await discovery.holders[adapter, default: 0] == 0
            if !isFirst, try await discovery.isDiscovering(adapter) { return await discovery.count(1, adapter) }
            try await discovery.start(adapter)
            await discovery.count(1, adapter)
        }
    }

    /// Removes a scan; the last one stops the discovery.
    func leave(_ adapter: String) async {
        try? await inTurn { discovery in
            await discovery.count(-1, adapter)
            guard await discovery.holders[adapter] == nil else { return }
            try await discovery.call(adapter, "StopDiscovery")
        }
    }

    private func count(_ change: Int, _ adapter: String) {
        let count = holders[adapter, default: 0] + change
        holders[adapter] = count > 0 ? count : nil
    }

    private func isDiscovering(_ adapter: String) async throws -> Bool {
        let answer = try await bus.call(
            BlueZObjects.service, adapter, BlueZObjects.properties, "Get",
            [.string(BlueZObjects.adapter), .string("Discovering")])
        return answer.first?.flag == true
    }

    private func start(_ adapter: String) async throws {
        // Each scan filters by itself: a filter of services would apply to all scans.
        try await call(adapter, "SetDiscoveryFilter", [.properties(["Transport": .string("le")])])
        do {
            try await call(adapter, "StartDiscovery")
        } catch let error as DBusError where error.name == "org.bluez.Error.InProgress" {
            // A discovery runs already, and its devices are reported to this client as well.
        }
    }

    private func call(_ adapter: String, _ member: String, _ arguments: [DBusValue] = []) async throws {
        _ = try await bus.call(BlueZObjects.service, adapter, BlueZObjects.adapter, member, arguments)
    }

    /// Makes a change after the earlier ones. Cancellation of the caller does not interrupt it.
    private func inTurn(_ body: @escaping @Sendable (BlueZDiscovery) async throws -> Void) async throws {
        let former = last
        let change = Task {
            await former?.value
            try await body(self)
        }
        last = Task { _ = try? await change.value }
        try await change.value
    }
}
