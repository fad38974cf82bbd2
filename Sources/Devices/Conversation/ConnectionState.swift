/// States of a sensor's connection, with their wire codes (Arctop SDK, `ConnectionState`).
public enum ConnectionState: Int, Hashable, Sendable, Codable, CaseIterable {
    case unknown = 0
    case connecting = 1
    case connected = 2
    case connectionFailed = 3
    case disconnected = 4
    case disconnectedUponRequest = 5
}

/// The link of a server to its device, with the codes of Empatica's SDK.
///
/// connect: 0→1→2, or 1→0 on failure; disconnect: 2→3→0, without effect when not connected.
public enum ServedDeviceStatus: Int, Hashable, Sendable, Codable, CaseIterable {
    case disconnected = 0
    case connecting = 1
    case connected = 2
    case disconnecting = 3
}

/// Whether a server's radio can look for devices, with the codes of Empatica's SDK.
///
/// notAvailable ↔ ready with the radio; ready → scanning when a search begins; scanning → ready when it ends, with
/// the list of devices.
public enum RadioStatus: Int, Hashable, Sendable, Codable, CaseIterable {
    case notAvailable = 0
    case ready = 1
    case scanning = 2
}

/// A device that a server offers.
public struct FoundDevice: Hashable, Sendable, Codable {
    /// What the server calls it.
    public var id: String
    /// Its model, as the server writes it.
    public var model: String
    /// Whether it may be used; servers list devices of other accounts as well.
    public var isAllowed: Bool

    /// A device as a server lists it.
    public init(id: String, model: String, isAllowed: Bool = true) {
        self.id = id
        self.model = model
        self.isAllowed = isAllowed
    }
}
