import Kernels
public import Signals

/// A peak of current in a sweep of potential.
public struct SweepPeak: Hashable, Codable, Sendable {
    /// Seconds from the recording's start; where it has no times, the number of the instrument's package.
    public var onset: Seconds
    /// Whether `onset` is seconds.
    public var isTimed: Bool
    /// The potential of the peak in V.
    public var potential: Double
    /// The current of the peak in A.
    public var current: Double
    /// Its height above (anodic) or below (cathodic) the line between its feet, A; negative for cathodic peaks.
    public var height: Double
    /// The point at the peak, with its range and status.
    public var measured: ElectrochemicalPoint

    /// The columns of `table`.
    public static let columns =
        [
            Column("onset", unit: .seconds, "Time of the peak from the recording's start"),
            Column("potential", unit: .volts, "Potential of the peak"),
            Column("current", unit: Unit("A"), "Current of the peak"),
            Column(
                "height", unit: Unit("A"), "Height over the line between the peak's feet; negative for cathodic peaks"),
        ] + ElectrochemicalPoint.metadataColumns

    /// One row per peak.
    public static func table(_ peaks: [SweepPeak]) -> Table {
        ElectrochemicalPoint.table(
            columns,
            peaks.map { peak in
                let cells: [Cell] = [.number(peak.potential), .number(peak.current), .number(peak.height)]
                return (peak.onset, peak.isTimed, cells + peak.measured.metadata)
            })
    }
}

/// A sweep of potential in one direction.
public struct LinearSweep: Hashable, Codable, Sendable {
    /// The first potential in V.
    public var start: Double
    /// The last potential in V.
    public var end: Double
    /// V/s, negative for a falling sweep; nil where the points have no times of their own.
    public var scanRate: Double?
    /// Its points, overloaded ones left out.
    public var points: [ElectrochemicalPoint]
    /// The peaks of its current, in order of time.
    public var peaks: [SweepPeak]

    /// The sweeps of a voltammetry: runs of at least ten points over which the potential as a whole rises or falls evenly,
    /// whatever single points do.
    public static func sweeps(_ points: [ElectrochemicalPoint]) -> [LinearSweep] {
        let known = points.filter { $0.potential != nil && $0.current != nil }
        return SweepStretches.ranges(of: known.compactMap(\.potential)).compactMap { LinearSweep(Array(known[$0])) }
    }

    /// nil for fewer than ten points.
    private init?(_ all: [ElectrochemicalPoint]) {
        guard all.count >= SweepStretches.fewest, let from = all.first, let to = all.last, let start = from.potential,
            let end = to.potential, start != end
        else { return nil }
        (self.start, self.end) = (start, end)
        let isTimed = from.isTimed && to.isTimed && to.onset > from.onset
        scanRate = isTimed ? (end - start) / (to.onset - from.onset) : nil
        points = all.filter(\.isUsable)
        peaks = []
        peaks = findPeaks()
    }

    /// Extremes of the smoothed current that stand out by a twentieth of its range and ten times its noise. Their height
    /// is that of the measured current, which smoothing makes less.
    private func findPeaks() -> [SweepPeak] {
        guard points.count >= 10 else { return [] }
        let raw = points.compactMap(\.current)
        let smooth = raw.indices.map { Statistics.mean(Array(raw[max(0, $0 - 2)...min(raw.count - 1, $0 + 2)])) }
        let noise = Statistics.median(zip(raw, smooth).map { abs($0 - $1) })
        let least = max(((smooth.max() ?? 0) - (smooth.min() ?? 0)) / 20, 10 * noise)
        guard least > 0 else { return [] }
        // A sloping baseline would make a valley beside every peak.
        let slope = ((smooth.last ?? 0) - (smooth.first ?? 0)) / Double(smooth.count - 1)
        func levelled(_ values: [Double], _ sign: Double) -> [Double] {
            values.enumerated().map { sign * ($1 - slope * Double($0)) }
        }
        let found = [1.0, -1].flatMap { sign in
            Self.tops(levelled(smooth, sign), measured: levelled(raw, sign), least: least)
                .map { (place: $0.place, height: $0.height * sign) }
        }
        return found.sorted { $0.place < $1.place }.map {
            SweepPeak(
                onset: points[$0.place].onset, isTimed: points[$0.place].isTimed,
                potential: points[$0.place].potential ?? .nan, current: raw[$0.place], height: $0.height,
                measured: points[$0.place])
        }
    }

    /// Maxima within the values, with the measured height over the line between the lowest values on either side.
    private static func tops(
        _ values: [Double], measured: [Double], least: Double
    ) -> [(place: Int, height: Double)] {
        var tops: [(place: Int, height: Double)] = []
        for place in values.indices.dropFirst().dropLast()
        where values[place] > values[place - 1] && values[place] >= values[place + 1] {
            // As far as the signal stays below the top.
            let left = values[..<place].lastIndex { $0 > values[place] }.map { $0 + 1 } ?? 0
            let right = values[(place + 1)...].firstIndex { $0 > values[place] } ?? values.count
            guard let a = (left..<place).min(by: { values[$0] < values[$1] }),
                let b = (place + 1..<right).min(by: { values[$0] < values[$1] })
            else { continue }
            guard values[place] - max(values[a], values[b]) >= least else { continue }
            let share = Double(place - a) / Double(b - a)
            tops.append((place, measured[place] - (values[a] + share * (values[b] - values[a]))))
        }
        return tops
    }
}
