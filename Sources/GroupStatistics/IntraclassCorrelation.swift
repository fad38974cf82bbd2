public import Kernels

/// How well measurements of the same people agree over sessions (Shrout & Fleiss 1979; McGraw & Wong 1996).
public struct IntraclassCorrelation: Sendable, Hashable {
    /// A coefficient with its 95 % limits.
    public struct Coefficient: Sendable, Hashable {
        /// The coefficient; below 0 where people differ less than their own measurements.
        public let value: Double
        /// Limits by F; not numbers where they do not enclose the coefficient, as with few people or full agreement.
        public let low: Double, high: Double
    }

    /// People and sessions.
    public let people: Int, sessions: Int
    /// ICC(1,1): sessions are not told apart.
    public let oneWay: Coefficient
    /// ICC(2,1) or ICC(A,1): absolute agreement, a shift between sessions counts as disagreement.
    public let agreement: Coefficient
    /// ICC(3,1) or ICC(C,1): consistency, a shift between sessions does not count.
    public let consistency: Coefficient

    /// Of a complete table. Values that rounding alone tells apart count as the same, as they do where they are compared.
    /// - Parameter table: a row per person, a column per session, finite.
    /// - Throws: `tooFew` below two people or two sessions, `notFinite`, `noSpread` when all values are the same but for
    ///   rounding.
    public init(_ table: Matrix) throws(GroupStatisticsError) {
        guard table.rows > 1 else { throw .tooFew("people", found: table.rows, needed: 2) }
        guard table.columns > 1 else { throw .tooFew("sessions", found: table.columns, needed: 2) }
        guard table.elements.allSatisfy(\.isFinite) else { throw .notFinite("an intraclass correlation") }
        let settled = Rounding.settled(table.elements, scales: table.elements.map(abs))
        guard Rounding.hasSpread(settled) else { throw .noSpread("measurements") }
        guard let same = try? Matrix(rows: table.rows, columns: table.columns, elements: settled) else {
            throw .notFinite("an intraclass correlation")
        }
        let squares = MeanSquares(same)
        guard squares.people + squares.within > 0 else { throw .noSpread("measurements") }
        (people, sessions) = (table.rows, table.columns)
        oneWay = squares.oneWay
        agreement = squares.agreement
        consistency = squares.consistency
    }
}

/// The mean squares of a two-way table without repetition.
private struct MeanSquares {
    let n: Double, k: Double
    let people: Double, sessions: Double, error: Double, within: Double

    init(_ table: Matrix) {
        (n, k) = (Double(table.rows), Double(table.columns))
        let grand = Statistics.mean(table.elements)
        let rows = (0..<table.rows).map { Statistics.mean(table.row($0)) - grand }
        let columns = (0..<table.columns).map { Statistics.mean(table.column($0)) - grand }
        var left = 0.0
        for row in 0..<table.rows {
            for column in 0..<table.columns {
                let rest = table[row, column] - grand - rows[row] - columns[column]
                left += rest * rest
            }
        }
        let between = n * columns.reduce(0) { $0 + $1 * $1 }
        people = k * rows.reduce(0) { $0 + $1 * $1 } / (n - 1)
        sessions = between / (k - 1)
        error = left / ((n - 1) * (k - 1))
        within = (between + left) / (n * (k - 1))
    }

    var oneWay: IntraclassCorrelation.Coefficient { ratio(to: within, freedom: n * (k - 1)) }

    var consistency: IntraclassCorrelation.Coefficient { ratio(to: error, freedom: (n - 1) * (k - 1)) }

    private func ratio(to rest: Double, freedom: Double) -> IntraclassCorrelation.Coefficient {
        let f = people / rest
        let low = f / FisherF(numerator: n - 1, denominator: freedom).quantile(0.975)
        let high = f * FisherF(numerator: freedom, denominator: n - 1).quantile(0.975)
        return .enclosed(
            (people - rest) / (people + (k - 1) * rest), (low - 1) / (low + k - 1), (high - 1) / (high + k - 1))
    }

    /// Limits by McGraw & Wong 1996, table 7.
    var agreement: IntraclassCorrelation.Coefficient {
        let value = (people - error) / (people + (k - 1) * error + k * (sessions - error) / n)
        let a = k * value / (n * (1 - value))
        let b = 1 + k * value * (n - 1) / (n * (1 - value))
        let sum = a * sessions + b * error
        let freedom =
            sum * sum
            / (a * a * sessions * sessions / (k - 1) + b * b * error * error / ((n - 1) * (k - 1)))
        let lower = FisherF(numerator: n - 1, denominator: freedom).quantile(0.975)
        let upper = FisherF(numerator: freedom, denominator: n - 1).quantile(0.975)
        let rest = k * sessions + (k * n - k - n) * error
        return .enclosed(
            value, n * (people - lower * error) / (lower * rest + n * people),
            n * (upper * people - error) / (rest + n * upper * people))
    }
}

extension IntraclassCorrelation.Coefficient {
    /// Without limits where these mean nothing.
    fileprivate static func enclosed(_ value: Double, _ low: Double, _ high: Double) -> Self {
        let isKnown = low <= value && value <= high && value < 1 - 1e-12
        return Self(value: value, low: isKnown ? low : .nan, high: isKnown ? high : .nan)
    }
}
