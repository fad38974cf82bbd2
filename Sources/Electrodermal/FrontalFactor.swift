/// Cholesky factorisation of the interior-point system, eliminating the unknowns in the order of time.
///
/// Each sample couples three values of q, at most four spline coefficients and the two trend terms, so a front of
/// eight unknowns passes over the recording (B. M. Irons, Int J Numer Methods Eng 2:5–32, 1970): the cost and the
/// memory are linear in its length. Lanes of a row: 0…3 spline coefficients by index modulo 4; 4, 5 offset and slope;
/// 6, 7 the older and the newer value of q that are still in the front.
struct FrontalFactor {
    typealias Row = TonicRows.Row

    let problem: DecompositionProblem
    /// What each eliminated value of q was coupled to, and the inverses of the pivots.
    private(set) var rowsOfQ: [Row]
    private(set) var inversesOfQ: [Double]
    private(set) var rowsOfSplines: [Row]
    private(set) var inversesOfSplines: [Double]
    /// The triangular factor of what is left at the end; inverses of pivots on the diagonal.
    private(set) var last: [Row] = []
    private let tonicRows: TonicRows

    /// Added to pivots, so that unknowns nothing depends on stay zero.
    static let least = 1e-13

    /// A factor for problems of this shape.
    init(_ problem: DecompositionProblem) {
        self.problem = problem
        let (samples, splines) = (problem.y.count, problem.spline.count)
        rowsOfQ = Array(repeating: .zero, count: Swift.max(0, samples - 2))
        inversesOfQ = Array(repeating: 0, count: Swift.max(0, samples - 2))
        rowsOfSplines = Array(repeating: .zero, count: splines)
        inversesOfSplines = Array(repeating: 0, count: splines)
        tonicRows = TonicRows(problem.spline, length: samples)
    }

    /// Factors H + Aᵀ diag(weights) A.
    mutating func factor(weights: [Double]) {
        var front = Front(problem.model)
        var departing = 0
        var arriving = 0
        let spline = problem.spline
        var k = 0
        while k < weights.count {
            while departing < spline.count, spline.departure(of: departing) <= k {
                let row = front.eliminateSpline(departing & 3)
                (rowsOfSplines[departing], inversesOfSplines[departing]) = (row.row, row.inverse)
                departing += 1
            }
            while arriving < spline.count, spline.arrival(of: arriving) <= k {
                front.add(problem.tonicWeight, toSpline: arriving & 3)
                arriving += 1
            }
            let next = Swift.min(
                departing < spline.count ? spline.departure(of: departing) : .max,
                arriving < spline.count ? spline.arrival(of: arriving) : .max, weights.count)
            pass(&front, over: k..<next, weights)
            k = next
        }
        finish(front, from: departing)
    }

    /// The samples of one set of splines.
    private mutating func pass(_ front: inout Front, over samples: Range<Int>, _ weights: [Double]) {
        var state = front
        tonicRows.withRows(over: samples) { row in
            weights.withUnsafeBufferPointer { weights in
                rowsOfQ.withUnsafeMutableBufferPointer { rows in
                    inversesOfQ.withUnsafeMutableBufferPointer { inverses in
                        for k in samples {
                            // The error of a sample that does not count depends on no unknown.
                            let isKept = problem.isKept[k]
                            let tonic = isKept ? row(k) : .zero
                            guard k >= 2 else {
                                state.addTonic(tonic)
                                continue
                            }
                            let phasic = isKept ? problem.model.phasic : (0, 0, 0)
                            let (column, inverse) = state.advance(tonic, phasic, weight: weights[k])
                            rows[k &- 2] = column
                            inverses[k &- 2] = inverse
                        }
                    }
                }
            }
        }
        front = state
    }

    /// Keeps the triangular factor of what is left at the end.
    private mutating func finish(_ front: Front, from departing: Int) {
        var rows = front.square
        let present = Set((departing..<problem.spline.count).map { $0 & 3 } + [4, 5, 6, 7])
        for lane in 0..<8 where !present.contains(lane) || rows[lane][lane] == 0 { rows[lane][lane] = 1 }
        last = Array(repeating: .zero, count: 8)
        for lane in 0..<8 {
            var row = rows[lane]
            let inverse = 1 / (row[lane] + Self.least)
            row[lane] = 0
            for other in 0..<8 {
                rows[other][lane] = 0
                rows[other] -= (row[other] * inverse) * row
            }
            row[lane] = inverse
            last[lane] = row
        }
    }
}

