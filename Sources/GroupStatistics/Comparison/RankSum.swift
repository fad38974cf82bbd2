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
        var ranks = ranked.ranks.map { Int(scale * $0) }
        var found = Int(scale * sum)
        // The choices on one side are counted, the nearer one; there are as many from the other end.
        let turned = Int(scale) * (ranks.count + 1)
        if 2 * found > size * turned {
            found = size * turned - found
            ranks = ranks.map { turned - $0 }
        }
        let counts = choices(of: size, among: ranks.sorted(), sums: found)
        let all = (0..<size).reduce(1.0) { $0 * Double(ranks.count - $1) / Double($1 + 1) }
        let below = counts.reduce(0, +)
        return min(1, 2 * min(below, all - below + (counts.last ?? 0)) / all)
    }

    /// How many choices of `size` of these ascending ranks have each sum 0…`largest`.
    private static func choices(of size: Int, among ranks: [Int], sums largest: Int) -> [Double] {
        // counts[chosen * width + total]: choices of so many ranks so far with this sum
        let width = largest + 1
        var counts = [Double](repeating: 0, count: (size + 1) * width)
        counts[0] = 1
        counts.withUnsafeMutableBufferPointer { counts in
            for (place, rank) in ranks.enumerated() {
                for chosen in stride(from: min(size, place + 1), to: 0, by: -1) {
                    // Those still to be chosen are no smaller.
                    let most = largest - (size - chosen) * rank
                    guard most >= rank else { break }
                    let (row, before) = (chosen * width, (chosen - 1) * width - rank)
                    for total in rank...most { counts[row + total] += counts[before + total] }
                }
            }
        }
        return Array(counts[(size * width)...])
    }
}
