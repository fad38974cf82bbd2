import Cardiac
import Decoding
import Signals

/// The heart of a recording with several streams that beats are taken from: each is followed, and the best that there
/// is at a beat tells it. A stream that was lost gives its say to the next best until it is there again.
struct HeartPredictions {
    /// How long after it a sample has arrived from every stream that has it. What arrived later decides nothing, so a
    /// recording gives what its session told.
    private static let arrival: Seconds = 10
    /// How long before that no sample came where a stream is lost.
    private static let silence: Seconds = 10

    private var choice = StreamChoice()
    private var hearts: [Int: RecentHeart] = [:]
    /// The streams of intervals that a device measured: they have no samples.
    private var measured: Set<Int> = []
    /// When each stream had samples, or such intervals; what is too short to be a silence lies within.
    private var heard: [Int: [ClosedRange<Seconds>]] = [:]
    /// Of each pulse wave, the heart rate while it moves.
    private var moving: [Int: MovingRates] = [:]

    private let hasPulseRates: Bool

    /// - Parameter hasPulseRates: whether windows of every pulse wave will come.
    init(hasPulseRates: Bool) { self.hasPulseRates = hasPulseRates }

    /// A source's first piece comes.
    mutating func begin(_ source: CardiacSource, at onset: Seconds) {
        choice.begin(source.stream, .heart(source), at: onset)
        if source.kind == .ibi { measured.insert(source.stream) }
        if source.kind == .bvp, hasPulseRates, moving[source.stream] == nil {
            moving[source.stream] = MovingRates(from: onset)
        }
    }

    /// The next window of a pulse wave brings what its end decides.
    mutating func take(_ window: PulseRateWindow, of stream: Int) -> [PredictionValue] {
        moving[stream]?.take(window)
        return release(stream)
    }

    /// Nothing more will come: returns the values that still wait.
    mutating func finish() -> [(stream: Int, values: [PredictionValue])] {
        moving.keys.sorted().map { ($0, release($0, all: true)) }
    }

    private mutating func release(_ stream: Int, all: Bool = false) -> [PredictionValue] {
        let waiting = moving[stream]?.waiting ?? []
        let ready = waiting.prefix { all || moving[stream]?.isKnown(at: $0.onset) ?? true }
        moving[stream]?.waiting.removeFirst(ready.count)
        return ready.flatMap { tell($0, of: stream) }
    }

    /// A stream has samples from one moment to another, later than those that were told of before.
    mutating func hear(_ stream: Int, _ times: ClosedRange<Seconds>) {
        var times = times
        if let last = heard[stream]?.last, times.lowerBound - last.upperBound < Self.silence {
            times = last.lowerBound...max(last.upperBound, times.upperBound)
            heard[stream]?.removeLast()
        }
        heard[stream, default: []].append(times)
    }

    /// What the next interval of a stream tells; nothing where another stream is better.
    mutating func take(_ interval: IBI, of stream: Int) -> [PredictionValue] {
        guard moving[stream] != nil else { return tell(interval, of: stream) }
        moving[stream]?.waiting.append(interval)
        return release(stream)
    }

    private mutating func tell(_ interval: IBI, of stream: Int) -> [PredictionValue] {
        var value = hearts[stream, default: RecentHeart()].next(interval)
        if let window = moving[stream]?.window(at: interval.onset) { value.rate = window.rate ?? .nan }
        if measured.contains(stream) { hear(stream, value.time...value.time) }
        let latest = value.time - Self.arrival
        let isTold = choice.tells(stream, at: value.time) { other, onset in
            guard onset + StreamChoice.patience < latest - Self.silence else { return false }
            let last = heard[other, default: []].last { $0.lowerBound <= latest }
            return last.map { $0.upperBound < latest - Self.silence } ?? true
        }
        return isTold ? value.predictions : []
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
