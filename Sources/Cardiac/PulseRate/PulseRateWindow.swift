public import Signals

/// The heart rate in one window, from pulse wave and acceleration.
public struct PulseRateWindow: Hashable, Codable, Sendable {
    /// The start of the window, in seconds from the recording's start.
    public var onset: Seconds
    /// The length of the window in seconds; a gap without samples is one window.
    public var duration: Seconds
    /// Beats per minute; nil where `missing` says why.
    public var rate: Double?
    /// The probability that the rate is right within 5 per minute, less where few of the last windows support it, 0…1.
    public var confidence: Double
    /// The root mean square of the acceleration without gravity, in g; nil without acceleration.
    public var movement: Double?
    /// True where the window counts as moving: by its acceleration or, without one, because the rate jumped as movement does.
    public var isMoving: Bool
    /// The reason why there is no rate; nil where there is one.
    public var missing: PulseRateMissing?

    /// The end of the window, in seconds from the recording's start.
    public var end: Seconds { onset + duration }

    /// The columns of the table of windows.
    public static let columns = [
        Column("onset", unit: .seconds, "Start of the window from the recording's start"),
        Column("duration", unit: .seconds, "Length of the window; a gap without samples is one window"),
        Column(
            "heartRate", unit: Unit("1/min"),
            "Heart rate from pulse wave and acceleration, \(Int(PulseRateParameters.rates.lowerBound)) to "
                + "\(Int(PulseRateParameters.rates.upperBound)) per minute",
            leastData: "90 % of the window's samples"),
        Column(
            "confidence", unit: .dimensionless,
            "Probability that the rate is right within 5 per minute, less where few of the last windows support it, 0 to 1"
        ),
        Column(
            "movement", unit: .g,
            "Root mean square of the acceleration without gravity; in units of gravity where the file states no unit; "
                + "n/a without acceleration"),
        Column("reason", "Why there is no rate: " + PulseRateMissing.allCases.map(\.rawValue).joined(separator: ", ")),
    ]

    /// One row per window.
    public static func table(_ windows: [PulseRateWindow]) -> Table {
        Table(
            columns: columns,
            rows: windows.map { window in
                [
                    .onset(window.onset), .onset(window.duration), .optional(window.rate), .number(window.confidence),
                    .optional(window.movement), window.missing.map { .text($0.rawValue) } ?? .missing,
                ]
            })
    }
}

/// The reason why a window has no heart rate.
public enum PulseRateMissing: String, Error, Hashable, Codable, CaseIterable, Sendable, CustomStringConvertible {
    /// More than a tenth of the window's samples are missing, or half a second in one piece.
    case tooFewSamples
    /// No channel changes.
    case flatSignal
    /// The evidence supports no single rate.
    case uncertain
    /// The movement has had the rate of the heart for several windows and hides the pulse.
    case movementAtHeartRate
    /// The rate jumped as movement does, and there is no acceleration to distinguish the two.
    case movementWithoutAcceleration

    /// One phrase for the reader.
    public var description: String {
        switch self {
        case .tooFewSamples: "too few samples"
        case .flatSignal: "the signal does not change"
        case .uncertain: "the evidence supports no single rate"
        case .movementAtHeartRate: "the movement has the rate of the heart"
        case .movementWithoutAcceleration: "movement suspected, and there is no acceleration to remove it"
        }
    }
}
