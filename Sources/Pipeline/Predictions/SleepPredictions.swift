import Brain
import Decoding
import Signals

/// Sleep of a recording with several accelerometers: each is followed, and the best that there is tells it.
struct SleepPredictions {
    /// A value of one of the streams.
    struct Output {
        var stream: Int
        var value: PredictionValue
        /// True where the stream is the one that reports it.
        var isTold: Bool
    }

    private var choice = StreamChoice()
    private var watches: [Int: SleepWatch] = [:]
    private var slept: [SleepWatch.Value] = []

    /// A stream's first chunk comes.
    /// - Returns: whether sleep can be classified by it, and it is new.
    @discardableResult
    mutating func begin(_ stream: Int, at onset: Seconds, in header: RecordingHeader) -> Bool {
        guard watches[stream] == nil, let rank = StreamChoice.Rank.sleep(stream, in: header) else { return false }
        let form = header.streams[stream]
        watches[stream] = SleepWatch(channels: form.channels, sampleRate: form.sampleRate)
        choice.begin(stream, rank, at: onset)
        return true
    }

    /// Takes the next chunk of the recording and appends the values it brought.
    mutating func take(_ event: RecordingEvent, into outputs: inout [Output]) {
        switch event {
        case .segment(let stream, let start):
            watches[stream]?.begin(start, into: &slept)
            pass(stream, &outputs)
        case .samples(let stream, let block):
            watches[stream]?.push(block, into: &slept)
            pass(stream, &outputs)
        case .values, .marker: break
        }
    }

    /// Nothing more will come: appends what was held back.
    mutating func finish(into outputs: inout [Output]) {
        for stream in watches.keys.sorted() {
            watches[stream]?.finish(into: &slept)
            pass(stream, &outputs)
        }
    }

    /// True where a stream would report a value at some moment within a range.
    func mayTell(_ stream: Int, within range: Range<Seconds>) -> Bool {
        choice.mayTell(within: range) { choice.tells(stream, at: $0) }
    }

    private mutating func pass(_ stream: Int, _ outputs: inout [Output]) {
        for value in slept {
            outputs.append(
                Output(
                    stream: stream, value: PredictionValue(value), isTold: choice.tells(stream, at: value.time)))
        }
        slept.removeAll(keepingCapacity: true)
    }
}

extension PredictionValue {
    init(_ value: SleepWatch.Value) {
        self.init(
            prediction: Prediction.sleep.name, time: value.time, duration: SleepWatch.step,
            value: value.asleep.map(Double.init) ?? .nan)
    }
}
