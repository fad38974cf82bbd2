public import Signals

/// Some of a recording's streams, as if there were no others. Markers stay.
public final class SelectedStreams: RecordingReader {
    private let base: any RecordingReader
    private let streams: [StreamHeader]
    private let places: [Int: Int]

    /// The streams of `base` at these places, in the order of the recording.
    public init(_ base: any RecordingReader, streams: Set<Int>) {
        self.base = base
        let kept = base.header.streams.indices.filter(streams.contains)
        places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
        self.streams = kept.map { base.header.streams[$0] }
    }

    /// What the recording holds; notes are added while it is read.
    public var header: RecordingHeader {
        var header = base.header
        header.streams = streams
        return header
    }

    /// The next piece in order of time; nil at the end.
    public func next() throws -> RecordingEvent? {
        while let event = try base.next() {
            switch event {
            case .segment(let stream, let start):
                if let place = places[stream] { return .segment(stream: place, start: start) }
            case .samples(let stream, let block):
                if let place = places[stream] { return .samples(stream: place, block) }
            case .values(let stream, let values):
                if let place = places[stream] { return .values(stream: place, values) }
            case .marker: return event
            }
        }
        return nil
    }
}
