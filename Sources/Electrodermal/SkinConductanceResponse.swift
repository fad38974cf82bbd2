public import Signals

/// One skin conductance response.
public struct SkinConductanceResponse: Hashable, Codable, Sendable {
    /// When conductance begins to rise to it, in seconds from the recording's start.
    public var onset: Seconds
    /// When it is highest, in seconds from the recording's start.
    public var peak: Seconds
    /// Its height in µS above what is left of the responses before it.
    public var amplitude: Double
    /// The conductance at the onset, µS.
    public var level: Double
    /// Seconds from the peak until half of the amplitude is left; nil where another response, the end of the run or
    /// `ResponseParameters.longestRecovery` comes first.
    public var halfRecovery: Seconds?
    /// Whether some of what it was seen in is marked as an artefact, or the run ends before it had risen to its height.
    public var isDoubtful: Bool

    /// Seconds from onset to peak.
    public var riseTime: Seconds { peak - onset }

    /// A response.
    public init(
        onset: Seconds, peak: Seconds, amplitude: Double, level: Double, halfRecovery: Seconds? = nil,
        isDoubtful: Bool = false
    ) {
        (self.onset, self.peak, self.amplitude, self.level) = (onset, peak, amplitude, level)
        (self.halfRecovery, self.isDoubtful) = (halfRecovery, isDoubtful)
    }
}

extension SkinConductanceResponse {
    /// The columns of `table`.
    public static let columns = [
        Column("onset", unit: .seconds, "Onset of the response, from the recording's start"),
        Column("duration", unit: .seconds, "From onset to peak: the rise time"),
        Column("peak", unit: .seconds, "Time of the highest conductance, from the recording's start", role: .moment),
        Column(
            "amplitude", unit: .microsiemens, "Height at the peak above what is left of the responses before it",
            reference: "Boucsein, Electrodermal Activity, 2nd ed. 2012, section 3.1.3"),
        Column("level", unit: .microsiemens, "Conductance at the onset"),
        Column(
            "halfRecovery", unit: .seconds,
            "From the peak until half of the amplitude is left; n/a where another response or the end comes first"),
        Column(
            "artefact", unit: .dimensionless,
            "1 where the response touches samples marked as artefact, or a gap cuts it before its peak, else 0"),
    ]

    /// One row per response.
    public static func table(_ responses: [SkinConductanceResponse]) -> Table {
        Table(
            columns: columns,
            rows: responses.map {
                [
                    .onset($0.onset), .onset($0.riseTime), .onset($0.peak), .number($0.amplitude), .number($0.level),
                    $0.halfRecovery.map(Cell.onset) ?? .missing, .integer($0.isDoubtful ? 1 : 0),
                ]
            })
    }
}
