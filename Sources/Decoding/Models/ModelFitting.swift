import Kernels
public import Signals

/// Fits a participant's model to a calibration and says, honestly, how good it is.
public struct ModelFitting: Sendable {
    /// How scores become probabilities.
    public enum Map: String, Codable, CaseIterable, Sendable {
        case sigmoid, isotonic
    }

    /// The candidates.
    public var candidates = ModelKind.all
    /// How scores become probabilities.
    public var map = Map.sigmoid
    /// The fewest blocks of each state.
    public static let leastBlocks = BlockFolds.leastBlocks
    /// The fewest decodable epochs of each state.
    public var leastEpochs = 40
    /// The fewest decodable neutral epochs that say where the person's neutral is. With fewer, neutral blocks are left
    /// out: 0.5 is the middle between the two states then, and the baseline all that models are fitted to.
    public var leastNeutralEpochs = 10
    /// Seconds over which values are smoothed.
    public var smoothing: Seconds = 4
    /// Which attempt of the participant with this prediction and montage it is, from 1.
    public var attempt = 1
    /// p must be below.
    public var level = SignificanceSpending.first
    /// The smallest nested AUC of a model that may be used, 0.5 to 1.
    public var leastAUC = 0.5

    /// The defaults.
    public init() {}

    /// The model and its validation.
    ///
    /// The last low and the last high block are looked at once, at the very end. The candidates are weighed on the others alone.
    /// - Parameters:
    ///   - blocks: in order of time.
    ///   - layout: what the epochs' features are.
    /// - Throws: `ModelError` with too little data, or data that allow no fit.
    public func fit(
        _ blocks: [CalibrationBlock], prediction: String, layout: FeatureLayout
    ) throws(ModelError) -> FittedModel {
        let examples = withEnoughNeutral(blocks.compactMap(Examples.init))
        if let odd = examples.flatMap(\.features).first(where: { $0.count != layout.names.count }) {
            throw .mismatch("the number of features", found: "\(odd.count)", expected: "\(layout.names.count)")
        }
        let folds = try BlockFolds(examples.map(\.state))
        try demandEpochs(examples)
        try demandOrders(folds, examples)
        do {
            return try fit(examples, folds, prediction, layout)
        } catch {
            throw .numerics("\(error)")
        }
    }

    private func withEnoughNeutral(_ examples: [Examples]) -> [Examples] {
        let neutral = examples.filter { $0.state == .neutral }.reduce(0) { $0 + $1.count }
        return neutral < leastNeutralEpochs ? examples.filter { $0.state != .neutral } : examples
    }

    /// The maximum number of labellings: enough for p to fall below the level.
    private var maximumLabellings: Int { max(1000, Int(min(20_000, (10 / level).rounded(.up)))) }

    /// With few blocks p cannot fall below the level of a late attempt: nothing is tested then, and nothing spent.
    private func demandOrders(_ folds: BlockFolds, _ examples: [Examples]) throws(ModelError) {
        guard attempt > 1 else { return }
        let orders = StateOrders(folds.training.map { examples[$0].state == .high })
        // Of as many blocks of both states, the labelling with the states swapped is as good as the real one.
        let asGood = orders.high == orders.low ? 2.0 : 1
        guard min(orders.count, Double(maximumLabellings)) * level <= asGood else { return }
        // Alternating blocks, one of each state kept aside.
        var needed = BlockFolds.leastBlocks
        func ways(_ blocks: Int) -> Double {
            (1...blocks).reduce(1) { $0 * Double(blocks + $1) / Double($1) }
        }
        while ways(needed - 1) * level <= 2, needed < 30 { needed += 1 }
        throw .levelSpent(attempt: attempt, level: level, blocks: needed)
    }

    private func demandEpochs(_ examples: [Examples]) throws(ModelError) {
        for state in [DecodedState.low, .high] {
            let found = examples.filter { $0.state == state }.reduce(0) { $0 + $1.count }
            if found < leastEpochs { throw .tooFewEpochs(state, found: found, needed: leastEpochs) }
        }
    }

    private func fit(
        _ examples: [Examples], _ folds: BlockFolds, _ prediction: String, _ layout: FeatureLayout
    ) throws(LinearAlgebraError) -> FittedModel {
        let trainer = Trainer(
            examples, reference: folds.training.map { examples[$0] }, layout: layout)
        let validation = NestedValidation(trainer: trainer, folds: folds, candidates: candidates)
        guard let mixture = try validation.weigh(Array(folds.folds.indices), map: map),
            let scorer = try trainer.fit(mixture, trainer.training(folds.training + folds.neutral))
        else { throw .dimensions("a model", found: "no candidate", expected: "one that fits the data") }
        let shift = neutralShift(validation.score(scorer, folds.neutral), mixture.map)
        let model = DecodingModel(
            prediction: prediction, layout: layout, scorer: scorer, map: mixture.map, neutralShift: shift,
            smoothing: smoothing,
            baseline: DriftBaseline(examples, measures: layout.measures, channels: layout.measureChannels))
        let report = try self.report(validation, model, examples)
        return FittedModel(model: model, report: report, verdict: ModelVerdict(report))
    }

