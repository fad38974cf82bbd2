/// A series whose missing values follow from an autoregressive model of the others.
///
/// The missing values are those that make the model's prediction errors smallest, on either side of them (Janssen, Veldhuis
/// & Vries 1986, IEEE Trans Acoust Speech Signal Process 34:317-330). A curve through the neighbours alone would swing
/// where breathing moves intervals much, and add to the power of slower rhythms.
struct AutoregressiveFilling {
    /// The values, less their mean, with those that are missing filled in.
    private(set) var values: [Double]
    /// True for each value that is filled in.
    let missing: [Bool]
    /// The model's coefficients a[0] = 1, a[1] … a[order].
    private let coefficients: [Double]

    /// The number of values before one that predict it.
    private static let order = 12
    /// The smallest number of known values that a model of that order needs.
    static let fewest = 5 * order
    /// The number of times that gaps near each other are filled in turn.
    private static let sweeps = 4
    /// The smallest share of the model's gain that tells a deviation near the ends of the series.
    private static let leastGain = 0.3

    /// Fills the values that are `missing`; nil where the others are too few, or too scattered, for a model.
    init?(_ series: [Double], missing: [Bool]) {
        (values, self.missing) = (series, missing)
        let gaps = Self.gaps(missing)
        var known: [[Double]] = []
        var first = 0
        for gap in gaps + [series.count..<series.count] {
            if gap.lowerBound - first > Self.order { known.append(Array(series[first..<gap.lowerBound])) }
            first = gap.upperBound
        }
        guard known.reduce(0, { $0 + $1.count }) >= Self.fewest,
            let model = AutoregressiveModel(order: Self.order, stretches: known)
        else { return nil }
        coefficients = model.coefficients
        for gap in gaps { fillByLine(gap) }
        let gains = coefficients.indices.map { lag in
            zip(coefficients, coefficients[lag...]).reduce(0) { $0 + $1.0 * $1.1 }
        }
        for _ in 0..<(gaps.count > 1 ? Self.sweeps : 1) {
            for gap in gaps { fill(gap, gains) }
        }
    }

    /// The distance of each value of `series` from what the values on both sides of it predict. Those at the ends that too
    /// few predictions reach count as 0.
    func deviations(of series: [Double]) -> [Double] {
        let order = Self.order
        var errors = [Double](repeating: 0, count: values.count)
        for place in values.indices.dropFirst(order) {
            errors[place] = coefficients.indices.reduce(0) { $0 + coefficients[$1] * values[place - $1] }
        }
        return values.indices.map { place in
            if missing[place] { return series[place] - values[place] }
            var (sum, gain) = (0.0, 0.0)
            for lag in 0...order where place + lag >= order && place + lag < values.count {
                sum += coefficients[lag] * errors[place + lag]
                gain += coefficients[lag] * coefficients[lag]
            }
            return gain > Self.leastGain ? sum / gain : 0
        }
    }

    private static func gaps(_ missing: [Bool]) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        for place in missing.indices where missing[place] {
            if let last = gaps.last, last.upperBound == place {
                gaps[gaps.count - 1] = last.lowerBound..<place + 1
            } else {
                gaps.append(place..<place + 1)
            }
        }
        return gaps
    }

    private mutating func fillByLine(_ gap: Range<Int>) {
        let before = gap.lowerBound > 0 ? values[gap.lowerBound - 1] : nil
        let after = gap.upperBound < values.count ? values[gap.upperBound] : nil
        let (start, end) = (before ?? after ?? 0, after ?? before ?? 0)
        for place in gap {
            values[place] = start + (end - start) * Double(place - gap.lowerBound + 1) / Double(gap.count + 1)
        }
    }

    /// The values of one gap that make the errors of all predictions that they take part in smallest. Of a gap near an end of
    /// the run the predictions beyond it count as if they had no error.
    private mutating func fill(_ gap: Range<Int>, _ gains: [Double]) {
        let count = gap.count
        let order = Self.order
        var matrix = (0..<count).map { row in
            (0..<count).map { column in abs(row - column) <= order ? gains[abs(row - column)] : 0 }
        }
        var right = gap.map { place in
            -(max(0, place - order)...min(values.count - 1, place + order)).reduce(0) { sum, other in
                gap.contains(other) ? sum : sum + gains[abs(place - other)] * values[other]
            }
        }
        // Cholesky's method; the matrix is that of a sum of squares.
        for row in 0..<count {
            for column in 0...row {
                var sum = matrix[row][column]
                for inner in 0..<column { sum -= matrix[row][inner] * matrix[column][inner] }
                if row == column {
                    guard sum > 0 else { return }
                    matrix[row][row] = sum.squareRoot()
                } else {
                    matrix[row][column] = sum / matrix[column][column]
                }
            }
        }
        for row in 0..<count {
            for inner in 0..<row { right[row] -= matrix[row][inner] * right[inner] }
            right[row] /= matrix[row][row]
        }
        for row in (0..<count).reversed() {
            for inner in row + 1..<count { right[row] -= matrix[inner][row] * right[inner] }
            right[row] /= matrix[row][row]
        }
        for (place, value) in zip(gap, right) { values[place] = value }
    }
}
