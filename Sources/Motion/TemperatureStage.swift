import Kernels
public import Signals

/// Skin temperature over a stretch of time.
public struct TemperatureWindow: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Share of the samples that are there, 0…1.
    public var coverage: Double
    /// Mean, °C.
    public var mean: Double
    /// Slope of the line of least squares, °C per minute; nil where less than half of the window is there.
    public var slope: Double?
    /// Whether the sensor was worn: the mean is a skin's, it does not fall faster than skin cools, and has not done so
    /// before without warming again.
    public var isWorn: Bool
    /// Whether signal quality drops its time: then only its time and coverage tell something.
    public var isDropped = false

    /// The window where it may be used.
    public var usable: TemperatureWindow? { isDropped ? nil : self }

    /// The columns of `table`.
    public static let columns = [
        Column("onset", unit: .seconds, "Start of the window, from the recording's start"),
        Column("duration", unit: .seconds, "Length of the window"),
        Column(
            "coverage", unit: .dimensionless,
            "Share of the window's samples that are there and that quality does not drop, 0…1"),
        Column("mean", unit: .degreesCelsius, "Mean skin temperature"),
        Column(
            "slope", unit: Unit("°C/min"), "Slope of the line of least squares", leastData: "half of the window"),
        Column(
            "worn", unit: .dimensionless,
            "1 where the mean is that of worn sensors, does not fall faster than skin cools and has not done so "
                + "within the hour before without warming again, else 0"),
    ]

    /// One row per window.
    public static func table(_ windows: [TemperatureWindow]) -> Table {
        Table(
            columns: columns,
            rows: windows.map { all in
                let window = all.usable
                return [
                    .onset(all.onset), .onset(all.duration), .number(all.coverage), .optional(window?.mean),
                    .optional(window?.slope), window.map { .integer($0.isWorn ? 1 : 0) } ?? .missing,
                ]
            })
    }
}

/// Skin temperature in °C in, windows out. They lie on the grid of multiples of their length from the recording's
/// start; a window that a gap divides comes once for each part.
public struct TemperatureStage: Stage {
    private let parameters: MotionParameters
    private var grid: EpochGrid?
    private var place = 0
    private var count = 0.0
    private var (time, timeSquares, sum, products) = (0.0, 0.0, 0.0, 0.0)
    private var fall: LastingFall?
    /// Samples since the sensor came off.
    private var off = 0.0

    /// A stage with these parameters.
    /// - Throws: `MotionError` for the first parameter that has no meaning.
    public init(parameters: MotionParameters = MotionParameters()) throws(MotionError) {
        try parameters.validate()
        self.parameters = parameters
    }

    /// A window comes as soon as it is over.
    public var lookAhead: Seconds { parameters.temperatureWindow }

    /// A run begins.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [TemperatureWindow]) {
        let reach: Seconds = 60
        let missing = grid.flatMap { $0.start.missing(after: place, before: segment) }
        if let missing, Double(missing) < reach * segment.sampleRate {
            // Told as missing samples, so short a loss changes nothing either.
            let begun = fall?.pass(over: missing) ?? 0
            if begun > 0 { cameOff(begun) }
        } else {
            // A sensor that came off stays so until it warms; as warm as 32 °C it may be worn.
            fall = LastingFall(
                sampleRate: segment.sampleRate, size: parameters.fastestCooling, time: reach, limit: 32, memory: 3_600)
        }
        close(into: &outputs)
        let isUsable =
            segment.sampleRate > 0 && segment.sampleRate <= 1e5 && segment.onset.isFinite && abs(segment.onset) < 1e10
        grid = isUsable ? EpochGrid(segment, length: parameters.temperatureWindow) : nil
        place = 0
    }

    /// The next samples of the run, °C.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [TemperatureWindow]) {
        for index in chunk.indices {
            guard let grid else { return }
            let value = Double(chunk[index])
            let begun = fall?.take(value) ?? 0
            if value.isFinite {
                let minutes = (grid.start.onset(ofOffset: place) - grid.onset) / 60
                count += 1
                time += minutes
                timeSquares += minutes * minutes
                sum += value
                products += minutes * value
                if fall?.isDown == true { off += 1 }
            }
            if begun > 0 { cameOff(begun) }
            place += 1
            if place == grid.end {
                close(into: &outputs)
                self.grid?.advance()
            }
        }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [TemperatureWindow]) {
        close(into: &outputs)
        grid = nil
    }

    /// As many samples ago the sensor came off.
    private mutating func cameOff(_ begun: Int) { off = min(count, max(off, Double(begun))) }

    private mutating func close(into outputs: inout [TemperatureWindow]) {
        defer { (count, time, timeSquares, sum, products, off) = (0, 0, 0, 0, 0, 0) }
        guard let grid, count > 0 else { return }
        let coverage = min(1, count / grid.expected)
        let mean = sum / count
        let spread = timeSquares - time * time / count
        let slope = coverage >= 0.5 && spread > 0 ? (products - time * mean) / spread : nil
        outputs.append(
            TemperatureWindow(
                onset: grid.onset, duration: grid.length, coverage: coverage, mean: mean, slope: slope,
                isWorn: parameters.wornTemperature.contains(mean) && slope ?? 0 > -parameters.fastestCooling
                    && off <= count / 2))
    }
}
