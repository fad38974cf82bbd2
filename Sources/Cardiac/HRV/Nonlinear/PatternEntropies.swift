/// Entropies of distributions.
enum PatternEntropies {
    /// Shannon entropy, in bits, of a histogram of positive counts.
    static func shannon(_ counts: [Double]) -> Double {
        let total = counts.reduce(0, +)
        return counts.reduce(0) { sum, count in
            count > 0 ? sum - count / total * logarithm(count / total) / logarithm(2) : sum
        }
    }
}
