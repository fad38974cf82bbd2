import Kernels

/// Whether blocks of the two states differ at all: how often labels shared out otherwise among the blocks are told apart
/// as well. Blocks are shuffled whole, since the epochs of one are alike (Ojala & Garriga 2010; Nichols & Holmes 2002).
///
/// The statistic is the greatest of the AUCs, out of fold, of discriminants on features, on lines of the spectrum and on the
/// tangent space; its covariance is that of all epochs, so that a shuffle costs means alone.
struct BlockPermutation {
    private let views: [View]
    private let folds: [[Int]]
    private let isHigh: [Bool]

    /// Blocks in one space, with what a fold needs whatever the labels.
    private struct View {
        var blocks: [[[Double]]]
        var sums: [[Double]]
        /// Per fold, the inverse of the training blocks' shrunk covariance.
        var inverses: [Matrix]
    }

    /// - Parameters:
    ///   - spaces: for each space the rows of each block.
    ///   - folds: block indices, together all blocks.
    init(spaces: [[[[Double]]]], folds: [[Int]], isHigh: [Bool]) throws(LinearAlgebraError) {
        (self.folds, self.isHigh) = (folds, isHigh)
        var views: [View] = []
        for blocks in spaces {
            var inverses: [Matrix] = []
            for fold in folds {
                let rows = blocks.indices.filter { !fold.contains($0) }.flatMap { blocks[$0] }
                let covariance = try Covariance.ledoitWolf(Matrix(rows)).matrix
                inverses.append(try covariance.choleskySolve(.identity(covariance.rows)))
            }
            let sums = blocks.map { rows in ShrinkageLDA.mean(rows).map { $0 * Double(rows.count) } }
            views.append(View(blocks: blocks, sums: sums, inverses: inverses))
        }
        self.views = views
    }

    /// How the real labelling stands among others, itself among them: over all of them where they are at most `most`,
    /// else over as many random ones.
    func result(most: Int = 1000) throws(LinearAlgebraError) -> PermutationResult {
        var result = PermutationResult(observed: try statistic(isHigh))
        let all = Self.labellings(isHigh.count, high: isHigh.count { $0 }, most: most)
        if let all {
            for labels in all { result.count(try statistic(labels)) }
            return result
        }
        var random = RandomSource(seed: 1, "shuffled blocks")
        var labels = isHigh
        result.count(result.observed)
        for _ in 1..<most {
            for index in stride(from: labels.count - 1, to: 0, by: -1) {
                labels.swapAt(index, random.index(below: index + 1))
            }
            result.count(try statistic(labels))
        }
        return result
    }

    /// All ways to call `high` of `count` blocks high; nil where they are more than `most`.
    static func labellings(_ count: Int, high: Int, most: Int) -> [[Bool]]? {
        var ways = 1.0
        for index in 0..<high { ways = ways * Double(count - index) / Double(index + 1) }
        guard ways <= Double(most) + 0.5 else { return nil }
        var found: [[Bool]] = []
        func extend(_ labels: [Bool], _ left: Int) {
            let rest = count - labels.count
            if rest == 0 { return found.append(labels) }
            if left > 0 { extend(labels + [true], left - 1) }
            if rest > left { extend(labels + [false], left) }
        }
        extend([], high)
        return found
    }

    private func statistic(_ labels: [Bool]) throws(LinearAlgebraError) -> Double {
        var best = 0.0
        for view in views {
            var (low, high) = ([Double](), [Double]())
            for (fold, inverse) in zip(folds, view.inverses) {
                guard let scores = try score(view, fold, inverse, labels) else { continue }
                for (block, values) in zip(fold, scores) {
                    if labels[block] { high += values } else { low += values }
                }
            }
            let auc = Scores.auc(low: low, high: high)
            if auc > best { best = auc }
        }
        return best
    }

    /// The scores of a fold's blocks in units of the distance of the training means; nil without blocks of both states.
    private func score(
        _ view: View, _ fold: [Int], _ inverse: Matrix, _ labels: [Bool]
    ) throws(LinearAlgebraError) -> [[Double]]? {
        var (low, high) = ([Double](repeating: 0, count: inverse.rows), [Double](repeating: 0, count: inverse.rows))
        var (lowCount, highCount) = (0, 0)
        for block in view.blocks.indices where !fold.contains(block) {
            for index in low.indices {
                if labels[block] {
                    high[index] += view.sums[block][index]
                } else {
                    low[index] += view.sums[block][index]
                }
            }
            if labels[block] { highCount += view.blocks[block].count } else { lowCount += view.blocks[block].count }
        }
        guard lowCount > 0, highCount > 0 else { return nil }
        for index in low.indices {
            low[index] /= Double(lowCount)
            high[index] /= Double(highCount)
        }
        let difference = ShrinkageLDA.difference(high, low)
        let weights = try inverse.multiplied(by: difference)
        let size = zip(weights, difference).reduce(0) { $0 + $1.0 * $1.1 }
        guard size > 0 else { return nil }
        let scale = 1 / size.squareRoot()
        let middle = weights.indices.reduce(0) { $0 + weights[$1] * (low[$1] + high[$1]) / 2 }
        return fold.map { block in
            view.blocks[block].map { row in
                scale * (row.indices.reduce(0) { $0 + weights[$1] * row[$1] } - middle)
            }
        }
    }
}
