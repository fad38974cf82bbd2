import Foundation
import Kernels
public import Signals

/// An electrochemical impedance spectrum: the points of a Nyquist plot, and what its semicircle says.
public struct ImpedanceSpectrum: Hashable, Sendable {
    /// One frequency.
    public struct Point: Hashable, Codable, Sendable {
        /// Hz.
        public var frequency: Double
        /// Real part, Ω.
        public var real: Double
        /// Imaginary part, Ω; negative where the cell is capacitive.
        public var imaginary: Double
        /// What was measured, with its range and status.
        public var measured: ElectrochemicalPoint

        /// Size in Ω.
        public var size: Double { hypot(real, imaginary) }
        /// Phase in degrees.
        public var phase: Double { atan2(imaginary, real) * 180 / .pi }
    }

    /// The points from the highest frequency on, overloaded ones left out.
    public let points: [Point]
    /// How many were left out.
    public let overloaded: Int
    /// The circle nearest to the capacitive points (Kåsa, IEEE Trans Instrum Meas 25:8–14, 1976); nil for fewer than
    /// five, or where they do not bend.
    public let circle: Circle?

    /// The semicircle of one time constant.
    public struct Circle: Hashable, Codable, Sendable {
        /// Where it meets the real axis at high frequencies: the resistance of the solution, Ω.
        public var solution: Double
        /// The chord on the real axis: the resistance of charge transfer, Ω.
        public var transfer: Double
        /// The frequency of the point with the largest capacitive part, Hz.
        public var apex: Double
        /// Root mean square distance of the points from it, as a share of its radius.
        public var misfit: Double
    }

    /// The spectrum of points with frequency and impedance; nil without any.
    public init?(_ all: [ElectrochemicalPoint]) {
        let known = all.filter { $0.frequency ?? 0 > 0 && $0.real != nil && $0.imaginary != nil }
        guard !known.isEmpty else { return nil }
        points = known.filter(\.isUsable).map {
            Point(frequency: $0.frequency ?? 0, real: $0.real ?? 0, imaginary: $0.imaginary ?? 0, measured: $0)
        }.sorted { $0.frequency > $1.frequency }
        overloaded = known.count - points.count
        circle = Self.circle(points.filter { $0.imaginary < 0 })
    }

    /// x² + y² = 2ax + 2by + c by least squares.
    private static func circle(_ points: [Point]) -> Circle? {
        guard points.count >= 5, let apex = points.min(by: { $0.imaginary < $1.imaginary }) else { return nil }
        let scale = points.map(\.size).max() ?? 1
        guard scale > 0, scale.isFinite else { return nil }
        let rows = points.map { [2 * $0.real / scale, -2 * $0.imaginary / scale, 1] }
        let squares = points.map { ($0.real * $0.real + $0.imaginary * $0.imaginary) / (scale * scale) }
        guard let matrix = try? Matrix(rows), let fit = try? matrix.leastSquares(squares), fit.count == 3 else {
            return nil
        }
        let radius = (fit[2] + fit[0] * fit[0] + fit[1] * fit[1]).squareRoot()
        // Half the chord that the real axis cuts.
        let half = (radius * radius - fit[1] * fit[1]).squareRoot()
        guard radius.isFinite, half.isFinite, half > 0, radius < 100 else { return nil }
        let distances = points.map { hypot($0.real / scale - fit[0], -$0.imaginary / scale - fit[1]) - radius }
        let misfit = (distances.reduce(0) { $0 + $1 * $1 } / Double(points.count)).squareRoot() / radius
        return Circle(
            solution: (fit[0] - half) * scale, transfer: 2 * half * scale, apex: apex.frequency, misfit: misfit)
    }

    /// The columns of `table`.
    public static let columns =
        [
            Column("frequency", unit: .hertz, "Frequency of the excitation"),
            Column("real", unit: Unit("Ω"), "Real part of the impedance"),
            Column("imaginary", unit: Unit("Ω"), "Imaginary part of the impedance"),
            Column("size", unit: Unit("Ω"), "Size of the impedance"),
            Column("phase", unit: Unit("deg"), "Phase of the impedance"),
        ] + ElectrochemicalPoint.metadataColumns

    /// One row per frequency.
    public var table: Table { Self.table([self]) }

    /// One row per frequency, one spectrum after the other; of several a last column tells which.
    public static func table(_ spectra: [ImpedanceSpectrum]) -> Table {
        let isOne = spectra.count <= 1
        let number = Column(
            "spectrum", unit: .dimensionless, "Number of the spectrum, from 1 on, as each measurement has its own")
        return Table(
            columns: isOne ? columns : columns + [number],
            rows: zip(1..., spectra).flatMap { number, spectrum -> [[Cell]] in
                spectrum.points.map { isOne ? $0.cells : $0.cells + [Cell.integer(number)] }
            })
    }
}

extension ImpedanceSpectrum.Point {
    /// Its values in the order of the columns.
    fileprivate var cells: [Cell] {
        [.number(frequency), .number(real), .number(imaginary), .number(size), .number(phase)] + measured.metadata
    }
}
