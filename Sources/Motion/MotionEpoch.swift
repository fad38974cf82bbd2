import Foundation
public import Signals

/// What a worn sensor's acceleration tells of a stretch of time.
public struct MotionEpoch: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds
    /// Share of the samples that are there and that quality does not drop, 0…1.
    public var coverage: Double
    /// Euclidean norm minus one, negative values as 0: the mean in g.
    public var enmo: Double
    /// Mean amplitude deviation of the magnitude, g.
    public var mad: Double
    /// Integral of the body's own acceleration over the samples that count for the coverage, g·s.
    public var counts: Double
    /// Mean gravity along the three axes, g.
    public var gravity: SIMD3<Double>
    /// Root mean square of the body's own acceleration, g.
    public var body: Double
    /// Degrees by which gravity has turned since the epoch before in the same run; nil for the first.
    public var turn: Double?
    /// Steps among these samples; nil where samples come too seldom to tell, below `MotionStage.lowestSampleRate`.
    public var steps: Int?
    /// Whether no axis moved.
    public var isStill: Bool
    /// The standard deviation, in g, below which an axis was taken not to move.
    public var stillness: Double
    /// Whether signal quality drops its time: then only its time and coverage tell something.
    public var isDropped = false
    /// What was counted moment by moment, in order of time; none once the quality of its time is known.
    public var moments: [Moment] = []

    private enum CodingKeys: String, CodingKey {
        case onset, duration, coverage, enmo, mad, counts, gravity, body, turn, steps, isStill, stillness, isDropped
    }

    /// The epoch where it may be used.
    public var usable: MotionEpoch? { isDropped ? nil : self }

    /// The angle, in degrees from −90 to 90, between an axis and the horizontal plane (van Hees et al. 2015).
    public func angle(ofAxis axis: Int) -> Double {
        let size = (gravity * gravity).sum().squareRoot()
        guard size > 0 else { return .nan }
        return asin(min(max(gravity[axis] / size, -1), 1)) * 180 / .pi
    }

    /// The columns of the table of epochs.
    /// - Parameter stillness: the standard deviation, in g, below which an axis is still.
    public static func columns(stillness: Double = MotionParameters().stillness) -> [Column] {
        let limit = String(format: "%g", stillness * 1_000)
        return [
            Column("onset", unit: .seconds, "Start of the epoch, from the recording's start"),
            Column("duration", unit: .seconds, "Length of the epoch"),
            Column(
                "coverage", unit: .dimensionless,
                "Share of the epoch's samples that are there and that quality does not drop, 0…1"),
            Column(
                "enmo", unit: .g, "Mean of the magnitude minus 1 g, negative values as 0",
                reference: "van Hees et al., PLoS ONE 8(4):e61691, 2013"),
            Column(
                "mad", unit: .g, "Mean distance of the magnitude from its mean over the epoch",
                reference: "Vähä-Ypyä et al., Clin Physiol Funct Imaging 35:64–70, 2015"),
            Column("counts", unit: Unit("g·s"), "Integral of the magnitude of acceleration without gravity"),
            Column("body", unit: .g, "Root mean square of acceleration without gravity"),
            Column("angleX", unit: Unit("deg"), "Angle between the x axis and the horizontal plane"),
            Column("angleY", unit: Unit("deg"), "Angle between the y axis and the horizontal plane"),
            Column(
                "angleZ", unit: Unit("deg"), "Angle between the z axis and the horizontal plane",
                reference: "van Hees et al., PLoS ONE 10(11):e0142533, 2015"),
            Column("turn", unit: Unit("deg"), "How far gravity has turned since the epoch before"),
            Column(
                "steps", unit: .dimensionless,
                "Steps: at least four regular peaks in a row; n/a where samples come too seldom to show them",
                leastData: "\(Int(MotionStage.lowestSampleRate)) samples per second"),
            Column(
                "still", unit: .dimensionless,
                "1 where the standard deviation of every axis is below \(limit) mg, else 0",
                reference: "van Hees et al., PLoS ONE 8(4):e61691, 2013"),
        ]
    }

    /// One row per epoch.
    public static func table(_ epochs: [MotionEpoch]) -> Table {
        Table(
            columns: columns(stillness: epochs.first?.stillness ?? MotionParameters().stillness),
            rows: epochs.map { all in
                let epoch = all.usable
                let steps: Cell = epoch?.steps.map(Cell.integer) ?? .missing
                return [
                    .onset(all.onset), .onset(all.duration), .number(all.coverage), .optional(epoch?.enmo),
                    .optional(epoch?.mad), .optional(epoch?.counts), .optional(epoch?.body),
                    .optional(epoch?.angle(ofAxis: 0)), .optional(epoch?.angle(ofAxis: 1)),
                    .optional(epoch?.angle(ofAxis: 2)), .optional(epoch?.turn),
                    steps, epoch.map { .integer($0.isStill ? 1 : 0) } ?? .missing,
                ]
            })
    }
}
