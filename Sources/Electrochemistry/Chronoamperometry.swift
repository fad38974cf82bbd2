import Kernels
public import Signals

/// A stretch of a measurement at one potential.
public struct PotentialStep: Hashable, Codable, Sendable {
    /// Seconds from the recording's start; where it has no times, the number of the instrument's package.
    public var onset: Seconds
    /// Whether `onset` is seconds.
    public var isTimed: Bool
    /// Seconds it lasts, from its first to its last point; nil without times. No step lasts across a gap.
    public var duration: Seconds?
    /// Its potential in V: the median of its points.
    public var potential: Double
    /// Change of potential from the step before in V; nil for the first. 0 where a gap ended that at the same potential.
    public var change: Double?
    /// Baseline current in A: the median over its last fifth, overloaded points left out; nil where none is usable.
    public var baseline: Double?
    /// The current furthest from the baseline in A; nil without a baseline.
    public var peak: Double?
    /// Charge in C: the integral of current over time, overloaded points left out, and where they leave a gap nothing put
    /// in its place; nil without times.
    public var charge: Double?
    /// Number of points, and of those that were overloaded or underloaded.
    public var count: Int
    /// Points beyond the range.
    public var overloaded: Int
    /// Points too small for the range.
    public var underloaded: Int
    /// Seconds without points right before it, where that ended the step before; nil elsewhere.
    public var gap: Seconds?

    /// The steps of a chronoamperometry: a new one begins where the potential changes by more than `threshold` V and
    /// the next point stays there, which three points do at least, and where points are missing for more than five times
    /// the time that is usual between them. A potential that is held nowhere, as in a sweep of few points, has none.
    /// - Parameter before: the step that was held before them, as in the measurement before.
    public static func steps(
        _ points: [ElectrochemicalPoint], threshold: Double = 0.005, after before: PotentialStep? = nil
    ) -> [PotentialStep] {
        let known = points.filter { $0.potential != nil && $0.current != nil }
        guard !moves(known.compactMap(\.potential), by: threshold) else { return [] }
        let gaps = known.allSatisfy(\.isTimed) ? Set(MissingPoints.gaps(in: known.map(\.onset))) : []
        var steps: [PotentialStep] = []
        var first = 0
        func close(_ end: Int) {
            defer { first = end }
            guard end - first >= fewest else { return }
            var step = PotentialStep(known[first..<end], after: steps.last ?? before)
            step.gap = gaps.contains(first) ? known[first].onset - known[first - 1].onset : nil
            steps.append(step)
        }
        for index in known.indices.dropFirst() {
            // What was held while nothing came is not known, nor its current.
            if gaps.contains(index) {
                close(index)
                continue
            }
            let level = known[first].potential ?? 0
            let moved = abs((known[index].potential ?? level) - level) > threshold
            let stays = index + 1 >= known.count || abs((known[index + 1].potential ?? level) - level) > threshold
            guard moved, stays else { continue }
            close(index)
        }
        close(known.count)
        return steps
    }

    /// The fewest points of a step: a staircase of single points is a sweep.
    private static let fewest = 3

    /// Whether a potential goes on by about the same from each point to the next, up or down.
    private static func moves(_ potentials: [Double], by threshold: Double) -> Bool {
        let changes = zip(potentials.dropFirst(), potentials).map { abs($0 - $1) }
        guard changes.count > 1, let least = potentials.min(), let most = potentials.max(), most - least > threshold
        else {
            return false
        }
        let usual = Statistics.median(changes)
        return changes.allSatisfy { $0 > usual / 2 && $0 < usual * 2 }
    }

    private init(_ points: ArraySlice<ElectrochemicalPoint>, after before: PotentialStep?) {
        onset = points.first?.onset ?? 0
        isTimed = points.allSatisfy(\.isTimed)
        duration = isTimed ? (points.last?.onset ?? 0) - onset : nil
        potential = Statistics.median(points.compactMap(\.potential))
        change = before.map { [potential] in potential - $0.potential }
        count = points.count
        overloaded = points.count { $0.status.contains(.overload) }
        underloaded = points.count { $0.status.contains(.underload) }
        let usable = points.filter(\.isUsable)
        guard !usable.isEmpty else { return }
        let currents = usable.compactMap(\.current)
        let level = Statistics.median(Array(currents.suffix(max(1, currents.count / 5))))
        baseline = level
        peak = currents.max { abs($0 - level) < abs($1 - level) }
        charge = isTimed ? Self.charge(of: usable) : nil
    }

    /// The integral of current over time, none where points are missing; nil where no two are at hand.
    private static func charge(of points: [ElectrochemicalPoint]) -> Double? {
        let stretches = ElectrochemicalPoint.stretches(of: points).filter { $0.count > 1 }
        guard !stretches.isEmpty else { return nil }
        return stretches.map { Statistics.trapezoid($0.compactMap(\.current), x: $0.map(\.onset)) }.reduce(0, +)
    }

    /// The columns of `table`.
    public static let columns = [
        Column("onset", unit: .seconds, "Start of the step, from the recording's start"),
        Column(
            "duration", unit: .seconds,
            "From its first to its last point; a gap, more than five times the usual time between points, ends a step"),
        Column("potential", unit: .volts, "Median potential"),
        Column(
            "change", unit: .volts,
            "Change of potential from the step before; 0 where a gap alone ended that at the same potential"),
        Column("baseline", unit: Unit("A"), "Median current over the last fifth, overloaded points left out"),
        Column("peak", unit: Unit("A"), "The current furthest from the baseline"),
        Column(
            "charge", unit: Unit("A·s"),
            "Integral of current over time from the step's first to its last point in coulombs, 1 C = 1 A·s. Overloaded "
                + "points are left out; where they leave a gap, nothing is put in its place"),
        Column("count", unit: .dimensionless, "Number of points"),
        Column("overloaded", unit: .dimensionless, "Points beyond the range"),
        Column("underloaded", unit: .dimensionless, "Points too small for the range"),
        Column(
            "gap", unit: .seconds,
            "Time without points right before the step, where that ended the step before; n/a elsewhere"),
    ]

    /// One row per step.
    public static func table(_ steps: [PotentialStep]) -> Table {
        ElectrochemicalPoint.table(
            columns,
            steps.map {
                (
                    $0.onset, $0.isTimed,
                    [
                        $0.duration.map(Cell.onset) ?? .missing, .number($0.potential), .optional($0.change),
                        .optional($0.baseline), .optional($0.peak), .optional($0.charge), .integer($0.count),
                        .integer($0.overloaded), .integer($0.underloaded), $0.gap.map(Cell.onset) ?? .missing,
                    ]
                )
            })
    }
}
