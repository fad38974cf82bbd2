/// What is known of how good a model is.
public struct ValidationReport: Hashable, Codable, Sendable {
    /// On training blocks, each by models that never met its fold: nested validation.
    public var nested: Scores
    /// Where the nested AUC lies with 95 % confidence, over resampled blocks.
    public var auc: Interval
    /// Where the nested balanced accuracy lies with 95 % confidence.
    public var balancedAccuracy: Interval
    /// The reliability diagram of the nested values.
    public var reliability: [Scores.Bin]
    /// On the last block of each state, which the model as it is used never met.
    public var heldOut: Scores
    /// How the blocks' real names stand among others.
    public var permutation: PermutationResult
    /// Blocks and epochs of each state that were used.
    public var used: [DecodedState: Amount]

    /// How much of a state there was.
    public struct Amount: Hashable, Codable, Sendable {
        /// Blocks with decodable epochs.
        public var blocks: Int
        /// Decodable epochs.
        public var epochs: Int
    }

    /// The chance to tell blocks apart as well if they were all of one state.
    public var permutationP: Double { permutation.p }

    /// The mean squared distance of "always 0.5", which a model has to beat.
    public static let brierOfHalf = 0.25
}

/// Whether a model may be used.
public enum ModelVerdict: Hashable, Codable, Sendable {
    /// It is better than chance.
    case accepted
    /// It is not: why, in words a person understands.
    case refused(String)

    /// p must be below.
    public static let significance = 0.05
    /// With fewer orders of the blocks p cannot be below, whatever the states do.
    private static let leastOrders = 21

    init(_ report: ValidationReport) {
        guard report.permutation.labellings >= Self.leastOrders else {
            self = .refused(
                "the two states came in so few turns that what changes with time alone cannot be told from them: let their blocks alternate and repeat the calibration"
            )
            return
        }
        let percent = Scores.percent(report.nested.balancedAccuracy)
        if report.permutationP >= Self.significance {
            let p = (report.permutationP * 1000).rounded() / 1000
            self = .refused(
                "the two states could not be told apart better than by chance (p = \(p), balanced accuracy \(percent)): repeat the calibration, sitting still and following the task closely"
            )
        } else if !(report.nested.auc > 0.5) {
            self = .refused(
                "models fitted to part of the calibration did not hold in the rest (balanced accuracy \(percent)): repeat the calibration"
            )
        } else if !(report.heldOut.auc > 0.5) {
            self = .refused(
                "the model did not hold in the last blocks of the calibration, which were kept aside for this: repeat the calibration"
            )
        } else {
            self = .accepted
        }
    }
}
