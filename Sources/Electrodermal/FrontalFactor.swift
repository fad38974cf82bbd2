/// Cholesky factorisation of the interior-point system, eliminating the unknowns in the order of time.
///
/// Each sample couples three values of q, at most four spline coefficients and the two trend terms, so a front of
/// eight unknowns passes over the recording (B. M. Irons, Int J Numer Methods Eng 2:5–32, 1970): the cost and the
/// memory are linear in its length. Slots of the front: 0, 1 hold q at even and odd samples; 2…5 the spline
/// coefficients by index modulo 4; 6, 7 offset and slope.
struct FrontalFactor {
    typealias Row = SIMD8<Double>

    /// One eliminated unknown: what it was coupled to, and the inverse of its pivot.
    private struct Column {
        var row = Row.zero
        var inverse = 0.0
    }

    private let problem: DecompositionProblem
    private var ofQ: [Column]
    private var ofSpline: [Column]
    private var last: [Row]
    /// For each spline, the sample before which it is eliminated.
    private let departure: [Int]

    /// A factor for problems of this shape.
    init(_ problem: DecompositionProblem) {
        self.problem = problem
        let count = problem.y.count
        ofQ = Array(repeating: Column(), count: Swift.max(0, count - 2))
        ofSpline = Array(repeating: Column(), count: problem.spline.count)
        last = []
        departure = (0..<problem.spline.count).map { $0 * problem.spline.step + problem.spline.reach + 1 }
    }

    /// Factors H + Aᵀ diag(weights) A.
    mutating func factor(weights: [Double]) {
        var front = [Row](repeating: .zero, count: 8)
        let (a, m) = (problem.model.driver, problem.model.phasic)
        var departing = 0
        for k in problem.y.indices {
            while departing < departure.count, departure[departing] <= k {
                ofSpline[departing] = Self.eliminate(2 + departing % 4, from: &front)
                departing += 1
            }
            var tonic = tonicRow(at: k, arriving: &front)
            guard k >= 2 else {
                Self.add(tonic, times: 1, to: &front)
                continue
            }
            let slot = k & 1
            let weight = weights[k]
            tonic[slot] = m.0
            tonic[1 - slot] = m.1
            var activity = Row.zero
            activity[slot] = a.0
            activity[1 - slot] = a.1
            // q two samples back has its last terms now; its slot goes to the new sample.
            let pivot = front[slot][slot] + m.2 * m.2 + weight * a.2 * a.2
            var row = front[slot]
            row[slot] = 0
            row += m.2 * tonic + (weight * a.2) * activity
            let inverse = 1 / (pivot + Self.least)
            ofQ[k - 2] = Column(row: row, inverse: inverse)
            for i in 0..<8 { front[i][slot] = 0 }
            front[slot] = .zero
            let (weighted, scaled) = (weight * activity, inverse * row)
            for i in 0..<8 { front[i] += tonic[i] * tonic + activity[i] * weighted - row[i] * scaled }
        }
        finish(front, from: departing)
    }

    /// Keeps the triangular factor of what is left at the end.
    private mutating func finish(_ front: [Row], from departing: Int) {
        var front = front
        let present = Set((departing..<departure.count).map { 2 + $0 % 4 } + [0, 1, 6, 7])
        for slot in 0..<8 where !present.contains(slot) || front[slot][slot] == 0 { front[slot][slot] = 1 }
        last = Array(repeating: .zero, count: 8)
        for j in 0..<8 {
            let column = Self.eliminate(j, from: &front)
            var row = column.row
            row[j] = column.inverse
            last[j] = row
        }
    }

    /// The weights of the tonic unknowns at a sample; splines that begin here enter the front.
    private func tonicRow(at k: Int, arriving front: inout [Row]) -> Row {
        var row = Row.zero
        for j in problem.spline.active(at: k) {
            let slot = 2 + j % 4
            row[slot] = problem.spline.value(of: j, at: k)
            if k == Swift.max(0, j * problem.spline.step - problem.spline.reach) {
                front[slot][slot] += problem.tonicWeight
            }
        }
        let trend = problem.trend(at: k)
        row[6] = trend.x
        row[7] = trend.y
        return row
    }

    /// Added to pivots, so that unknowns nothing depends on stay zero.
    private static let least = 1e-13

    private static func add(_ row: Row, times weight: Double, to front: inout [Row]) {
        for i in 0..<8 { front[i] += (weight * row[i]) * row }
    }

    private static func eliminate(_ slot: Int, from front: inout [Row]) -> Column {
        var row = front[slot]
        let inverse = 1 / (row[slot] + least)
        row[slot] = 0
        for i in 0..<8 { front[i][slot] = 0 }
        front[slot] = .zero
        for i in 0..<8 { front[i] -= (row[i] * inverse) * row }
        return Column(row: row, inverse: inverse)
    }

    /// Solves for a right-hand side.
    func solve(_ right: DecompositionVariables) -> DecompositionVariables {
        var solution = right
        var held = Row.zero
        held[6] = right.trend.x
        held[7] = right.trend.y
        forward(&solution, &held)
        var values = backLast(held)
        solution.trend = SIMD2(values[6], values[7])
        back(&solution, &values)
        return solution
    }

    /// Leaves in `solution` the pivots' right-hand sides, in `held` those of the last front.
    private func forward(_ solution: inout DecompositionVariables, _ held: inout Row) {
        var departing = 0
        var arriving = 0
        for k in problem.y.indices {
            while departing < departure.count, departure[departing] <= k {
                let slot = 2 + departing % 4
                let value = held[slot]
                held[slot] = 0
                let column = ofSpline[departing]
                held -= (value * column.inverse) * column.row
                solution.spline[departing] = value
                departing += 1
            }
            while arriving < departure.count, arriving * problem.spline.step - problem.spline.reach <= k {
                held[2 + arriving % 4] += solution.spline[arriving]
                arriving += 1
            }
            let slot = k & 1
            if k >= 2 {
                let value = held[slot]
                held[slot] = 0
                let column = ofQ[k - 2]
                held -= (value * column.inverse) * column.row
                solution.q[k - 2] = value
            }
            held[slot] += solution.q[k]
        }
    }

    private func backLast(_ right: Row) -> Row {
        var held = right
        for j in 0..<8 {
            var row = last[j]
            let inverse = row[j]
            row[j] = 0
            let value = held[j]
            held -= (value * inverse) * row
            held[j] = value
        }
        for j in (0..<8).reversed() {
            var row = last[j]
            let inverse = row[j]
            row[j] = 0
            held[j] = (held[j] - (row * held).sum()) * inverse
        }
        return held
    }

    private func back(_ solution: inout DecompositionVariables, _ values: inout Row) {
        let count = problem.y.count
        var departing = departure.count
        while departing > 0, departure[departing - 1] > count - 1 {
            departing -= 1
            solution.spline[departing] = values[2 + departing % 4]
        }
        for k in problem.y.indices.reversed() {
            let slot = k & 1
            if k >= count - 2 { solution.q[k] = values[slot] }
            if k >= 2 {
                let column = ofQ[k - 2]
                let value = (solution.q[k - 2] - (column.row * values).sum()) * column.inverse
                solution.q[k - 2] = value
                values[slot] = value
            }
            while departing > 0, departure[departing - 1] == k {
                departing -= 1
                let column = ofSpline[departing]
                values[2 + departing % 4] = 0
                let value = (solution.spline[departing] - (column.row * values).sum()) * column.inverse
                solution.spline[departing] = value
                values[2 + departing % 4] = value
            }
        }
    }
}
