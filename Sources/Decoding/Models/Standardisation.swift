import Kernels

/// Features as distances from a person's baseline: less the median, over the spread. Robust against stray epochs.
public struct Standardisation: Hashable, Codable, Sendable {
    /// The baseline's medians.
    public var centres: [Double]
    /// The baseline's median absolute deviations, scaled to standard deviations of normal data; 1 where there is none.
    public var spreads: [Double]

    /// The standardisation of these baseline rows.
    /// - Precondition: rows of one length.
    public init(_ rows: [[Double]]) {
        let count = rows.first?.count ?? 0
        (centres, spreads) = ([], [])
        for column in 0..<count {
            let values = rows.map { $0[column] }
            let centre = Statistics.median(values)
            let spread = Statistics.median(values.map { abs($0 - centre) }) * Statistics.normalConsistency
            centres.append(centre)
            spreads.append(spread > 0 && spread.isFinite ? spread : 1)
        }
    }

    /// The rows as distances from the baseline.
    public func applied(to row: [Double]) -> [Double] {
        row.indices.map { (row[$0] - centres[$0]) / spreads[$0] }
    }
}
