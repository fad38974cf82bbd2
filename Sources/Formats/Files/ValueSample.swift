import Signals

/// At most 16 384 values, evenly spread over all that were taken.
struct ValueSample {
    private(set) var values: [Float] = []
    private var stride = 1
    private var skip = 0
    private static let capacity = 1 << 14

    @inline(__always)
    mutating func take(_ value: Float) {
        if skip > 0 {
            skip -= 1
            return
        }
        add(value)
    }

    private mutating func add(_ value: Float) {
        if values.count == Self.capacity {
            values = Swift.stride(from: 0, to: values.count, by: 2).map { values[$0] }
            stride *= 2
        }
        values.append(value)
        skip = stride - 1
    }

    /// The spread of the values, as the standard deviation of the normal distribution with the same quartiles, which a
    /// few large values do not move; 0 where more than half are the same.
    var usualSpread: Double {
        let sorted = values.sorted()
        guard sorted.count >= 4 else { return 0 }
        return Double(sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / 1.349
    }

    /// What a user should know where values become multiples of a step that is wide beside their usual spread, as when
    /// one artefact sets the scale; nil where it is fine enough.
    /// - Parameters:
    ///   - step: in the unit of the file.
    ///   - factor: from the values' unit to the file's.
    ///   - finer: the endings of formats that would keep them.
    func noteOfStep(_ step: Double, of label: String, in unit: Signals.Unit, factor: Double = 1, finer: String)
        -> String?
    {
        let spread = usualSpread * factor
        guard spread > 0, step > spread / 16 else { return nil }
        let symbol = unit == .unknown ? "" : " \(unit)"
        return
            "\(label): is kept in steps of \(Float(step))\(symbol), coarse beside its usual spread of \(Float(spread))\(symbol), "
            + "as a few far larger values set the scale; \(finer) keeps more"
    }
}
