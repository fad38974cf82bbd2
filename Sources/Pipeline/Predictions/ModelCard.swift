public import Decoding
public import Foundation
import Signals

/// A model with all a reader needs to judge it: what it was made of, with which version, and how good it is.
public struct ModelCard: Codable, Sendable {
    /// The model, its scores and the verdict.
    public var fitted: FittedModel
    /// The recordings it was fitted to.
    public var recordings: [InputHash]
    /// The file that the blocks were told by; nil where the recordings' own markers did, or nobody noted it.
    public var labels: InputHash?
    /// The blocks; nil in cards of versions that did not note them.
    public var blocks: [CalibrationSpan]?
    /// Answers of the participant in the task; nil where it asked for no answers.
    public var performance: TaskPerformance?
    /// Version of the software that fitted it.
    public var version: String

    /// The card of a model.
    public init(
        fitted: FittedModel, recordings: [InputHash], labels: InputHash? = nil, blocks: [CalibrationSpan]? = nil,
        performance: TaskPerformance? = nil, version: String
    ) {
        self.performance = performance
        (self.fitted, self.recordings, self.version) = (fitted, recordings, version)
        (self.labels, self.blocks) = (labels, blocks)
    }

    /// The card in a file that was noted with this SHA-256, in hexadecimal; `name` is what it is called where it is not as
    /// it was.
    /// - Throws: `ModelError` where it is gone or was changed, else as `init(reading:)`.
    public init(reading url: URL, noted sha256: String, as name: String) throws(ModelError) {
        guard let hash = try? InputHash(of: url) else { throw .unreadable("\(name) is not there; fit it again") }
        guard hash.sha256 == sha256 else {
            throw .unreadable("\(name) was changed since it was noted; fit it again")
        }
        try self.init(reading: url)
    }

    /// The card in a file.
    /// - Throws: `ModelError` where it is none, its model is of another format or sees features of another version, or
    ///   its numbers contradict one another or are beyond a million, or its features are not those of its channels.
    public init(reading url: URL) throws(ModelError) {
        do {
            let data = try Data(contentsOf: url)
            try JSONDecoder().decode(Versions.self, from: data).demandCurrent()
            self = try JSONDecoder().decode(ModelCard.self, from: data)
            let layout = fitted.model.layout
            guard layout.namesItsChannels else {
                throw ModelError.unreadable(
                    "its features are not those of its channels \(layout.labels.joined(separator: ", ").shown); it was damaged "
                        + "or changed by hand")
            }
            guard fitted.isConsistent else {
                throw ModelError.unreadable("its numbers do not fit together; it was damaged or changed by hand")
            }
        } catch let error as ModelError {
            throw error
        } catch {
            throw .unreadable("\(url.relativePath) is not a model's card; make one with: marey calibrate fit")
        }
    }

    /// What is read first: the rest of a card of another version may have another form.
    private struct Versions: Decodable {
        struct Fitted: Decodable { var model: Model }
        struct Model: Decodable {
            var format: Int
            var layout: Layout
        }
        struct Layout: Decodable { var version: Int }
        var fitted: Fitted

        func demandCurrent() throws(ModelError) {
            let (format, version) = (fitted.model.format, fitted.model.layout.version)
            guard format == DecodingModel.currentFormat, version == FeatureLayout.currentVersion else {
                throw .unreadable(
                    "it is of format \(format) with features of version \(version), and this program reads format "
                        + "\(DecodingModel.currentFormat) with version \(FeatureLayout.currentVersion): fit it again")
            }
        }
    }

    /// The card as a file: JSON with sorted keys, the same bytes for the same card.
    public func json() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return try Array(encoder.encode(self))
    }

    /// The scores in a line.
    public var summary: String {
        let report = fitted.report
        func percent(_ share: Double) -> String { Scores.percent(share) }
        func number(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
        return "\(fitted.model.prediction): balanced accuracy \(percent(report.nested.balancedAccuracy)) "
            + "(\(percent(report.balancedAccuracy.lower)) to \(percent(report.balancedAccuracy.upper))), "
            + "AUC \(number(report.nested.auc)), Brier \(number(report.nested.brier)) (always 0.5: 0.25), "
            + "p \(number(report.permutationP)) at level \(report.level ?? ModelVerdict.significance), "
            + "quality \(report.quality.rawValue)"
            + (report.attempt.map { ", attempt \($0)" } ?? "") + ", last blocks AUC \(number(report.heldOut.auc))"
            + (performance.map { "; task: \($0.summary)" } ?? "")
    }
}
