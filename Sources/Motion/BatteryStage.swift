public import Signals

/// A battery's charge and where it goes.
public struct BatteryEstimate: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Charge, 0…100 %.
    public var charge: Double
    /// Slope of the line of least squares over the last half hour, % per hour; nil before ten minutes are known.
    public var slope: Double?
    /// Seconds until it is empty; nil where it does not fall.
    public var remaining: Seconds?

    /// The columns of `table`.
    public static let columns = [
        Column("onset", unit: .seconds, "When the charge was told, from the recording's start"),
        Column("charge", unit: .percent, "Charge of the battery"),
        Column(
            "slope", unit: Unit("%/h"), "Slope of the line of least squares over the last half hour",
            leastData: "three values over 10 min"),
        Column("remaining", unit: .seconds, "Time until the battery is empty; n/a where the charge does not fall"),
    ]

    /// One row per estimate.
    public static func table(_ estimates: [BatteryEstimate]) -> Table {
        Table(
            columns: columns,
            rows: estimates.map {
                [.onset($0.onset), .number($0.charge), .optional($0.slope), .optional($0.remaining)]
            })
    }
}

/// Values of a battery's charge in % in, an estimate each out. Values that are no charge are passed over.
public struct BatteryStage: Stage {
    private static let memory: Seconds = 1_800
    private static let least: Seconds = 600
    private var values: [(onset: Seconds, charge: Double)] = []

    /// A stage that knows nothing yet.
    public init() {}

    /// An estimate comes with its value.
    public var lookAhead: Seconds { 0 }

    /// A run begins: the battery may have been charged meanwhile.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [BatteryEstimate]) {
        values = []
    }

    /// The next values.
    public mutating func push(_ chunk: Span<TimedValue>, into outputs: inout [BatteryEstimate]) {
        for index in chunk.indices {
            guard let charge = chunk[index].values.first, (0...100).contains(charge), chunk[index].onset.isFinite else {
                continue
            }
            let onset = chunk[index].onset
            // One value a second says all.
            if let last = values.last, onset - last.onset < 1, onset >= last.onset { continue }
            values.append((onset, charge))
            values.removeFirst(values.count { onset - $0.onset > Self.memory })
            let slope = slope
            outputs.append(
                BatteryEstimate(
                    onset: onset, charge: charge, slope: slope.map { $0 * 3_600 },
                    remaining: slope.flatMap { $0 < -1e-6 ? -charge / $0 : nil }))
        }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [BatteryEstimate]) {
        values = []
    }

    /// % per second.
    private var slope: Double? {
        guard values.count >= 3, let first = values.first, let last = values.last,
            last.onset - first.onset >= Self.least
        else { return nil }
        let n = Double(values.count)
        let (x, y) = (values.reduce(0) { $0 + $1.onset } / n, values.reduce(0) { $0 + $1.charge } / n)
        let spread = values.reduce(0) { $0 + ($1.onset - x) * ($1.onset - x) }
        return spread > 0 ? values.reduce(0) { $0 + ($1.onset - x) * ($1.charge - y) } / spread : nil
    }
}
