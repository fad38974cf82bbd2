/// Wilcoxon's signed-rank test (Wilcoxon 1945).
enum SignedRanks {
    /// The two-sided p that differences stand around 0: exact up to 50 differences without ties or zeros, else by the
    /// normal approximation with the variance corrected for ties. Zeros are left out.
    static func twoSidedP(_ differences: [Double]) -> Double {
        let signed = differences.filter { $0 != 0 }
        guard !signed.isEmpty else { return .nan }
        let ranked = MidRanks(signed.map(abs))
        let positive = zip(signed, ranked.ranks).reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }
        let n = Double(signed.count)
        if signed.count <= 50, ranked.ties == 0, signed.count == differences.count {
            return exact(Int(positive), count: signed.count)
        }
        let deviation = (n * (n + 1) * (2 * n + 1) / 24 - ranked.ties / 48).squareRoot()
        return Normal.twoSidedP((positive - n * (n + 1) / 4) / deviation)
    }

    /// From the count of sign patterns for every sum of positive ranks.
    private static func exact(_ sum: Int, count: Int) -> Double {
        let largest = count * (count + 1) / 2
        var patterns = [Double](repeating: 0, count: largest + 1)
        patterns[0] = 1
        for rank in 1...count {
            for total in stride(from: largest, through: rank, by: -1) { patterns[total] += patterns[total - rank] }
        }
        let all = patterns.reduce(0, +)
        let tail = patterns[0...min(sum, largest - sum)].reduce(0, +)
        return min(1, 2 * tail / all)
    }
}
