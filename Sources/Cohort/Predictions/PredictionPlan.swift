public import Decoding
import Formats
public import Foundation
public import Pipeline
public import Study

/// Which predictions a session was started with, and the models they come from. It lies beside the recording, so that
/// every analysis of it tells the same.
public struct PredictionPlan: Hashable, Codable, Sendable {
    /// A model's card, as a file of the study.
    public struct Model: Hashable, Codable, Sendable {
        /// The prediction it is for.
        public var prediction: String
        /// Its path in the study.
        public var file: String
        /// The file's SHA-256, in hexadecimal.
        public var sha256: String
    }

    /// The predictions' names.
    public var predictions: [String]
    /// The models they come from, each once.
    public var models: [Model]

    /// The plan for these predictions of a participant, with their latest models.
    /// - Throws: `ModelError` where there is no model; `StudyError`.
    public init(_ predictions: [Prediction], of participant: String, bookkeeping: Bookkeeping) throws {
        self.predictions = predictions.map(\.name)
        models = []
        for name in predictions.flatMap(\.models) where !models.contains(where: { $0.prediction == name }) {
            guard let record = try bookkeeping.latestModel(participant: participant, prediction: name) else {
                throw ModelError.unreadable("there is none for \(name); make one with: marey calibrate fit")
            }
            models.append(Model(prediction: name, file: record.file, sha256: record.sha256))
        }
    }

    /// Where the plan of a recording lies.
    public static func file(for recording: URL) -> URL {
        recording.deletingPathExtension().appendingPathExtension("predictions.json")
    }

    /// The plan beside a recording; nil where there is none.
    /// - Throws: `FormatError` where there is one that cannot be read.
    public init?(beside recording: URL) throws {
        let url = Self.file(for: recording)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            self = try JSONDecoder().decode(PredictionPlan.self, from: Data(contentsOf: url))
        } catch {
            throw FormatError(url, "is no plan of predictions: \(error.localizedDescription)")
        }
    }

    /// Writes the plan beside a recording.
    public func write(beside recording: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try writeAtomically(Array(encoder.encode(self)) + [0x0A], to: Self.file(for: recording), isPrivate: true)
    }

    /// What is to be computed: the models as they were when the plan was made.
    /// - Throws: `ModelError` where a model is gone or was changed.
    public func request(in study: StudyFolder) throws -> PredictionRequest {
        var found: [String: DecodingModel] = [:]
        for model in models {
            found[model.prediction] = try ModelCard(
                reading: study.root.appendingPathComponent(model.file), noted: model.sha256, as: model.file
            ).fitted.model
        }
        return PredictionRequest(predictions, models: found)
    }
}
