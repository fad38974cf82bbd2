import Foundation
public import Signals

/// What a potentiostat says of one point of a measurement.
public struct ElectrochemicalPoint: Hashable, Codable, Sendable {
    /// Seconds from the recording's start; where it has no times, the number of the instrument's package.
    public var onset: Seconds
    /// Whether `onset` is seconds.
    public var isTimed: Bool
    /// Potential in V, the measured one before the applied one; nil where none was told.
    public var potential: Double?
    /// Current in A.
    public var current: Double?
    /// Frequency of the excitation in Hz.
    public var frequency: Double?
    /// Real part of the impedance in Ω.
    public var real: Double?
    /// Imaginary part of the impedance in Ω.
    public var imaginary: Double?
    /// Full scale in A of the range of current that it was measured in.
    public var range: Double?
    /// The instrument's own number for that range, where nothing says what it is.
    public var rangeNumber: Double?
    /// Whether the range is one of the instrument's high-speed mode; nil where the instrument does not say.
    public var isHighSpeed: Bool?
    /// The noise of the current or the impedance as the instrument tells it, in a unit that is not documented.
    public var noise: Double?
    /// The channel of the instrument at which it was measured, 0…255, as the package tells; nil where it tells none.
    public var channel: Int?
    /// What the instrument says of the measurement.
    public var status: Status

    /// What an instrument says of a measured value (MethodSCRIPT manual, "Metadata: status").
    public struct Status: OptionSet, Hashable, Codable, Sendable {
        /// One bit per remark.
        public let rawValue: UInt8
        /// The remarks of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The point took longer than it should have.
        public static let timingNotMet = Status(rawValue: 1)
        /// The value is beyond the range.
        public static let overload = Status(rawValue: 2)
        /// The value is too small for the range.
        public static let underload = Status(rawValue: 4)
        /// The value is near the end of the range.
        public static let overloadWarning = Status(rawValue: 8)
    }

    /// A point with what is known of it.
    public init(
        onset: Seconds, potential: Double? = nil, current: Double? = nil, frequency: Double? = nil,
        real: Double? = nil, imaginary: Double? = nil, range: Double? = nil, rangeNumber: Double? = nil,
        noise: Double? = nil, status: Status = [], isTimed: Bool = true, channel: Int? = nil,
        isHighSpeed: Bool? = nil
    ) {
        self.isHighSpeed = isHighSpeed
        (self.rangeNumber, self.noise, self.channel) = (rangeNumber, noise, channel)
        self.isTimed = isTimed
        (self.onset, self.potential, self.current, self.frequency) = (onset, potential, current, frequency)
        (self.real, self.imaginary, self.range, self.status) = (real, imaginary, range, status)
    }

    /// Whether its value may be used: it is not beyond the range.
    public var isUsable: Bool { !status.contains(.overload) }
}

extension ElectrochemicalPoint {
    /// Whether a stream tells a quantity that another told before it in each package, as `current_2` after `current`: a
    /// second working electrode, or the forward and the reverse current after that of a square wave.
    public static func isRepeated(_ header: StreamHeader) -> Bool {
        guard let label = header.channels.first?.label, let mark = header.name.lastIndex(of: "_"),
            header.name[..<mark].hasSuffix(label)
        else { return false }
        return Int(header.name[header.name.index(after: mark)...]).map { $0 > 1 } ?? false
    }

    /// Which value of a stream: more than one may bear the same time.
    private struct Moment: Hashable {
        var onset: Seconds
        var turn: Int
    }

    /// The points that streams of potential, current and impedance of one instrument hold together: values of one moment
    /// are one point, and the further values of a stream at one moment further points. Of a quantity that came more than
    /// once in a package the first counts.
    ///
    /// Impedance told by size and phase is turned into its parts. Values that are not finite are missing.
    /// - Parameter hasTimes: whether the onsets of the values are seconds, and no numbers of packages.
    public static func points(of streams: [Signals.Stream], hasTimes: Bool = true) -> [ElectrochemicalPoint] {
        var points: [Moment: ElectrochemicalPoint] = [:]
        var polar: [Moment: (size: Double?, phase: Double?)] = [:]
        var channels: [Moment: Int] = [:]
        for stream in streams where !isRepeated(stream.header) {
            guard let label = stream.header.channels.first?.label, let unit = stream.header.channels.first?.unit else {
                continue
            }
            var moment = Moment(onset: .nan, turn: 0)
            let status = stream.header.channels.firstIndex { $0.label == "status" }
            let range = stream.header.channels.firstIndex { $0.label == "range" }
            let noise = stream.header.channels.firstIndex { $0.label == "noise" }
            let highSpeed = stream.header.channels.firstIndex { $0.label == "highSpeed" }
            let isNumber = range.map { stream.header.channels[$0].unit == .dimensionless } ?? false
            let tellsChannel = Self.tellsChannel(stream.header)
            // The range of the imaginary part may be one of potential.
            let hasRange = ["current", "currentDC", "impedance", "impedanceReal"].contains(label)
            for value in stream.values {
                // Missing values have their turn.
                moment = Moment(onset: value.onset, turn: value.onset == moment.onset ? moment.turn + 1 : 0)
                guard let first = value.values.first, first.isFinite, value.onset.isFinite else { continue }
                if tellsChannel {
                    channels[moment] = Int(exactly: first).flatMap { (0..<256).contains($0) ? $0 : nil }
                    continue
                }
                var point = points[moment] ?? ElectrochemicalPoint(onset: value.onset, isTimed: hasTimes)
                switch label {
                case "potential", "potentialDC": point.potential = first * (unit.factor(to: .volts) ?? 1)
                case "appliedPotential": point.potential = point.potential ?? first * (unit.factor(to: .volts) ?? 1)
                case "current", "currentDC": point.current = first
                case "frequency", "appliedFrequency": point.frequency = first
                case "impedanceReal": point.real = first
                case "impedanceImaginary": point.imaginary = first
                case "impedance": polar[moment, default: (nil, nil)].size = first
                case "phase": polar[moment, default: (nil, nil)].phase = first
                default: continue
                }
                if let status, value.values.indices.contains(status), (0..<256).contains(value.values[status]) {
                    point.status.formUnion(Status(rawValue: UInt8(value.values[status])))
                }
                func finite(_ place: Int?) -> Double? {
                    place.flatMap { value.values.indices.contains($0) ? value.values[$0] : nil }
                        .flatMap { $0.isFinite ? $0 : nil }
                }
                if hasRange {
                    point.range = isNumber ? point.range : finite(range) ?? point.range
                    point.rangeNumber = isNumber ? finite(range) ?? point.rangeNumber : point.rangeNumber
                    point.noise = finite(noise) ?? point.noise
                    point.isHighSpeed = finite(highSpeed).map { $0 != 0 } ?? point.isHighSpeed
                }
                points[moment] = point
            }
        }
        // A channel alone is no point.
        for (moment, channel) in channels { points[moment]?.channel = channel }
        for (moment, (size, phase)) in polar {
            guard let size, let phase, points[moment]?.real == nil else { continue }
            points[moment]?.real = size * cos(phase * .pi / 180)
            points[moment]?.imaginary = size * sin(phase * .pi / 180)
        }
        return points.sorted { ($0.key.onset, $0.key.turn) < ($1.key.onset, $1.key.turn) }.map(\.value)
    }
}

