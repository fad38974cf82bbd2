import Signals

/// The beginning of a stream, for tracks that listen to it and are made later.
struct EarlyPieces {
    /// Seconds that are kept: those that belong together come from one device and begin within these.
    private static let memory: Seconds = 30

    private let stream: Int
    private var events: [RecordingEvent] = []
    private var start: SegmentStart?
    private var sinceStart = 0
    private var frames = 0
    private var isLong = false

    init(stream: Int) { self.stream = stream }

    mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(_, let start): (self.start, sinceStart) = (start, 0)
        case .samples(_, let block):
            sinceStart += block.frameCount
            frames += block.frameCount
        case .values, .marker: return
        }
        isLong = isLong || Double(frames) > Self.memory * (start?.sampleRate ?? 0)
        if isLong { events = [] } else { events.append(event) }
    }

    /// What a track is to be given that begins now: all, or, where that is too much, where the stream is.
    var replay: [RecordingEvent] {
        guard isLong, let start else { return events }
        let here = SegmentStart(
            onset: start.onset(ofOffset: sinceStart), sample: start.sample + sinceStart, sampleRate: start.sampleRate)
        return [.segment(stream: stream, start: here)]
    }
}