/// The part of the system that later samples may still change.
private struct Front {
    typealias Row = FrontalFactor.Row

    private let driver: (Double, Double, Double)
    /// Among the tonic unknowns.
    private var tonic: (Row, Row, Row, Row, Row, Row) = (.zero, .zero, .zero, .zero, .zero, .zero)
    /// Of the older and the newer value of q with the tonic unknowns, and with one another.
    private var older = Row.zero
    private var newer = Row.zero
    private var (olderOlder, olderNewer, newerNewer) = (0.0, 0.0, 0.0)

    init(_ model: BatemanModel) {
        driver = model.driver
    }

    /// A sample of the tonic component alone.
    mutating func addTonic(_ t: Row) { update(t, t) }

    @inline(__always)
    private mutating func update(_ t: Row, _ scaled: Row) {
        tonic.0 += scaled[0] * t
        tonic.1 += scaled[1] * t
        tonic.2 += scaled[2] * t
        tonic.3 += scaled[3] * t
        tonic.4 += scaled[4] * t
        tonic.5 += scaled[5] * t
    }

    /// Adds a sample, on which the tonic unknowns weigh `t` and the values of q `m`, and whose q enters the front; and
    /// eliminates the value of q two samples back.
    @inline(__always)
    mutating func advance(
        _ t: Row, _ m: (Double, Double, Double), weight: Double
    ) -> (row: Row, inverse: Double) {
        let a = driver
        let weighted = weight * a.2
        let pivot = olderOlder + m.2 * m.2 + weighted * a.2
        let toNewer = olderNewer + m.2 * m.1 + weighted * a.1
        let toNewest = m.2 * m.0 + weighted * a.0
        let inverse = 1 / (pivot + FrontalFactor.least)
        var row = older + m.2 * t
        let (scaledNewer, scaledNewest) = (toNewer * inverse, toNewest * inverse)
        older = newer + m.1 * t - scaledNewer * row
        newer = m.0 * t - scaledNewest * row
        olderOlder = newerNewer + m.1 * m.1 + weight * a.1 * a.1 - scaledNewer * toNewer
        olderNewer = m.1 * m.0 + weight * a.1 * a.0 - scaledNewer * toNewest
        newerNewer = m.0 * m.0 + weight * a.0 * a.0 - scaledNewest * toNewest
        update(t, t)
        update(row, -inverse * row)
        row[6] = toNewer
        row[7] = toNewest
        return (row, inverse)
    }

    mutating func add(_ weight: Double, toSpline lane: Int) {
        var rows = square
        rows[lane][lane] += weight
        square = rows
    }

    mutating func eliminateSpline(_ lane: Int) -> (row: Row, inverse: Double) {
        var rows = square
        var row = rows[lane]
        let inverse = 1 / (row[lane] + FrontalFactor.least)
        row[lane] = 0
        rows[lane] = .zero
        for other in 0..<8 where other != lane {
            rows[other][lane] = 0
            rows[other] -= (row[other] * inverse) * row
        }
        square = rows
        return (row, inverse)
    }

    /// All eight rows.
    var square: [Row] {
        get {
            var rows = [tonic.0, tonic.1, tonic.2, tonic.3, tonic.4, tonic.5, older, newer]
            for lane in 0..<6 { (rows[lane][6], rows[lane][7]) = (older[lane], newer[lane]) }
            (rows[6][6], rows[6][7], rows[7][6], rows[7][7]) = (olderOlder, olderNewer, olderNewer, newerNewer)
            return rows
        }
        set {
            tonic = (newValue[0], newValue[1], newValue[2], newValue[3], newValue[4], newValue[5])
            (older, newer) = (newValue[6], newValue[7])
            (olderOlder, olderNewer, newerNewer) = (older[6], older[7], newer[7])
        }
    }
}
