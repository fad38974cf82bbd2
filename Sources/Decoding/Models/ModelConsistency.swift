import Kernels

/// Whether a model that was read from a file can be used without a look at each number again: a file may be damaged.
extension FittedModel {
    /// Whether the model's numbers fit together and the verdict is what its scores say.
    public var isConsistent: Bool { model.isConsistent && report.isConsistent && verdict == ModelVerdict(report) }
}

extension ValidationReport {
    /// Whether all scores are shares, from 0 to 1.
    fileprivate var isConsistent: Bool {
        let scores = [nested, heldOut].flatMap { [$0.auc, $0.balancedAccuracy, $0.brier, $0.ece] }
        let bounds = [auc, balancedAccuracy].flatMap { [$0.lower, $0.upper] }
        return (scores + bounds).allSatisfy { (-1e-9...1 + 1e-9).contains($0) }
    }
}

/// Numbers that a model may hold.
enum ModelBound {
    /// The largest weight of a standardised feature, bias, slope or shift, all in log-odds: hundreds of times what fits give,
    /// and small enough that no value that is computed with it ceases to be finite.
    static let largest = 1e6

    static func holds(_ value: Double) -> Bool { value.magnitude <= largest }
}

extension FeatureLayout {
    /// Whether the features are those of its channels: a file may tell others than its model was made for.
    public var namesItsChannels: Bool {
        let made = try? FeatureLayout(
            labels: labels, sampleRate: sampleRate, parameters: parameters, cleaning: cleaning, epochs: epochs)
        return made?.names == names
    }
}

extension DecodingModel {
    /// Whether all vectors have the lengths that the layout asks for, and all numbers are finite, those that a score is
    /// multiplied with or moved by at most a million.
    public var isConsistent: Bool {
        layout.sampleRate.isFinite && layout.sampleRate > 0 && !layout.labels.isEmpty
            && scorer.isConsistent(features: layout.names.count, channels: layout.labels.count) && map.isConsistent
            && baseline.isConsistent(features: layout.names.count, channels: layout.labels.count)
            && ModelBound.holds(neutralShift) && smoothing.isFinite && smoothing >= 0
    }
}

extension Scorer {
    fileprivate func isConsistent(features: Int, channels: Int) -> Bool {
        guard classifier != nil || tangentClassifier != nil else { return false }
        if let classifier {
            guard classifier.isConsistent(features), standardisation?.isConsistent(features) == true else {
                return false
            }
        }
        guard let tangentClassifier else { return true }
        guard let whitening = tangent?.whitening else { return false }
        guard whitening.count == channels else { return false }
        let triangle = channels * (channels + 1) / 2
        return tangentClassifier.isConsistent(triangle) && tangentStandardisation?.isConsistent(triangle) == true
            && whitening.allSatisfy { $0.count == whitening.count && $0.allSatisfy(\.isFinite) }
    }
}

extension LinearClassifier {
    fileprivate func isConsistent(_ count: Int) -> Bool {
        weights.count == count && ModelBound.holds(bias) && weights.allSatisfy(ModelBound.holds)
    }
}

extension Standardisation {
    /// Whether it is of `count` columns, with spreads that can be divided by.
    func isConsistent(_ count: Int) -> Bool {
        centres.count == count && spreads.count == count && centres.allSatisfy(\.isFinite)
            && spreads.allSatisfy { $0.isFinite && $0 > 0 }
    }
}

extension ProbabilityMap {
    fileprivate var isConsistent: Bool {
        switch self {
        case .sigmoid(let slope, let offset): ModelBound.holds(slope) && ModelBound.holds(offset)
        case .isotonic(let thresholds, let values):
            thresholds.count == values.count && thresholds == thresholds.sorted()
                && values.allSatisfy { (0...1).contains($0) }
        }
    }
}
