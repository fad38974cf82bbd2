import Brain
import Decoding
import Signals

/// Sleep of a recording with several accelerometers: each is followed, and the best that there is tells it.
struct SleepPredictions {
    private var choice = StreamChoice()
    private var watches: [Int: SleepWatch] = [:]
    private var slept: [SleepWatch.Value] = []

    /// A stream's first piece comes.
    mutating func begin(_ stream: Int, at onset: Seconds, in header: RecordingHeader) {
        guard watches[stream] == nil, let rank = StreamChoice.Rank.sleep(stream, in: header) else { return }
        let form = header.streams[stream]
        watches[stream] = SleepWatch(channels: form.channels, sampleRate: form.sampleRate)
        choice.begin(stream, rank, at: onset)
    }

    /// Takes the next piece of the recording and tells what it brought, with the stream it is from.
    mutating func take(_ event: RecordingEvent, tell: (Int, PredictionValue) -> Void) {
        switch event {
        case .segment(let stream, let start):
            watches[stream]?.begin(start, into: &slept)
            pass(stream, tell)
        case .samples(let stream, let block):
            watches[stream]?.push(block, into: &slept)
            pass(stream, tell)
        case .values, .marker: break
        }
    }

    /// Nothing more will come: tells what was held back.
    mutating func finish(tell: (Int, PredictionValue) -> Void) {
        for stream in watches.keys.sorted() {
            watches[stream]?.finish(into: &slept)
            pass(stream, tell)
        }
    }

    private mutating func pass(_ stream: Int, _ tell: (Int, PredictionValue) -> Void) {
        for value in slept where choice.tells(stream, at: value.time) { tell(stream, PredictionValue(value)) }
        slept.removeAll(keepingCapacity: true)
    }
}

extension PredictionValue {
    init(_ value: SleepWatch.Value) {
        self.init(
            prediction: Prediction.sleep.name, time: value.time, value: value.asleep.map(Double.init) ?? .nan)
    }
}
