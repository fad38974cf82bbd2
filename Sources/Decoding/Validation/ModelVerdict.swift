/// Why a calibration gives no model: the cause that programs decide on. Its text is for people.
public enum RefusalReason: String, Codable, CaseIterable, Sendable {
    /// The states alternate too rarely to separate them from a drift.
    case fewTurns
    /// The states are not separated better than by chance.
    case chance
    /// Models of some folds did not hold in others.
    case unstable
    /// The model did not hold in the blocks that were kept aside.
    case heldOut
    /// The model's AUC is below the smallest useful one of the study.
    case weak
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
    /// Earlier attempts spent the significance level, and this number of blocks cannot reach the rest.
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

/// The decision about a model.
public enum ModelVerdict: Hashable, Codable, Sendable {
    /// It is better than chance, and than what muscles, eyes and head movement explain.
    case accepted
    /// It is not: why, in words a person understands, and as a cause for programs.
    case refused(String, reason: RefusalReason)

    /// p must be below, in reports that note no level of their own.
    public static let significance = 0.05
    init(_ report: ValidationReport) {
        let level = report.level ?? Self.significance
        // With fewer orders of the blocks p cannot be below the level.
        guard Double(report.permutation.labellings) * level > 1 else {
            self = .refused(
                "the two states came in so few turns that they cannot be separated from changes over time: let their blocks alternate and repeat the calibration",
                reason: .fewTurns)
            return
        }
        let percent = Scores.percent(report.nested.balancedAccuracy)
        let isChance = report.permutationP >= level
        if let refusal = Self.ofArtifact(report, isChance: isChance, level) {
            self = refusal
        } else if isChance {
            self = .refused(
                "the two states could not be separated better than by chance (p = \(Self.text(report.permutationP)), below \(Self.text(level)) is needed; balanced accuracy \(percent)): repeat the calibration, sitting still and following the task closely",
                reason: .chance)
        } else if let controls = report.controls, controls.regressed.p >= level {
            self = .refused(
                "without what muscles, eyes and head movements explain, the two states could not be separated better than by chance (p = \(Self.text(controls.regressed.p))): repeat the calibration with a relaxed jaw, a steady gaze and a still head",
                reason: .chance)
        } else if !(report.nested.auc > 0.5) {
            self = .refused(
                "models fitted to part of the calibration did not hold in the rest (balanced accuracy \(percent)): repeat the calibration",
                reason: .unstable)
        } else if !(report.heldOut.auc > 0.5) {
            self = .refused(
                "the model did not hold in the last blocks of the calibration, which were kept aside for this: repeat the calibration",
                reason: .heldOut)
        } else if !(report.nested.auc >= report.leastAUC ?? 0) {
            self = .refused(
                "the model's AUC of \(Self.text(report.nested.auc)) is below the smallest useful one of this study, \(Self.text(report.leastAUC ?? 0)): repeat the calibration",
                reason: .weak)
        } else {
            self = .accepted
        }
    }

    /// The refusal that names an artifact source; nil where none is to be named.
    private static func ofArtifact(
        _ report: ValidationReport, isChance: Bool, _ level: Double
    ) -> ModelVerdict? {
        guard let controls = report.controls else { return nil }
        let isExplained = isChance || controls.regressed.p >= level
        guard isExplained, let source = controls.suspect, let control = controls.artifacts[source]
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
