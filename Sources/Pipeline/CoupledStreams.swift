import Signals

/// Which streams of a recording are looked at side by side: a signal and what tells of its motion or contact.
enum CoupledStreams {
    /// The streams of all pairs of a stream and those beside it, of which there are some.
    static func of(_ groups: [(stream: Int, besides: [Int])]...) -> Set<Int> {
        var streams: Set<Int> = []
        for pair in groups.joined() where !pair.besides.isEmpty { streams.formUnion(pair.besides + [pair.stream]) }
        return streams
    }
}

extension RecordingReader {
    /// The same recording with a stream and those beside it in order of time; as it stands where there are none.
    func ordered(_ stream: Int, beside others: [Int]) -> any RecordingReader {
        others.isEmpty ? self : TimeOrderedReader(self, streams: Set(others + [stream]))
    }
}

extension AccelerationSource? {
    /// Its stream, where there is one.
    var streams: [Int] { map { [$0.stream] } ?? [] }
}
