public import Foundation
import Kernels
public import Signals

/// A participant's model of one prediction: from the features of an epoch to a value between 0 and 1.
public struct DecodingModel: Hashable, Codable, Sendable {
    /// The version of this form of model; another one is refused.
    public static let currentFormat = 3
    /// The version of the form it was written in.
    public private(set) var format = DecodingModel.currentFormat
    /// The name of the prediction.
    public var prediction: String
    /// What it sees.
    public var layout: FeatureLayout
    /// What scores an epoch.
    public var scorer: Scorer
    /// How scores become probabilities.
    public var map: ProbabilityMap
    /// The logit of the person's neutral epochs, subtracted.
    public var neutralShift: Double
    /// Seconds over which values are smoothed.
    public var smoothing: Seconds
    /// How features lay in the calibration.
    public var baseline: DriftBaseline

    init(
        prediction: String, layout: FeatureLayout, scorer: Scorer, map: ProbabilityMap, neutralShift: Double,
        smoothing: Seconds, baseline: DriftBaseline
    ) {
        (self.prediction, self.layout, self.scorer, self.map) = (prediction, layout, scorer, map)
        (self.neutralShift, self.smoothing, self.baseline) = (neutralShift, smoothing, baseline)
    }

    /// The value of an epoch, 0…1, 0.5 at the person's neutral; nil where it is not decodable.
    public func value(_ epoch: DecodableEpoch) -> Double? {
        guard epoch.features != nil else { return nil }
        return scorer.score(features: epoch.features, covariance: epoch.covariance).map(value)
    }

    /// The value for a score.
    func value(_ score: Double) -> Double {
        Odds.probability(Odds.logit(map.probability(score)) - neutralShift)
    }

    /// The model as a file: JSON with sorted keys, the same bytes for the same model.
    public func exported() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The model in a file, for data of this layout.
    /// - Throws: `ModelError` for what is no model, one of another format, or one made for other data.
    public static func imported(_ data: Data, layout: FeatureLayout) throws(ModelError) -> DecodingModel {
        struct Format: Decodable { var format: Int }
        let model: DecodingModel
        do {
            let format = try JSONDecoder().decode(Format.self, from: data).format
            guard format == currentFormat else {
                throw ModelError.mismatch("its format", found: "\(format)", expected: "\(currentFormat)")
            }
            model = try JSONDecoder().decode(DecodingModel.self, from: data)
            guard model.isConsistent else { throw ModelError.unreadable("its numbers do not fit together") }
        } catch let error as ModelError {
            throw error
        } catch {
            throw .unreadable("it is not a model in JSON")
        }
        try model.demand(layout)
        return model
    }

    /// Throws where data of this layout are not what the model was made for.
    public func demand(_ other: FeatureLayout) throws(ModelError) {
        func demand(_ what: String, _ found: String, _ expected: String) throws(ModelError) {
            if found != expected { throw .mismatch(what, found: found, expected: expected) }
        }
        try demand("the version of the features", "\(other.version)", "\(layout.version)")
        try demand("the channels", other.labels.joined(separator: ", "), layout.labels.joined(separator: ", "))
        try demand("the features", other.names.joined(separator: ", "), layout.names.joined(separator: ", "))
        func demandSame<Value: Equatable>(_ what: String, _ value: KeyPath<FeatureLayout, Value>) throws(ModelError) {
            if other[keyPath: value] != layout[keyPath: value] {
                throw .mismatch(
                    what, found: "with other parameters", expected: "those of the model, which its card tells")
            }
        }
        try demandSame("how features are computed", \.parameters)
        try demandSame("how the EEG is cleaned", \.cleaning)
        try demandSame("how the EEG is cut into epochs", \.epochs)
        if !(abs(other.sampleRate - layout.sampleRate) <= 0.01 * layout.sampleRate) {
            throw .mismatch("the sample rate", found: "\(other.sampleRate) Hz", expected: "\(layout.sampleRate) Hz")
        }
    }
}
