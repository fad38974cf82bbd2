/// Mann and Whitney's test of two groups (Mann & Whitney 1947).
enum RankSum {
    /// The two-sided p that neither group tends to larger values: exact where the smaller group has at most 8 values
    /// and none are equal, else by the normal approximation with corrections for ties and continuity.
    static func twoSidedP(_ first: [Double], _ second: [Double]) -> Double {
        let ranked = MidRanks(first + second)
        let (n, m) = (Double(first.count), Double(second.count))
        let u = ranked.ranks.prefix(first.count).reduce(0, +) - n * (n + 1) / 2
        let larger = max(u, n * m - u)
        if min(first.count, second.count) <= 8, ranked.ties == 0 {
            return exact(Int(n * m - larger), first.count, second.count)
        }
        let total = n + m
        let variance = n * m / 12 * (total + 1 - ranked.ties / (total * (total - 1)))
        guard variance > 0 else { return .nan }
        return min(1, Normal.twoSidedP((larger - n * m / 2 - 0.5) / variance.squareRoot()))
    }

    /// From the count of orders for every U, by the recursion over the larger of the last values.
    private static func exact(_ u: Int, _ n: Int, _ m: Int) -> Double {
        let largest = n * m
        // orders[i][v]: orders of i values of one group among those of the other so far with U = v
        var orders = [[Double]](repeating: [Double](repeating: 0, count: largest + 1), count: n + 1)
        orders[0][0] = 1
        for i in 1...n { orders[i][0] = 1 }
        for other in 1...m {
            var next = orders
            for i in 1...n {
                for v in 0...largest {
                    // the largest value belongs to the first group (it beats `other` values) or to the second
                    next[i][v] = (v >= other ? next[i - 1][v - other] : 0) + orders[i][v]
                }
            }
            orders = next
        }
        let all = orders[n].reduce(0, +)
        return min(1, 2 * orders[n][0...u].reduce(0, +) / all)
    }
}
