/// Sample entropy of a series averaged over ever longer blocks.
enum Multiscale {
    /// Averages of `scale` successive values, the first block starting at `offset` (Costa et al. 2002, eq. 1).
    static func coarse(_ series: [Double], scale: Int, offset: Int = 0) -> [Double] {
        stride(from: offset, through: series.count - scale, by: scale).map { start in
            series[start..<start + scale].reduce(0, +) / Double(scale)
        }
    }

    /// Multiscale entropy at one scale: of the blocks from the first value on (Costa et al. 2002).
    static func entropy(_ series: [Double], scale: Int, dimension: Int, tolerance: Double) -> Double? {
        TemplateMatches(coarse(series, scale: scale), dimension: dimension, tolerance: tolerance).sampleEntropy
    }

    /// Composite multiscale entropy at one scale: the mean over all offsets of the blocks (Wu et al. 2013).
    static func composite(_ series: [Double], scale: Int, dimension: Int, tolerance: Double) -> Double? {
        var sum = 0.0
        for offset in 0..<scale {
            let blocks = coarse(series, scale: scale, offset: offset)
            let matches = TemplateMatches(blocks, dimension: dimension, tolerance: tolerance)
            guard let entropy = matches.sampleEntropy else { return nil }
            sum += entropy
        }
        return sum / Double(scale)
    }

    /// Refined composite multiscale entropy at one scale: of the matches of all offsets together (Wu et al. 2014).
    static func refinedComposite(_ series: [Double], scale: Int, dimension: Int, tolerance: Double) -> Double? {
        (0..<scale).reduce(TemplateMatches()) { sum, offset in
            sum
                + TemplateMatches(
                    coarse(series, scale: scale, offset: offset), dimension: dimension, tolerance: tolerance)
        }.sampleEntropy
    }

    /// The mean of an entropy over a range of scales; nil where one has none.
    static func mean(_ scales: ClosedRange<Int>, of entropy: (Int) -> Double?) -> Double? {
        var sum = 0.0
        for scale in scales {
            guard let value = entropy(scale) else { return nil }
            sum += value
        }
        return sum / Double(scales.count)
    }
}
