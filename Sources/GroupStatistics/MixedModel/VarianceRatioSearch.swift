/// The ratio of variances with the largest restricted likelihood.
struct VarianceRatioSearch {
    /// The variance between groups over the one within, from 0.
    let ratio: Double
    let fit: GroupSumsFit
    /// Whether it would be larger still: measurements of the same group hardly differ, and nothing tells by how much.
    let isAtEnd: Bool
    private static let largestShare = 1 - 1e-7

    /// Looks over the share ρ = λ / (1 + λ) of the variance between groups, first on a grid because the likelihood can
    /// have two summits, then by the golden section around its best point.
    init(_ sums: GroupSums) throws(GroupStatisticsError) {
        let freedom = Double(sums.count - sums.predictors)
        func criterion(_ share: Double) throws(GroupStatisticsError) -> Double {
            try sums.fit(share / (1 - share)).criterion(degreesOfFreedom: freedom)
        }
        let grid = (0...64).map { Double($0) / 64 * Self.largestShare }
        var values: [Double] = []
        for share in grid { values.append(try criterion(share)) }
        let best = values.indices.min { values[$0] < values[$1] } ?? 0
        var (low, high) = (grid[max(0, best - 1)], grid[min(grid.count - 1, best + 1)])
        let golden = (5.0.squareRoot() - 1) / 2
        var (left, right) = (high - golden * (high - low), low + golden * (high - low))
        var (atLeft, atRight) = (try criterion(left), try criterion(right))
        while high - low > 1e-12 {
            if atLeft < atRight {
                (high, right, atRight) = (right, left, atLeft)
                left = high - golden * (high - low)
                atLeft = try criterion(left)
            } else {
                (low, left, atLeft) = (left, right, atRight)
                right = low + golden * (high - low)
                atRight = try criterion(right)
            }
        }
        var share = (low + high) / 2
        if try criterion(0) <= criterion(share) { share = 0 }
        isAtEnd = share > Self.largestShare - 1e-10
        ratio = share / (1 - share)
        fit = try sums.fit(ratio)
    }
}
