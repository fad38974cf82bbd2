public import Signals

/// What goes wrong on the way between a device and the host, whatever the device.
public struct LinkFaults: Hashable, Sendable, Codable {
    /// Where all randomness comes from.
    public var seed: UInt64 = 1
    /// Chance that a message is lost.
    public var loss: Double = 0
    /// Chance that a message comes twice.
    public var duplication: Double = 0
    /// Chance that a message is overtaken by those of the next `reorderingDelay`.
    public var reordering: Double = 0
    /// Chance that a message is preceded by random bytes in a message of their own.
    public var garbage: Double = 0
    /// Seconds a message is on its way at least and at most; the order is kept. Messages sent at the same moment arrive
    /// together, as those of one connection event do.
    public var delay: ClosedRange<Seconds> = 0...0
    /// Seconds by which a reordered message is late, at most.
    public var reorderingDelay: Seconds = 0.1
    /// Stretches in which nothing gets through; what was sent meanwhile arrives together at the end.
    public var stalls: [Range<Seconds>] = []
    /// Moments at which the connection breaks.
    public var disconnects: [Seconds] = []
    /// How often the connection breaks at random, per hour.
    public var disconnectsPerHour: Double = 0
    /// Characteristics whose messages are never lost, doubled, reordered or preceded by garbage, as those are that the
    /// host acknowledges (indications, answers).
    public var spared: Set<BluetoothUUID> = []

    /// Characteristics whose messages bear neither number nor check, such as heart rates: they may be lost, but are never
    /// doubled, reordered or preceded by garbage, which nobody could tell from the truth.
    public var unnumbered: Set<BluetoothUUID> = []

    /// A way without faults.
    public init() {}

    /// Whether anything goes wrong.
    var isFaulty: Bool {
        var chances = self
        let faultless = LinkFaults()
        // By themselves these are no faults.
        (chances.seed, chances.reorderingDelay) = (faultless.seed, faultless.reorderingDelay)
        (chances.spared, chances.unnumbered) = (faultless.spared, faultless.unnumbered)
        return chances != faultless
    }
}

extension BluetoothUUID: Codable {
    /// Reads the text form.
    /// - Throws: `DecodingError` when it is not an identifier.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let uuid = BluetoothUUID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a Bluetooth identifier")
        }
        self = uuid
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
