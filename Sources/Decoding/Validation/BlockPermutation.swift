import Kernels

/// Whether blocks of the two states differ at all: how often labels shared out otherwise among the blocks are told apart
/// as well. Blocks are shuffled whole, since the epochs of one are alike (Ojala & Garriga 2010; Nichols & Holmes 2002), and
/// only such labels count as change from one state to the other no more often than the real ones: where all of one state
/// came before the other, what drifts would tell them apart as well as any state, and other orders would not show it.
///
/// The statistic is the greatest of the AUCs, out of fold, of discriminants on features, on lines of the spectrum and on the
/// tangent space; its covariance is that of all epochs, so that a shuffle costs means alone. Weights of a discriminant are
/// sums over the training blocks, each taken for or against, so its scores are sums of products that no shuffle changes.
struct BlockPermutation {
    private let views: [[Fold]]
    private let isHigh: [Bool]

    /// What is left out for testing and what it is tested with, in one space, whatever the labels.
    private struct Fold {
        var tested: [Int]
        var training: [Int]
        /// How many rows each training block has.
        var counts: [Int]
        /// Per pair of training blocks, the sum of one's rows times the inverse shrunk covariance times the other's.
        var products: Matrix
        /// Per tested block, each row times the inverse times the sum of each training block.
        var reached: [Matrix]

        /// The scores of the tested blocks in units of the distance of the training means; nil without blocks of both states.
        func scores(_ labels: [Bool]) -> [[Double]]? {
            let low = 1 / Double(zip(training, counts).reduce(0) { $0 + (labels[$1.0] ? 0 : $1.1) })
            let high = 1 / Double(zip(training, counts).reduce(0) { $0 + (labels[$1.0] ? $1.1 : 0) })
            guard low.isFinite, high.isFinite else { return nil }
            // What each block has in the difference of the means, and in their sum.
            let difference = training.map { labels[$0] ? high : -low }
            let sum = training.map { labels[$0] ? high : low }
            var (size, middle) = (0.0, 0.0)
            for (row, share) in difference.enumerated() {
                for column in sum.indices {
                    size += share * products[row, column] * difference[column]
                    middle += share * products[row, column] * sum[column] / 2
                }
            }
            guard size > 0 else { return nil }
            let scale = 1 / size.squareRoot()
            return reached.map { rows in
                (0..<rows.rows).map { row in
                    var score = -middle
                    for (column, share) in difference.enumerated() { score += share * rows[row, column] }
                    return scale * score
                }
            }
        }
    }

    /// - Parameters:
    ///   - spaces: for each space the rows of each block.
    ///   - folds: block indices, together all blocks.
    ///   - confounds: of each block's rows the measures that are regressed from them within each fold's training rows; nil
    ///     for unchanged rows.
    init(
        spaces: [[[[Double]]]], folds: [[Int]], isHigh: [Bool], regressing confounds: [[[Double]]]? = nil
    ) throws(LinearAlgebraError) {
        self.isHigh = isHigh
        var views: [[Fold]] = []
        for blocks in spaces {
            var view: [Fold] = []
            for fold in folds { view.append(try Self.fold(fold, of: blocks, confounds)) }
            views.append(view)
        }
        self.views = views
    }

    private static func fold(
        _ tested: [Int], of blocks: [[[Double]]], _ confounds: [[[Double]]]?
    ) throws(LinearAlgebraError) -> Fold {
        let training = blocks.indices.filter { !tested.contains($0) }
        var blocks = blocks
        if let confounds {
            let regression = try ConfoundRegression(
                rows: training.flatMap { blocks[$0] }, on: training.flatMap { confounds[$0] })
            for block in blocks.indices {
                blocks[block] = try regression.residuals(blocks[block], confounds[block])
            }
        }
        let covariance = try ShrunkCovariance(Matrix(training.flatMap { blocks[$0] }))
        let sums = try Matrix(
            training.map { block in
                ShrinkageLDA.mean(blocks[block]).map { $0 * Double(blocks[block].count) }
            })
        let turned = try covariance.solve(sums.transposed)
        var reached: [Matrix] = []
        for block in tested { reached.append(try Matrix(blocks[block]).multiplied(by: turned)) }
        return Fold(
            tested: tested, training: training, counts: training.map { blocks[$0].count },
            products: try sums.multiplied(by: turned), reached: reached)
    }

    /// How the real labelling stands among others, itself among them: over all of them where they are at most `most`,
    /// else over as many random ones.
    func result(most: Int = 1000) -> PermutationResult {
        var result = PermutationResult(observed: statistic(isHigh))
        let orders = StateOrders(isHigh)
        if let all = orders.all(most: most) {
            for labels in all { result.count(statistic(labels)) }
            return result
        }
        var random = RandomSource(seed: 1, "shuffled blocks")
        result.count(result.observed)
        for _ in 1..<most { result.count(statistic(orders.random(&random))) }
        return result
    }

    private func statistic(_ labels: [Bool]) -> Double {
        var best = 0.0
        for view in views {
            var (low, high) = ([Double](), [Double]())
            for fold in view {
                guard let scores = fold.scores(labels) else { continue }
                for (block, values) in zip(fold.tested, scores) {
                    if labels[block] { high += values } else { low += values }
                }
            }
            let auc = Scores.auc(low: low, high: high)
            if auc > best { best = auc }
        }
        return best
    }
}
