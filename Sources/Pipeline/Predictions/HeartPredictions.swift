import Cardiac
import Decoding
import Signals

/// The heart of a recording with several streams that beats are taken from: each is followed, and the best that there
/// is at a beat tells it.
struct HeartPredictions {
    private var choice = StreamChoice()
    private var hearts: [Int: RecentHeart] = [:]

    /// A source's first piece comes.
    mutating func begin(_ source: CardiacSource, at onset: Seconds) {
        choice.begin(source.stream, .heart(source), at: onset)
    }

    /// What the next interval of a stream tells; nothing where another stream is better.
    mutating func take(_ interval: IBI, of stream: Int) -> [PredictionValue] {
        let value = hearts[stream, default: RecentHeart()].next(interval)
        return choice.tells(stream, at: value.time) ? value.predictions : []
    }
}

extension RecentHeart.Value {
    /// The same as values of predictions.
    var predictions: [PredictionValue] {
        [
            PredictionValue(prediction: Prediction.heartRate.name, time: time, value: rate),
            PredictionValue(prediction: Prediction.heartRateVariability.name, time: time, value: variability),
        ]
    }
}
