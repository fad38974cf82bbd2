import Kernels

/// A linear regression of features on measures of artifacts, fitted to training rows; what it explains is taken off the
/// features of any rows. It sees no state. Snoek, Miletić & Scholte 2019, NeuroImage 184:741.
struct ConfoundRegression {
    private let means: [Double]
    private let spreads: [Double]
    private let coefficients: Matrix

    /// Measures beyond this many standard deviations of the training rows count as this many.
    private static let farthest = 5.0
    /// The penalty on squared coefficients relative to the number of rows, so that measures which say the same have a solution.
    private static let penalty = 1e-4

    /// - Parameters:
    ///   - rows: the features of the training rows.
    ///   - measures: as many rows of measures; NaN where one is unknown.
    init(rows: [[Double]], on measures: [[Double]]) throws(LinearAlgebraError) {
        let count = measures.first?.count ?? 0
        var (means, spreads) = ([Double](), [Double]())
        for column in 0..<count {
            let known = measures.map { $0[column] }.filter(\.isFinite)
            let mean = known.isEmpty ? 0 : Statistics.mean(known)
            let spread = known.count > 1 ? Statistics.standardDeviation(known) : 0
            means.append(mean)
            spreads.append(spread > 1e-9 * max(1, abs(mean)) && spread.isFinite ? spread : .infinity)
        }
        (self.means, self.spreads) = (means, spreads)
        let design = try Matrix(measures.map { Self.design($0, means, spreads) })
        var gram = try design.gram()
        for place in 0..<gram.rows { gram[place, place] += Self.penalty * Double(measures.count) }
        coefficients = try gram.choleskySolve(design.transposed.multiplied(by: Matrix(rows)))
    }

    /// The standardised measures behind a one; what is unknown, or never differs, is 0.
    private static func design(_ measures: [Double], _ means: [Double], _ spreads: [Double]) -> [Double] {
        [1]
            + measures.indices.map { place in
                let value = (measures[place] - means[place]) / spreads[place]
                return value.isFinite ? min(max(value, -farthest), farthest) : 0
            }
    }

    /// The rows without what the measures explain.
    func residuals(_ rows: [[Double]], _ measures: [[Double]]) throws(LinearAlgebraError) -> [[Double]] {
        guard !rows.isEmpty else { return [] }
        let (means, spreads) = (means, spreads)
        let explained = try Matrix(measures.map { Self.design($0, means, spreads) }).multiplied(by: coefficients)
        return rows.enumerated().map { index, row in
            row.indices.map { row[$0] - explained[index, $0] }
        }
    }
}
