import Devices
import Signals

/// Listens for Bluetooth devices, once at a time.
actor DeviceScanner {
    /// A device that was heard.
    struct Found: Sendable {
        /// `MODEL@PLACE`.
        var address: String
        var name: String
        var rssi: Double?
    }

    private static let most = 200
    private let adapter: String?
    private var isScanning = false

    init(adapter: String?) {
        self.adapter = adapter
    }

    /// Devices of known kinds, in the order in which they were heard.
    /// - Throws: `Problem` when a scan is under way or there is no Bluetooth.
    func scan(for duration: Seconds) async throws -> [Found] {
        guard !isScanning else { throw Problem.conflict("scanning", "a scan is under way") }
        isScanning = true
        defer { isScanning = false }
        let adapter = adapter
        let scan = Task { () throws -> [Found] in
            var found: [Found] = []
            var seen: Set<String> = []
            do {
                for try await heard in try BlueZCentral(adapter: adapter).scan(for: []) {
                    guard found.count < Self.most, let device = Self.found(heard), seen.insert(device.address).inserted
                    else { continue }
                    found.append(device)
                }
            } catch is CancellationError {}
            return found
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(duration))
            scan.cancel()
        }
        defer { limit.cancel() }
        do { return try await scan.value } catch {
            throw Problem.unavailable("noBluetooth", "Bluetooth cannot be used: \(error)")
        }
    }

    private static func found(_ heard: Advertisement) -> Found? {
        guard let model = DeviceModel.recognised(name: heard.name, services: Set(heard.services)) else { return nil }
        return Found(address: "\(model.id)@\(heard.address)", name: heard.name, rssi: heard.rssi.map { Double($0) })
    }
}
