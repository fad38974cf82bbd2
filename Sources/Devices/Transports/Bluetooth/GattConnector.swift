import Synchronization

/// A connector to one device through a central. A device that is chosen by name, or as the first, is searched for once:
/// later connections go to the same device.
public struct GattConnector: Connector {
    /// The central it goes through.
    public let central: any GattCentral
    /// The choice of the device.
    public let target: GattTarget
    /// The kind of device, for messages.
    private let kind: String
    private let chosen: ChosenDevice
    /// Timeout of the search, in seconds.
    private let timeout: Double
    /// Seconds in which only devices that are heard are chosen, not devices that the system remembers.
    private static let preference = 3.0

    /// A connector to the device at `address`.
    public init(central: any GattCentral, address: String) {
        self.init(central: central, target: .address(address), kind: "")
    }

    /// A connector to a device.
    /// - Parameters:
    ///   - kind: the kind of device, for messages.
    ///   - timeout: timeout of the search, in seconds.
    public init(central: any GattCentral, target: GattTarget, kind: String, timeout: Double = 30) {
        (self.central, self.target, self.kind, self.timeout) = (central, target, kind, timeout)
        if case .address(let address) = target {
            chosen = ChosenDevice(address)
        } else {
            chosen = ChosenDevice(nil)
        }
        central.reserve(target)
    }

    /// The device's address; nil until the device was found.
    public var address: String? { chosen.address.withLock { $0 } }

    /// The device's address, or its name or kind until it was found.
    public var place: String {
        if let address { return address }
        return switch target {
        case .address(let address): address
        case .name(let name): "“\(name)”"
        case .first: "the first \(kind)"
        }
    }

    /// Connects.
    /// - Throws: `LinkError`, `CancellationError`.
    public func connect() async throws -> any Link {
        if let address { return try await central.connect(to: address) }
        var refused: Set<String> = []
        while true {
            let address = try await find(except: refused)
            do {
                let link = try await central.connect(to: address)
                chosen.address.withLock { $0 = address }
                return link
            } catch LinkError.refused(let text) {
                // Another session has it: `first` takes the next one.
                guard case .first = target, refused.insert(address).inserted else { throw LinkError.refused(text) }
            }
        }
    }

    /// Returns when the central's service has restarted.
    public func untilServiceReturns() async { await central.untilServiceReturns() }

    /// Searches for the device and returns its address.
    /// - Throws: `LinkError.unreachable` after the timeout.
    private func find(except refused: Set<String>) async throws -> String {
        // A device that the system only remembers may be far away.
        let heard = try await search(refused, within: Self.preference) { $0.rssi != nil || $0.isConnected }
        if let heard { return heard }
        let isNamed = if case .name = target { true } else { false }
        if let found = try await search(
            refused, within: timeout - Self.preference,
            { advertisement in
                isNamed || advertisement.rssi != nil || advertisement.isConnected
            })
        {
            return found
        }
        let other = refused.isEmpty ? "" : " other than those in use"
        throw LinkError.unreachable(
            isNamed
                ? "No Bluetooth device \(place) was heard: is it switched on, worn and near? `marey devices scan --all` lists "
                    + "what is, with the names."
                : "No \(kind)\(other) was heard: is it switched on, worn and near? `marey devices scan` lists what is.")
    }

    private func search(
        _ refused: Set<String>, within seconds: Double, _ isCandidate: @escaping @Sendable (Advertisement) -> Bool
    ) async throws -> String? {
        let isAny = if case .first = target { true } else { false }
        let found = try await withDeadline(seconds) { [central, target] () -> String? in
            for try await advertisement in central.scan(for: [])
            where target.matches(advertisement) && isCandidate(advertisement) {
                if refused.contains(advertisement.address) || isAny && !central.isFree(advertisement) { continue }
                return advertisement.address
            }
            return nil
        }
        return found ?? nil
    }
}

/// The address that a connector has chosen.
private final class ChosenDevice: Sendable {
    let address: Mutex<String?>

    init(_ address: String?) { self.address = Mutex(address) }
}
