public import Decoding

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

    /// What the first model that is needed sees; one that sees something else is refused beside it.
    var layout: FeatureLayout? {
        PredictionDecoders.needed(names).lazy.compactMap { models[$0]?.layout }.first
    }

    /// Those that come from models of EEG.
    var decoded: [String] { names.filter { !Prediction.models(of: $0).isEmpty } }

    /// Whether this prediction is wanted.
    func has(_ prediction: Prediction) -> Bool { names.contains(prediction.name) }
}
