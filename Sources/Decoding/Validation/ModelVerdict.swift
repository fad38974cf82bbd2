/// Why a calibration gives no model: the cause that programs decide on. Its text is for people.
public enum RefusalReason: String, Codable, CaseIterable, Sendable {
    /// The states came in too few turns to tell them from a drift.
    case fewTurns
    /// The states are not separated better than by chance.
    case chance
    /// Models of some folds did not hold in others.
    case unstable
    /// The model did not hold in the blocks that were kept aside.
    case heldOut
    /// Muscle activity separates the states, and nothing else does.
    case muscle
    /// Eye movements or blinks separate the states, and nothing else does.
    case eyes
    /// Head movements separate the states, and nothing else does.
    case motion
    /// A state has too few blocks with clean data.
    case tooFewBlocks
    /// A state has too few clean epochs.
    case tooFewEpochs
    /// The participant did not do the task.
    case taskNotDone
    /// Earlier attempts spent so much of the significance level that this number of blocks cannot reach what is left.
    case levelSpent
    /// The data allow no fit, or the recording could not be used.
    case unusable

    init(_ source: ArtifactSource) {
        switch source {
        case .muscle: self = .muscle
        case .eyes: self = .eyes
        case .motion: self = .motion
        }
    }
}

/// Whether a model may be used.
public enum ModelVerdict: Hashable, Codable, Sendable {
    /// It is better than chance, and than what muscles, eyes and head movement explain.
    case accepted
    /// It is not: why, in words a person understands, and as a cause for programs.
    case refused(String, reason: RefusalReason)

    /// p must be below.
    public static let significance = 0.05
    /// With fewer orders of the blocks p cannot be below, whatever the states do.
    private static let leastOrders = 21

    init(_ report: ValidationReport) {
        guard report.permutation.labellings >= Self.leastOrders else {
            self = .refused(
                "the two states came in so few turns that what changes with time alone cannot be told from them: let their blocks alternate and repeat the calibration",
                reason: .fewTurns)
            return
        }
        let percent = Scores.percent(report.nested.balancedAccuracy)
        let isChance = report.permutationP >= Self.significance
        if let refusal = Self.ofArtifact(report, isChance: isChance) {
            self = refusal
        } else if isChance {
            self = .refused(
                "the two states could not be told apart better than by chance (p = \(Self.text(report.permutationP)), balanced accuracy \(percent)): repeat the calibration, sitting still and following the task closely",
                reason: .chance)
        } else if let controls = report.controls, controls.regressed.p >= Self.significance {
            self = .refused(
                "without what muscles, eyes and head movements explain, the two states could not be told apart better than by chance (p = \(Self.text(controls.regressed.p))): repeat the calibration with a relaxed jaw, a steady gaze and a still head",
                reason: .chance)
        } else if !(report.nested.auc > 0.5) {
            self = .refused(
                "models fitted to part of the calibration did not hold in the rest (balanced accuracy \(percent)): repeat the calibration",
                reason: .unstable)
        } else if !(report.heldOut.auc > 0.5) {
            self = .refused(
                "the model did not hold in the last blocks of the calibration, which were kept aside for this: repeat the calibration",
                reason: .heldOut)
        } else {
            self = .accepted
        }
    }

    /// The refusal that names an artifact source; nil where none is to be named.
    private static func ofArtifact(_ report: ValidationReport, isChance: Bool) -> ModelVerdict? {
        guard let controls = report.controls else { return nil }
        let isExplained = isChance || controls.regressed.p >= significance
        guard let source = isExplained ? controls.suspect : controls.dominant(at: significance),
            let control = controls.artifacts[source]
        else { return nil }
        let advice =
            switch source {
            case .muscle: "relax the jaw, the forehead and the neck in all blocks"
            case .eyes: "look at one point and blink as usual in all blocks"
            case .motion: "keep the head still in all blocks"
            }
        let scores = "AUC \(text(control.observed)) by them alone, \(text(controls.regressed.observed)) without them"
        return .refused(
            "the two states differ in \(source.explanation) (\(scores)), and it cannot be shown that they differ in the brain: \(advice) and repeat the calibration",
            reason: RefusalReason(source))
    }

    private static func text(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
