public import Decoding
public import Signals

/// The predictions somebody wants of a recording, with the models they need.
public struct PredictionRequest: Sendable {
    /// Their names, as the registry has them.
    public var names: [String]
    /// Models by the name of their prediction, those that others rest on among them.
    public var models: [String: DecodingModel]

    /// These predictions; without names: none.
    public init(_ names: [String] = [], models: [String: DecodingModel] = [:]) {
        (self.names, self.models) = (names, models)
    }

    /// Nothing is wanted.
    public static let none = PredictionRequest()

    /// Makes sure, before a session, that the models were made for the EEG among these streams. Of several EEG streams one
    /// that fits is enough: which the session takes is not known before. Nothing is demanded where there is none.
    /// - Throws: `ModelError` where a model is missing or was made for other data; what `DecodableTrack` throws.
    public func demandFit(to streams: [StreamHeader], parameters: Parameters) throws {
        guard !decoded.isEmpty else { return }
        let header = RecordingHeader(streams: streams, format: "")
        var refusal: (any Error)?
        for source in BrainSource.all(in: header) {
            do {
                _ = try PredictionTrack(self, on: source, in: header, parameters: parameters)
                return
            } catch { refusal = refusal ?? error }
        }
        if let refusal { throw refusal }
    }

    /// What the first model that is needed sees; one that sees something else is refused beside it.
    var layout: FeatureLayout? {
        PredictionDecoders.needed(names).lazy.compactMap { models[$0]?.layout }.first
    }

    /// Those that come from models of EEG.
    var decoded: [String] { names.filter { !Prediction.models(of: $0).isEmpty } }

    /// Whether this prediction is wanted.
    func has(_ prediction: Prediction) -> Bool { names.contains(prediction.name) }
}
