import Kernels

/// How features lay in a calibration, block by block, so that a session can be held against it.
public struct DriftBaseline: Hashable, Codable, Sendable {
    /// Medians and spreads over all epochs.
    public let centre: Standardisation
    /// The shift, as `DriftReport.shift`, that nine of ten blocks of the calibration itself do not exceed.
    public let usualShift: Double
    /// The features that count; lines of the spectrum, which say the same many times over, do not.
    private let measures: [Int]

    init(_ blocks: [[[Double]]], measures: [Int]) {
        let blocks = blocks.map { rows in rows.map { row in measures.map { row[$0] } } }
        let centre = Standardisation(blocks.flatMap { $0 })
        let shifts = blocks.map { Self.shift($0, centre) }
        (self.centre, usualShift, self.measures) = (centre, Statistics.quantile(shifts, 0.9), measures)
    }

    func isConsistent(features: Int) -> Bool {
        centre.isConsistent(measures.count) && measures.allSatisfy { (0..<features).contains($0) }
            && usualShift.isFinite
    }

    /// The median over features of how far the rows' median lies from the calibration's, in its spreads.
    static func shift(_ rows: [[Double]], _ centre: Standardisation) -> Double {
        let medians = centre.centres.indices.map { column in Statistics.median(rows.map { $0[column] }) }
        return Statistics.median(centre.applied(to: medians).map { abs($0) })
    }

    /// How far a session's epochs lie from the calibration; nil without a decodable epoch.
    public func drift(_ epochs: [DecodableEpoch]) -> DriftReport? {
        let rows = epochs.compactMap(\.features).filter { $0.count > measures.max() ?? 0 }.map { row in
            measures.map { row[$0] }
        }
        guard !rows.isEmpty else { return nil }
        let shift = Self.shift(rows, centre)
        let far = rows.count { row in
            Statistics.median(centre.applied(to: row).map { abs($0) }) > 2
        }
        return DriftReport(
            shift: shift, usualShift: usualShift, farShare: Double(far) / Double(rows.count),
            decodableShare: Double(rows.count) / Double(epochs.count))
    }
}

/// How far a session lies from the calibration.
public struct DriftReport: Hashable, Codable, Sendable {
    /// The median over features of how far the session's median lies from the calibration's, in its spreads.
    public var shift: Double
    /// The shift that nine of ten blocks of the calibration itself do not exceed.
    public var usualShift: Double
    /// The share of epochs whose features lie, in the median, more than two spreads away.
    public var farShare: Double
    /// The share of epochs that are decodable.
    public var decodableShare: Double

    /// Whether the calibration should be repeated: the session lies further away than twice what its own blocks did, and
    /// by half a spread or more; or most of its epochs lie far away.
    public var needsCalibration: Bool { shift > max(0.5, 2 * usualShift) || farShare > 0.5 }
}
