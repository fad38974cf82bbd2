/// Wilcoxon's signed-rank test (Wilcoxon 1945).
enum SignedRanks {
    /// Up to so many differences that are not 0 every pattern of signs is counted.
    private static let mostCounted = 50

    /// The two-sided p that differences stand around 0. Zeros are left out and equal sizes share their mean rank. Up to
    /// 50 differences it is exact, also with zeros and ties: the share of the patterns of signs, over the ranks as they
    /// are, whose sum lies at least as far out. Above that it is the normal approximation with the variance corrected for
    /// ties, without a correction for continuity.
    static func twoSidedP(_ differences: [Double]) -> Double {
        let signed = differences.filter { $0 != 0 }
        guard !signed.isEmpty else { return .nan }
        let ranked = MidRanks(signed.map(abs))
        let positive = zip(signed, ranked.ranks).reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }
        if signed.count <= mostCounted { return exact(positive, ranked.ranks) }
        let n = Double(signed.count)
        let deviation = (n * (n + 1) * (2 * n + 1) / 24 - ranked.ties / 48).squareRoot()
        return Normal.twoSidedP((positive - n * (n + 1) / 4) / deviation)
    }

    /// From the count of sign patterns for every sum of positive ranks, in halves: mean ranks are whole or a half.
    private static func exact(_ sum: Double, _ ranks: [Double]) -> Double {
        let halves = ranks.map { Int(2 * $0) }
        let largest = halves.reduce(0, +)
        var patterns = [Double](repeating: 0, count: largest + 1)
        patterns[0] = 1
        for rank in halves {
            for total in stride(from: largest, through: rank, by: -1) { patterns[total] += patterns[total - rank] }
        }
        let all = patterns.reduce(0, +)
        let found = Int(2 * sum)
        let tail = patterns[0...min(found, largest - found)].reduce(0, +)
        return min(1, 2 * tail / all)
    }
}
