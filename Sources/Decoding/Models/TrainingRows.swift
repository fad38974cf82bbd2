/// Rows of both states as distances from their baseline, worked out once for all classifiers that are fitted to them.
struct TrainingRows {
    let features: Distances
    /// Of the tangent vectors; nil where there is no tangent space.
    let vectors: Distances?
}

/// Rows of both states in one space, as distances from their baseline.
struct Distances {
    /// From the neutral blocks, or all where there are none.
    let standardisation: Standardisation
    private let lowRows: [[Double]]
    private let highRows: [[Double]]

    init(_ blocks: [(state: DecodedState, rows: [[Double]])]) {
        func rows(_ state: DecodedState) -> [[Double]] { blocks.filter { $0.state == state }.flatMap(\.rows) }
        let neutral = rows(.neutral)
        let standardisation = Standardisation(neutral.isEmpty ? blocks.flatMap(\.rows) : neutral)
        self.standardisation = standardisation
        lowRows = rows(.low).map(standardisation.applied)
        highRows = rows(.high).map(standardisation.applied)
    }

    /// The rows of the low state, of them the columns at `places`, all for nil.
    func low(_ places: [Int]? = nil) -> [[Double]] { Self.columns(places, of: lowRows) }

    /// The rows of the high state, of them the columns at `places`, all for nil.
    func high(_ places: [Int]? = nil) -> [[Double]] { Self.columns(places, of: highRows) }

    private static func columns(_ places: [Int]?, of rows: [[Double]]) -> [[Double]] {
        guard let places else { return rows }
        return rows.map { row in places.map { row[$0] } }
    }
}