    /// The logit at which the person's neutral epochs stand: subtracted, they stand at 0.5. 0 where there are none.
    private func neutralShift(_ neutral: [ScoredBlock], _ map: ProbabilityMap) -> Double {
        let values = neutral.flatMap(\.values).map { Odds.logit(map.probability($0)) }
        return values.isEmpty ? 0 : Statistics.median(values)
    }

    private func report(
        _ validation: NestedValidation, _ model: DecodingModel, _ examples: [Examples]
    ) throws(LinearAlgebraError) -> ValidationReport {
        let nested = try validation.validated(map: map)
        let folds = validation.folds
        let heldOut = validation.score(model.scorer, folds.heldOut).map { block in
            ScoredBlock(isHigh: block.isHigh, values: block.values.map(model.value))
        }
        let intervals = Scores.intervals(nested)
        let permutation = try permutation(validation.trainer, folds, model.layout).result(
            most: maximumLabellings)
        var used: [DecodedState: ValidationReport.Amount] = [:]
        for example in examples {
            let before = used[example.state] ?? ValidationReport.Amount(blocks: 0, epochs: 0)
            used[example.state] = ValidationReport.Amount(
                blocks: before.blocks + 1, epochs: before.epochs + example.count)
        }
        return ValidationReport(
            nested: Scores(nested), auc: intervals.auc, balancedAccuracy: intervals.balancedAccuracy,
            reliability: Scores.bins(
                low: nested.filter { !$0.isHigh }.flatMap(\.values), high: nested.filter(\.isHigh).flatMap(\.values)),
            heldOut: Scores(heldOut), permutation: permutation, used: used,
            controls: try controls(validation.trainer, folds, model.layout), level: level, attempt: attempt,
            leastAUC: leastAUC)
    }

    private func controls(
        _ trainer: Trainer, _ folds: BlockFolds, _ layout: FeatureLayout
    ) throws(LinearAlgebraError) -> ControlReport? {
        let measures = ControlMeasures(folds.training.map { trainer.blocks[$0].controls })
        guard let confounds = measures.confounds else { return nil }
        var report = ControlReport(
            regressed: try permutation(trainer, folds, layout, regressing: confounds).result(most: maximumLabellings))
        let isHigh = folds.training.map { trainer.blocks[$0].state == .high }
        for (source, spaces) in measures.spaces {
            report.artifacts[source] = try BlockPermutation(
                spaces: spaces, folds: Self.parts(folds), isHigh: isHigh
            ).result()
        }
        for (kind, rows) in measures.reported {
            report.reported[kind] = try BlockPermutation(
                spaces: [rows], folds: Self.parts(folds), isHigh: isHigh
            ).result()
        }
        return report
    }

    /// The folds by places among the training blocks.
    private static func parts(_ folds: BlockFolds) -> [[Int]] {
        let places = Dictionary(uniqueKeysWithValues: folds.training.enumerated().map { ($0.element, $0.offset) })
        return folds.folds.map { $0.compactMap { places[$0] } }
    }

    private func permutation(
        _ trainer: Trainer, _ folds: BlockFolds, _ layout: FeatureLayout, regressing confounds: [[[Double]]]? = nil
    ) throws(LinearAlgebraError) -> BlockPermutation {
        let standardisation = Standardisation(folds.training.flatMap { trainer.blocks[$0].features })
        let features = folds.training.map { trainer.blocks[$0].features.map(standardisation.applied) }
        var spaces = [layout.measures, layout.spectrum].filter { !$0.isEmpty }.map { places in
            features.map { rows in rows.map { row in places.map { row[$0] } } }
        }
        if trainer.tangent != nil { spaces.append(folds.training.map { trainer.vectors[$0] }) }
        return try BlockPermutation(
            spaces: spaces, folds: Self.parts(folds),
            isHigh: folds.training.map { trainer.blocks[$0].state == .high }, regressing: confounds)
    }
}

/// A model with what is known of it.
public struct FittedModel: Hashable, Codable, Sendable {
    /// The model.
    public var model: DecodingModel
    /// How good it is.
    public var report: ValidationReport
    /// Whether it may be used.
    public var verdict: ModelVerdict
}
