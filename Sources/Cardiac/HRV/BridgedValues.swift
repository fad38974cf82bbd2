import Kernels
import Signals

/// Values of a run of intervals for spectra, in which those that correction estimated follow from the rhythm around them.
///
/// An autoregressive model of the measured intervals says how each follows from those before. The values that are missing are
/// those that make its prediction errors smallest, on either side of them (Janssen, Veldhuis & Vries 1986, IEEE Trans Acoust
/// Speech Signal Process 34:317-330). A curve through the measured neighbours alone would swing where breathing moves intervals
/// much, and add to the power of slower rhythms.
struct BridgedValues {
    /// Intervals before and after that have a say.
    private static let order = 12
    /// As many measured intervals tell a model of that order.
    private static let fewest = 5 * order
    /// How often gaps that are near each other are filled in turn.
    private static let sweeps = 4

    /// The intervals of `run` in ms, the missing ones filled in; nil where the measured ones do not tell how.
    static func values(of run: ArraySlice<NN>) -> [Double]? {
        let gaps = gaps(in: run)
        let intervals = Array(run)
        var values = intervals.map(\.milliseconds)
        guard !gaps.isEmpty else { return values }
        let measured = intervals.indices.filter { intervals[$0].status != .interpolated }
        guard measured.count >= fewest else { return nil }
        let mean = measured.reduce(0) { $0 + values[$1] } / Double(measured.count)
        for place in values.indices { values[place] -= mean }
        var stretches: [[Double]] = []
        var first = 0
        for gap in gaps + [values.count..<values.count] {
            if gap.lowerBound - first > order { stretches.append(Array(values[first..<gap.lowerBound])) }
            first = gap.upperBound
        }
        guard stretches.reduce(0, { $0 + $1.count }) >= fewest,
            let model = AutoregressiveModel(order: order, stretches: stretches)
        else { return nil }
        for gap in gaps { fillByLine(gap, &values) }
        let gains = correlations(model.coefficients)
        for _ in 0..<(gaps.count > 1 ? sweeps : 1) {
            for gap in gaps { fill(gap, &values, model.coefficients, gains) }
        }
        return values.map { $0 + mean }
    }

    /// The stretches of estimates; those at an end of the run have no neighbour there.
    private static func gaps(in run: ArraySlice<NN>) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        for (place, interval) in run.enumerated() where interval.status == .interpolated {
            if let last = gaps.last, last.upperBound == place {
                gaps[gaps.count - 1] = last.lowerBound..<place + 1
            } else {
                gaps.append(place..<place + 1)
            }
        }
        return gaps
    }

    private static func fillByLine(_ gap: Range<Int>, _ values: inout [Double]) {
        let before = gap.lowerBound > 0 ? values[gap.lowerBound - 1] : nil
        let after = gap.upperBound < values.count ? values[gap.upperBound] : nil
        let (start, end) = (before ?? after ?? 0, after ?? before ?? 0)
        for place in gap {
            values[place] = start + (end - start) * Double(place - gap.lowerBound + 1) / Double(gap.count + 1)
        }
    }

    /// Σ a[k]·a[k + lag] for each lag.
    private static func correlations(_ coefficients: [Double]) -> [Double] {
        coefficients.indices.map { lag in
            zip(coefficients, coefficients[lag...]).reduce(0) { $0 + $1.0 * $1.1 }
        }
    }

    /// The values of one gap that make the errors of all predictions that they take part in smallest. Of a gap near an end of
    /// the run the predictions beyond it count as if they had no error.
    private static func fill(_ gap: Range<Int>, _ values: inout [Double], _ coefficients: [Double], _ gains: [Double]) {
        let count = gap.count
        let order = coefficients.count - 1
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
