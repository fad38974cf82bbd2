/// Mann and Whitney's test of two groups (Mann & Whitney 1947).
enum RankSum {
    /// Where the smaller group has at most so many values every choice of as many is counted.
    private static let mostCounted = 8

    /// The two-sided p that neither group tends to larger values. Equal values share their mean rank. Where the smaller
    /// group has at most 8 values it is exact, also with ties: twice the smaller share of the choices of as many ranks, as
    /// they are, whose sum is at most, or at least, the one found. Else it is the normal approximation with corrections
    /// for ties and continuity.
    static func twoSidedP(_ first: [Double], _ second: [Double]) -> Double {
        let ranked = MidRanks(first + second)
        let (n, m) = (Double(first.count), Double(second.count))
        if min(first.count, second.count) <= mostCounted {
            let isFirstSmaller = first.count <= second.count
            let own = isFirstSmaller ? ranked.ranks.prefix(first.count) : ranked.ranks.suffix(second.count)
            return exact(own.reduce(0, +), of: own.count, ranked)
        }
        let u = ranked.ranks.prefix(first.count).reduce(0, +) - n * (n + 1) / 2
        let larger = max(u, n * m - u)
        let total = n + m
        let variance = n * m / 12 * (total + 1 - ranked.ties / (total * (total - 1)))
        guard variance > 0 else { return .nan }
        return min(1, Normal.twoSidedP(max(0, larger - n * m / 2 - 0.5) / variance.squareRoot()))
    }

    /// From the count of choices of `size` ranks for every sum of them; in halves where there are ties.
    private static func exact(_ sum: Double, of size: Int, _ ranked: MidRanks) -> Double {
        let scale = ranked.ties > 0 ? 2.0 : 1
        let ranks = ranked.ranks.map { Int(scale * $0) }
        let largest = ranks.sorted().suffix(size).reduce(0, +)
        // choices[chosen * width + total]: choices of so many ranks so far with this sum
        let width = largest + 1
        var choices = [Double](repeating: 0, count: (size + 1) * width)
        choices[0] = 1
        for (place, rank) in ranks.enumerated() {
            for chosen in stride(from: min(size, place + 1), to: 0, by: -1) {
                let (row, before) = (chosen * width, (chosen - 1) * width)
                for total in rank..<width { choices[row + total] += choices[before + total - rank] }
            }
        }
        let sums = choices[(size * width)...]
        let found = sums.startIndex + Int(scale * sum)
        let (all, below, above) = (
            sums.reduce(0, +), sums[...found].reduce(0, +), sums[found...].reduce(0, +)
        )
        return min(1, 2 * min(below, above) / all)
    }
}
