public import Decoding
public import Signals

/// A value of one of the predictions that run.
public struct PredictionValue: Hashable, Sendable {
    /// The prediction's name.
    public var prediction: String
    /// The end of the epoch, or the moment of the beat or blink, in seconds from the recording's start.
    public var time: Seconds
    /// The length of the epoch in seconds; 0 for a value of a moment.
    public var duration: Seconds
    /// Its value in the prediction's unit; NaN where it is missing.
    public var value: Double

    /// A value of this prediction.
    public init(prediction: String, time: Seconds, duration: Seconds = 0, value: Double) {
        (self.prediction, self.time, self.duration, self.value) = (prediction, time, duration, value)
    }

    /// The start of the epoch, or the moment, in seconds from the recording's start. Tables, live events and figures all
    /// state this time.
    public var onset: Seconds { time - duration }

    /// True for an event, such as a blink: the next one may come at any time.
    public var isEvent: Bool { prediction == Prediction.blink.name }
}

/// Models of a participant, epoch by epoch: a value of each prediction that was asked for. Focus is the mean of visual
/// and auditory attention, and is missing where one of them is.
public struct PredictionDecoders: Sendable {
    private var decoders: [(name: String, decoder: ModelDecoder)] = []
    private let asked: [String]

    /// The decoders of these models.
    /// - Parameters:
    ///   - models: by prediction, those that `asked` rest on among them.
    ///   - asked: the predictions whose values are wanted, in the order in which they are given.
    ///   - layout: what the features of the epochs are.
    /// - Throws: `ModelError` where a model is missing or was made for other data.
    public init(
        _ models: [String: DecodingModel], asked: [String], layout: FeatureLayout
    ) throws(ModelError) {
        self.asked = asked
        for name in Self.needed(asked) {
            guard let model = models[name] else { throw ModelError.unreadable("there is none for \(name)") }
            try model.demand(layout)
            decoders.append((name, ModelDecoder(model)))
        }
    }

    /// The predictions whose models are needed, each once.
    static func needed(_ asked: [String]) -> [String] {
        let all = asked.flatMap(Prediction.models(of:))
        return all.indices.filter { all.firstIndex(of: all[$0]) == $0 }.map { all[$0] }
    }

    /// The values of the next epoch; not a number where it is not decodable.
    public mutating func values(_ epoch: DecodableEpoch) -> [PredictionValue] {
        var own: [String: Double] = [:]
        for index in decoders.indices { own[decoders[index].name] = decoders[index].decoder.value(epoch).value }
        return asked.map { name in
            let parts = Prediction.models(of: name).map { own[$0] ?? .nan }
            return PredictionValue(
                prediction: name, time: epoch.onset + epoch.duration, duration: epoch.duration,
                value: parts.reduce(0, +) / Double(parts.count))
        }
    }
}

/// Models of a participant on one EEG stream, live or from a file: one pass over the samples.
public struct PredictionTrack {
    private var track: DecodableTrack
    private var decoders: PredictionDecoders
    private var epochs: [DecodableEpoch] = []

    /// A track for the decoded predictions of `request` on `source`.
    /// - Throws: `ModelError` where a model is missing or was made for other data; what `DecodableTrack` throws.
    public init(
        _ request: PredictionRequest, on source: BrainSource, in header: RecordingHeader, parameters: Parameters
    ) throws {
        track = try DecodableTrack(source, in: header, parameters: parameters, model: request.layout)
        decoders = try PredictionDecoders(request.models, asked: request.decoded, layout: track.layout)
    }

    /// The stream.
    public var source: BrainSource { track.source }

    /// Takes the next piece of the recording and appends what it brought.
    public mutating func take(_ event: RecordingEvent, into values: inout [PredictionValue]) {
        track.take(event, into: &epochs)
        handOut(into: &values)
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish(into values: inout [PredictionValue]) {
        track.finish(into: &epochs)
        handOut(into: &values)
    }

    private mutating func handOut(into values: inout [PredictionValue]) {
        for epoch in epochs { values += decoders.values(epoch) }
        epochs.removeAll(keepingCapacity: true)
    }
}
