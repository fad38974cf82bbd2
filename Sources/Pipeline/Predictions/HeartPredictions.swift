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

    /// The values at a beat; none where another stream is better.
    typealias Moment = (time: Seconds, values: [PredictionValue])

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
    mutating func take(_ window: PulseRateWindow, of stream: Int) -> [Moment] {
        moving[stream]?.take(window)
        return release(stream)
    }

    /// Nothing more will come: returns the values that still wait.
    mutating func finish() -> [(stream: Int, moments: [Moment])] {
        moving.keys.sorted().map { ($0, release($0, all: true)) }
    }

    private mutating func release(_ stream: Int, all: Bool = false) -> [Moment] {
        let waiting = moving[stream]?.waiting ?? []
        let ready = waiting.prefix { all || moving[stream]?.isKnown(at: $0.onset) ?? true }
        moving[stream]?.waiting.removeFirst(ready.count)
        return ready.map { tell($0, of: stream) }
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

    /// The moments that the next interval of a stream decides, in order of time.
    mutating func take(_ interval: IBI, of stream: Int) -> [Moment] {
        guard moving[stream] != nil else { return [tell(interval, of: stream)] }
        moving[stream]?.waiting.append(interval)
        return release(stream)
    }

    private mutating func tell(_ interval: IBI, of stream: Int) -> Moment {
        var value = hearts[stream, default: RecentHeart()].next(interval)
        if let window = moving[stream]?.window(at: interval.onset) { value.rate = window.rate ?? .nan }
        if measured.contains(stream) { hear(stream, value.time...value.time) }
        return (value.time, tells(stream, at: value.time) ? value.predictions : [])
    }

    private func tells(_ stream: Int, at time: Seconds) -> Bool {
        let latest = time - Self.arrival
        return choice.tells(stream, at: time) { other, onset in
            guard onset + StreamChoice.patience < latest - Self.silence else { return false }
            let last = heard[other, default: []].last { $0.lowerBound <= latest }
            return last.map { $0.upperBound < latest - Self.silence } ?? true
        }
    }

    /// True where a stream would report a value at some moment within a range, by what is known now.
    func mayTell(_ stream: Int, within range: Range<Seconds>) -> Bool {
        var changes = choice.beginnings.map { $0 + Self.arrival + Self.silence }
        for times in heard.values.joined() {
            changes += [times.lowerBound + Self.arrival, times.upperBound + Self.arrival + Self.silence]
        }
        return choice.mayTell(within: range, changes: changes) { tells(stream, at: $0) }
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