extension ElectrochemicalPoint {
    /// The columns of `table(_:)`.
    public static let columns =
        [
            Column("onset", unit: .seconds, "When the point was measured, from the recording's start"),
            Column("potential", unit: .volts, "Potential, the measured one before the applied one"),
            Column("current", unit: Unit("A"), "Current"),
            Column("frequency", unit: .hertz, "Frequency of the excitation"),
            Column("real", unit: Unit("Ω"), "Real part of the impedance"),
            Column("imaginary", unit: Unit("Ω"), "Imaginary part of the impedance"),
        ] + metadataColumns

    /// The columns of `metadata`.
    static let metadataColumns = [
        Column("range", unit: Unit("A"), "Full scale of the range of current that it was measured in"),
        Column(
            "rangeNumber", unit: .dimensionless,
            "The instrument's own number for the range, where the recording does not say which instrument it was"),
        Column(
            "status", unit: .dimensionless,
            "Bits: 1 timing not met, 2 overload, 4 underload, 8 overload warning; 0 is well",
            reference: "MethodSCRIPT manual, metadata: status"),
        Column("noise", "Noise as the instrument tells it, in a unit that is not documented"),
        Column(
            "highSpeed", unit: .dimensionless,
            "1: the range is one of the instrument's high-speed mode; 0: one of its low-speed mode; missing where it does not "
                + "say",
            reference: "MethodSCRIPT manual, current ranges"),
    ]

    /// What goes with the measured values.
    var metadata: [Cell] {
        [
            .optional(range), .optional(rangeNumber), .integer(Int(status.rawValue)), .optional(noise),
            isHighSpeed.map { .integer($0 ? 1 : 0) } ?? .missing,
        ]
    }

    /// The points of each measurement, which `beginnings` separate: moments on the points' own axis. Measurements of
    /// one or two points that follow one another, as in a loop of the script, are one.
    public static func measurements(
        _ points: [ElectrochemicalPoint], beginningAt beginnings: [Seconds]
    ) -> [[ElectrochemicalPoint]] {
        let fewest = 3
        var measurements: [[ElectrochemicalPoint]] = []
        var isShort = false
        func close(_ stretch: ArraySlice<ElectrochemicalPoint>) {
            guard !stretch.isEmpty else { return }
            if isShort, stretch.count < fewest, !measurements.isEmpty {
                measurements[measurements.count - 1] += stretch
            } else {
                measurements.append(Array(stretch))
            }
            isShort = stretch.count < fewest
        }
        var rest = points[...]
        for beginning in beginnings.sorted() {
            let end = rest.firstIndex { $0.onset >= beginning } ?? rest.endIndex
            close(rest[..<end])
            rest = rest[end...]
        }
        close(rest)
        return measurements
    }

    /// One row per point, as measured: overloaded ones too.
    public static func table(_ points: [ElectrochemicalPoint]) -> Table {
        table(
            columns,
            points.map { point in
                (
                    point.onset, point.isTimed,
                    [
                        .optional(point.potential), .optional(point.current), .optional(point.frequency),
                        .optional(point.real), .optional(point.imaginary),
                    ] + point.metadata
                )
            })
    }

    /// A table whose first column is the onset. Where onsets are numbers of packages, that is missing, and a last column
    /// has them.
    static func table(_ columns: [Column], _ rows: [(onset: Seconds, isTimed: Bool, cells: [Cell])]) -> Table {
        let hasTimes = rows.allSatisfy(\.isTimed)
        let package = Column(
            "package", unit: .dimensionless, "Number of the instrument's package, as no times were sent")
        return Table(
            columns: hasTimes ? columns : columns + [package],
            rows: rows.map { row in
                [row.isTimed ? .onset(row.onset) : .missing] + row.cells
                    + (hasTimes ? [] : [row.isTimed ? .missing : .number(row.onset)])
            })
    }
}
