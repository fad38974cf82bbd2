import Signals

/// Values of one prediction from several streams, put in order of time. Each stream has its own values in order, but those of one
/// stream may come seconds later than those of another. Where one stream takes over from another, the first values of the new
/// stream wait for the last ones of the old stream.
struct HandOverOrder {
    /// Seconds of newer data after which a value no longer waits.
    static let timeout: Seconds = 10

    /// Values of one moment, with the stream they are from.
    struct Entry {
        var stream: Int
        var time: Seconds
        var values: [PredictionValue]
    }

    private var waiting: [Entry] = []
    /// The latest moment that each stream has come to, with values or without.
    private var reached: [Int: Seconds] = [:]
    private var newest = -Seconds.infinity
    private var last = -Seconds.infinity
    /// The number of moments whose values came after later ones had been reported. A recording's tables have them.
    private(set) var lateCount = 0

    /// A stream may bring values from now on.
    mutating func begin(_ stream: Int) {
        if reached[stream] == nil { reached[stream] = -.infinity }
    }

    /// Data of some stream have come up to this moment.
    mutating func hear(until time: Seconds) { newest = max(newest, time) }

    /// A stream has come to a moment, with the values that it reports there; none where another stream reports them.
    mutating func take(_ values: [PredictionValue], at time: Seconds, of stream: Int) {
        reached[stream] = max(reached[stream] ?? -.infinity, time)
        hear(until: time)
        guard !values.isEmpty else { return }
        guard time >= last else {
            lateCount += 1
            return
        }
        let place = waiting.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        waiting.insert(Entry(stream: stream, time: time, values: values), at: place)
    }

    /// The values that need not wait any more, in order of time.
    /// - Parameter mayTell: whether a stream may still report a value within a range of time.
    mutating func release(_ mayTell: (_ stream: Int, _ within: Range<Seconds>) -> Bool) -> [Entry] {
        var released: [Entry] = []
        while let first = waiting.first {
            let waits =
                newest < first.time + Self.timeout
                && reached.contains { stream, time in
                    let begin = max(time, last)
                    return stream != first.stream && begin < first.time && mayTell(stream, begin..<first.time)
                }
            if waits { break }
            released.append(waiting.removeFirst())
            last = first.time
        }
        return released
    }

    /// Nothing more will come: all values that wait.
    mutating func finish() -> [Entry] {
        defer { waiting = [] }
        return waiting
    }
}
