import Signals

/// A recording in which the channels of streams of kind `marker` are read as events: a marker where a value other than
/// 0 begins, called by that value.
final class TriggerColumns: RecordingReader {
    let header: RecordingHeader
    private let base: any RecordingReader
    /// For each stream of the base its place here; nil for triggers.
    private let places: [Int?]
    private var starts: [SegmentStart?]
    private var frames: [Int]
    private var last: [[Float]]
    private var pending: [RecordingEvent] = []

    init(_ base: any RecordingReader, format: String) {
        self.base = base
        var header = base.header
        header.format = format
        header.streams.removeAll { $0.kind == .marker }
        self.header = header
        var next = 0
        places = base.header.streams.map { stream in
            guard stream.kind != .marker else { return nil }
            defer { next += 1 }
            return next
        }
        starts = base.header.streams.map { _ in nil }
        frames = base.header.streams.map { _ in 0 }
        last = base.header.streams.map { Array(repeating: 0, count: $0.channels.count) }
    }

    func next() throws -> RecordingEvent? {
        while pending.isEmpty {
            guard let event = try base.next() else { return nil }
            switch event {
            case .segment(let stream, let start):
                starts[stream] = start
                frames[stream] = 0
                if let place = places[stream] { return .segment(stream: place, start: start) }
            case .samples(let stream, let block):
                if let place = places[stream] { return .samples(stream: place, block) }
                addMarkers(stream, block)
            case .values(let stream, let values):
                if let place = places[stream] { return .values(stream: place, values) }
            case .marker: return event
            }
        }
        return pending.removeFirst()
    }

    private func addMarkers(_ stream: Int, _ block: SampleBlock) {
        guard let start = starts[stream] else { return }
        for frame in 0..<block.frameCount {
            for channel in 0..<block.channelCount {
                let value = block.samples[channel * block.frameCount + frame]
                defer { last[stream][channel] = value }
                guard value.isFinite, value != 0, value != last[stream][channel] else { continue }
                let isWhole = value == value.rounded() && value.magnitude < 1e6
                let label = isWhole ? "\(Int(value))" : "\(value)"
                pending.append(.marker(Marker(onset: start.onset(ofOffset: frames[stream] + frame), label: label)))
            }
        }
        frames[stream] += block.frameCount
    }
}
