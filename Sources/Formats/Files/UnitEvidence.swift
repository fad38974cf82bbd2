import Signals

/// The unit of a signal as evidence of its kind: a unit of another quantity outranks a word of the label.
enum UnitEvidence {
    /// The quantity that a unit measures.
    private enum Quantity {
        case voltage, conductance, resistance, temperature, acceleration, turn, rate, time
    }

    /// True if a signal of this kind cannot be in this unit, as a skin conductance cannot be in m/s². Unknown and
    /// dimensionless units, ratios and counts contradict nothing.
    static func contradicts(_ kind: StreamKind, _ unit: Unit) -> Bool {
        // `us` of a skin conductance is microsiemens (`SignalKind.meant`).
        if kind == .eda, unit == Unit("µs") { return false }
        guard let quantity = quantity(unit), let allowed = quantities[kind] else { return false }
        return !allowed.contains(quantity)
    }

    /// The quantities in which recorders give each kind. A voltage may be the output of any sensor.
    private static let quantities: [StreamKind: Set<Quantity>] = [
        .ecg: [.voltage], .eeg: [.voltage], .bvp: [.voltage],
        .eda: [.voltage, .conductance, .resistance],
        .temperature: [.voltage, .temperature, .resistance],
        .acceleration: [.voltage, .acceleration], .gyroscope: [.voltage, .turn],
        .respiration: [.voltage, .temperature, .resistance, .acceleration],
        .heartRate: [.rate, .voltage], .battery: [.voltage], .impedance: [.resistance],
    ]

    private static func quantity(_ unit: Unit) -> Quantity? {
        if unit == .dimensionless || unit == .percent { return nil }
        if unit.factor(to: .volts) != nil { return .voltage }
        if unit.factor(to: .microsiemens) != nil { return .conductance }
        if unit.factor(to: .g) != nil { return .acceleration }
        if unit.factor(to: .beatsPerMinute) != nil { return .rate }
        if unit.factor(to: .seconds) != nil { return .time }
        if SignalKind.isResistance(unit) { return .resistance }
        return others[unit.rawValue.lowercased().filter { $0 != " " }]
    }

    private static let others: [String: Quantity] = [
        "°c": .temperature, "°f": .temperature, "k": .temperature,
        "deg/s": .turn, "dps": .turn, "°/s": .turn, "rad/s": .turn, "mdps": .turn, "degrees/s": .turn,
        "rpm": .rate, "brpm": .rate, "1/min": .rate, "/min": .rate, "min^-1": .rate, "breaths/min": .rate,
        "beats/min": .rate, "breathsperminute": .rate, "cpm": .rate,
    ]
}
