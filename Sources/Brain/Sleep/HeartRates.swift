public import Signals

/// The time between two heart beats that were both seen.
public struct HeartInterval: Hashable, Sendable {
    /// When the later beat was, in seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds.
    public var duration: Seconds

    /// The interval of `duration` seconds that ends at `onset`.
    public init(onset: Seconds, duration: Seconds) {
        (self.onset, self.duration) = (onset, duration)
    }
}

/// Takes the mean heart rate of each 30 s from the intervals between beats.
///
/// Of an interval that reaches over an edge each epoch has its share: the rate is the beats' shares over the time that
/// intervals cover. Epochs are on the grid of the recording's start. Those without beats in between are `gap`.
public struct HeartRates: Stage, Sendable {
    /// Epochs that are told where nothing was recorded between two beats: a week. Beyond it is another recording.
    static let longestSilence = 20_160

    private var number: Int?
    private var beats = 0.0
    private var covered: Seconds = 0
    private var last = -Seconds.infinity

    /// A stage that has seen no interval.
    public init() {}

    /// Seconds of signal between an interval and the epoch that depends on it.
    public var lookAhead: Seconds { SleepEpoch.length }

    static func number(_ time: Seconds) -> Int {
        Int((min(max(time, -1e9), 1e9) / SleepEpoch.length).rounded(.down))
    }

    /// Epochs belong to the clock and not to a run: gaps lie within.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [HeartRateEpoch]) {}

    /// The next intervals, in order of time.
    public mutating func push(_ chunk: Span<HeartInterval>, into outputs: inout [HeartRateEpoch]) {
        for index in chunk.indices { take(chunk[index], into: &outputs) }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [HeartRateEpoch]) {
        if let number { outputs.append(epoch(number)) }
        self = HeartRates()
    }

    private mutating func take(_ interval: HeartInterval, into outputs: inout [HeartRateEpoch]) {
        guard interval.duration > 0, interval.duration < SleepEpoch.length, abs(interval.onset) < 1e9 else { return }
        var start = max(interval.onset - interval.duration, last)
        last = max(last, interval.onset)
        while start < interval.onset {
            // Rounding may leave the rest of an interval on the edge: it is the next epoch's.
            let place = max(Self.number(start), number ?? .min)
            move(to: place, into: &outputs)
            let end = min(interval.onset, Double(place + 1) * SleepEpoch.length)
            guard end > start else { break }
            covered += end - start
            beats += (end - start) / interval.duration
            start = end
        }
    }

    private mutating func move(to place: Int, into outputs: inout [HeartRateEpoch]) {
        if let number, place > number {
            outputs.append(epoch(number))
            if place - number <= Self.longestSilence {
                outputs += (number + 1..<place).map {
                    HeartRateEpoch(onset: Double($0) * SleepEpoch.length, reason: .gap)
                }
            }
            (beats, covered) = (0, 0)
        }
        number = place
    }

    private func epoch(_ number: Int) -> HeartRateEpoch {
        let onset = Double(number) * SleepEpoch.length
        return covered >= SleepEpoch.length / 2
            ? HeartRateEpoch(onset: onset, rate: 60 * beats / covered) : HeartRateEpoch(onset: onset, reason: .gap)
    }
}
