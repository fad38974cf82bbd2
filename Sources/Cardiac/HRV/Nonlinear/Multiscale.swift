/// Sample entropy of a series averaged over ever longer blocks.
///
/// The three kinds differ in what they make of the blocks' offsets, not in what they count; the counts are shared.
enum Multiscale {
    /// Matches at one scale, for each offset of the first block (Costa et al. 2002, eq. 1; Wu et al. 2013).
    static func matches(_ series: [Double], scale: Int, dimension: Int, tolerance: Double) -> [TemplateMatches] {
        (0..<scale).map { offset in
            TemplateMatches(coarse(series, scale: scale, offset: offset), dimension: dimension, tolerance: tolerance)
        }
    }

    /// Averages of `scale` successive values, the first block starting at `offset`.
    static func coarse(_ series: [Double], scale: Int, offset: Int = 0) -> [Double] {
        stride(from: offset, through: series.count - scale, by: scale).map { start in
            series[start..<start + scale].reduce(0, +) / Double(scale)
        }
    }

    /// Composite multiscale entropy at one scale: the mean over all offsets (Wu et al. 2013).
    static func composite(_ matches: [TemplateMatches]) -> Double? {
        mean(matches) { $0.sampleEntropy }
    }

    /// Refined composite multiscale entropy at one scale: of the matches of all offsets together (Wu et al. 2014).
    static func refinedComposite(_ matches: [TemplateMatches]) -> Double? {
        matches.reduce(TemplateMatches(), +).sampleEntropy
    }

    /// The mean of an entropy over several parts; nil where one of them has none.
    static func mean<Parts: Collection>(_ parts: Parts, of entropy: (Parts.Element) -> Double?) -> Double? {
        var sum = 0.0
        for part in parts {
            guard let value = entropy(part) else { return nil }
            sum += value
        }
        return sum / Double(parts.count)
    }
}
