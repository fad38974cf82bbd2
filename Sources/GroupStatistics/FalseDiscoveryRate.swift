/// Adjusted p values for many tests at once.
public enum FalseDiscoveryRate {
    /// The q value of each p value: the smallest false discovery rate at which its test would be called significant
    /// (Benjamini & Hochberg 1995). A p value that is not a number was not tested: it stays so and does not count.
    /// - Parameter p: 0…1, in any order.
    public static func benjaminiHochberg(_ p: [Double]) -> [Double] {
        let tested = p.indices.filter { !p[$0].isNaN }.sorted { p[$0] > p[$1] }
        var q = [Double](repeating: .nan, count: p.count)
        var least = 1.0
        for (place, index) in tested.enumerated() {
            let rank = tested.count - place
            least = min(least, p[index] * Double(tested.count) / Double(rank))
            q[index] = least
        }
        return q
    }
}
