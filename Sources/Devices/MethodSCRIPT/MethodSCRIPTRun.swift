public import Formats
public import Signals

/// What one run of a script gives: its log and its packages as a table. Of bounded length: the newest are kept.
public struct MethodSCRIPTRun: Sendable {
    /// What happened, in order: loops, texts, errors.
    public private(set) var log: [String] = []
    /// Packages that were received.
    public private(set) var packageCount = 0

    private let limit: Int
    private let family: MethodSCRIPTFamily?
    private let start: Seconds
    private var measurement = 0
    private var technique: MethodSCRIPTTechnique?
    private var scan: Int?
    private var layouts: [[String]] = []
    private var rows: [Row] = []
    private var values: [Double] = []

    /// Numbers of a variable: its value, status, range, noise, and whether the range is one of the high-speed mode.
    private static let width = 5

    private struct Row {
        var arrival: Seconds
        var measurement: Int
        var scan: Int?
        var layout: Int
        var first: Int
    }

    /// A run that begins at `start` on an instrument of `family`; its table holds the newest `limit` packages or more,
    /// but never twice as many.
    public init(family: MethodSCRIPTFamily? = nil, start: Seconds = 0, limit: Int = 100_000) {
        self.family = family
        self.start = start
        self.limit = Swift.max(1, limit)
    }

    /// Adds a line of output that arrived at `moment`.
    public mutating func add(_ output: MethodSCRIPTOutput, at moment: Seconds) {
        switch output {
        case .package(let package): add(package, at: moment)
        case .measurement(let technique):
            measurement += 1
            self.technique = technique
        case .scan(let number): scan = number
        case .scanEnd: scan = nil
        case .accepted, .measurementEnd, .loop, .loopEnd, .text, .failure, .obeyed, .end: break
        }
        if let line = Self.words(output) { log.append(line) }
        if log.count >= 2 * limit { log.removeFirst(log.count - limit) }
    }

    /// A line for people; nil for packages.
    public static func words(_ output: MethodSCRIPTOutput) -> String? {
        switch output {
        case .package: nil
        case .accepted: "script accepted"
        case .measurement(let technique): "measurement begins: \(technique)"
        case .measurementEnd: "measurement ends"
        case .loop: "loop begins"
        case .loopEnd: "loop ends"
        case .scan(let number): "scan \(number) begins"
        case .scanEnd: "scan ends"
        case .text(let text): text
        case .failure(let failure): failure.description
        case .obeyed(let command): "the instrument obeys \(command)"
        case .end: "script ended"
        }
    }

    private mutating func add(_ package: MethodSCRIPTPackage, at moment: Seconds) {
        packageCount += 1
        if rows.count >= 2 * limit { forget(rows.count - limit) }
        let types = package.variables.map(\.type)
        let layout = layouts.firstIndex(of: types) ?? layouts.count
        if layout == layouts.count {
            // A script has as many kinds of packages as it has pck_start; garbage must not make more of them.
            guard layouts.count < 256 else { return }
            layouts.append(types)
        }
        rows.append(
            Row(arrival: moment, measurement: measurement, scan: scan, layout: layout, first: values.count))
        for variable in package.variables {
            let numbers = variable.numbers(of: family)
            values += numbers + Array(repeating: .nan, count: Self.width - numbers.count)
        }
    }

    /// Drops the oldest rows.
    private mutating func forget(_ count: Int) {
        let kept = rows[count].first
        rows.removeFirst(count)
        values.removeFirst(kept)
        for index in rows.indices { rows[index].first -= kept }
    }

    /// One row per package: arrival in seconds from the start, number of the measurement, scan, and for each variable
    /// its value, and status, range and noise where the instrument sends them.
    public var table: Table {
        let places = places
        var table = Table(columns: Self.leading + places.flatMap { columns($0) })
        for row in rows {
            var cells: [Cell] = [
                .onset(row.arrival - start), .integer(row.measurement), row.scan.map { .integer($0) } ?? .missing,
            ]
            for place in places {
                let at = Self.position(of: place, in: layouts[row.layout]).map { row.first + Self.width * $0 }
                cells.append(.optional(at.map { values[$0] }))
                guard MethodSCRIPTVariableType(anyCode: place.type).isMeasured else { continue }
                cells.append(at.flatMap { Int(exactly: values[$0 + 1]) }.map { .integer($0) } ?? .missing)
                cells.append(.optional(at.map { values[$0 + 2] }))
                cells.append(at.flatMap { Int(exactly: values[$0 + 3]) }.map { .integer($0) } ?? .missing)
                guard tellsHighSpeed(place) else { continue }
                cells.append(at.flatMap { Int(exactly: values[$0 + 4]) }.map { .integer($0) } ?? .missing)
            }
            table.append(cells)
        }
        return table
    }

    /// A column of variables: the type, and which of several of that type in a package.
    private struct Place: Hashable {
        var type: String
        var occurrence: Int
    }

    private var places: [Place] {
        var places: [Place] = []
        for layout in layouts {
            for (index, type) in layout.enumerated() {
                let place = Place(type: type, occurrence: layout[..<index].count { $0 == type })
                if !places.contains(place) { places.append(place) }
            }
        }
        return places
    }

    private static func position(of place: Place, in layout: [String]) -> Int? {
        layout.indices.filter { layout[$0] == place.type }.dropFirst(place.occurrence).first
    }

    private static let leading = [
        Column("arrival", unit: .seconds, "When the package arrived, from the start of the script."),
        Column("measurement", unit: .dimensionless, "Number of the measurement loop, from 1 on."),
        Column("scan", unit: .dimensionless, "Number of the scan within the measurement, as the instrument counts it."),
    ]

    private func columns(_ place: Place) -> [Column] {
        let type = MethodSCRIPTVariableType(anyCode: place.type)
        let name = type.name + (place.occurrence == 0 ? "" : "\(place.occurrence + 1)")
        let value = Column(name, unit: type.unit, "The \(type.label) (MethodSCRIPT variable \(place.type)).")
        guard type.isMeasured else { return [value] }
        return [
            value,
            Column(
                name + "Status", unit: .dimensionless,
                "Bits: 1 timing not met, 2 overload, 4 underload, 8 overload warning; 0 is well."),
            family?.rangeUnit(of: type).map {
                Column(name + "Range", unit: $0, "Full scale of the range it was measured in.")
            }
                ?? Column(
                    name + "Range", unit: .dimensionless,
                    "The range it was measured in: the instrument's own number for it."),
            Column(name + "Noise", "Noise as the instrument tells it, in a unit that is not documented."),
        ]
            + (tellsHighSpeed(place)
                ? [
                    Column(
                        name + "HighSpeed", unit: .dimensionless,
                        "1: a range of the high-speed mode; 0: one of the low-speed mode.")
                ]
                : [])
    }

    private func tellsHighSpeed(_ place: Place) -> Bool {
        family?.tellsHighSpeed(of: MethodSCRIPTVariableType(anyCode: place.type)) ?? false
    }
}
