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
    /// Models of what is not the brain, in the same folds; nil in reports of versions that fitted none, and where nothing of it
    /// was measured.
    public var controls: ControlReport?
    /// The significance level of the test; nil in reports of versions that tested every attempt at 0.05.
    public var level: Double?
    /// Which attempt of the participant with this prediction and montage it was, from 1; nil where attempts were not counted.
    public var attempt: Int?
    /// The smallest nested AUC that was asked of it; nil for 0.5.
    public var leastAUC: Double?

    /// How much of a state there was.
    public struct Amount: Hashable, Codable, Sendable {
        /// Blocks with decodable epochs.
        public var blocks: Int
        /// Decodable epochs.
        public var epochs: Int
    }

    /// The usefulness of the model in a word.
    public var quality: ModelQuality { ModelQuality(auc: nested.auc) }

    /// The chance to tell blocks apart as well if they were all of one state.
    public var permutationP: Double { permutation.p }

    /// The mean squared distance of "always 0.5", which a model has to beat.
    public static let brierOfHalf = 0.25
}
