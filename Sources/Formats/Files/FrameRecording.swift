import Signals

/// Plays the frames of a binary file as a recording: streams that share their sampling moments, in runs, with markers
/// among them.
final class FrameRecording: RecordingReader {
    /// Frames without a gap.
    struct Run {
        var frames: Range<Int>
        var start: SegmentStart
    }

    let header: RecordingHeader
    private let frames: BinaryFrames
    private let streams: [[BinaryFrames.Channel]]
    let runs: [Run]
    let markers: [Marker]
    private var nextMarker = 0
    private var run = 0
    private var frame = 0
    private var isBegun = false
    private var pending: [RecordingEvent] = []
    private var nextPending = 0

    /// - Parameters:
    ///   - streams: the channels of each stream of `header`.
    ///   - runs: in order of time, none empty.
    ///   - markers: in order of time.
    init(
        header: RecordingHeader, frames: BinaryFrames, streams: [[BinaryFrames.Channel]], runs: [Run],
        markers: [Marker] = []
    ) {
        self.header = header
        self.frames = frames
        self.streams = streams
        self.runs = runs
        self.markers = markers
    }

    func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard try advance() else { return nil }
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    /// Adds the next events; false at the end.
    private func advance() throws -> Bool {
        guard run < runs.count else { return addMarkers(before: .infinity) }
        let current = runs[run]
        if !isBegun {
            isBegun = true
            frame = current.frames.lowerBound
            for stream in streams.indices { pending.append(.segment(stream: stream, start: current.start)) }
        }
        let end = min(frame + frames.framesPerBlock, current.frames.upperBound)
        addMarkers(before: current.start.onset(ofOffset: end - current.frames.lowerBound))
        for (stream, block) in try frames.blocks(frame..<end, streams).enumerated() {
            pending.append(.samples(stream: stream, block))
        }
        frame = end
        if end == current.frames.upperBound {
            run += 1
            isBegun = false
        }
        return true
    }

    @discardableResult
    private func addMarkers(before onset: Seconds) -> Bool {
        let first = nextMarker
        while nextMarker < markers.count, markers[nextMarker].onset < onset {
            pending.append(.marker(markers[nextMarker]))
            nextMarker += 1
        }
        return nextMarker > first
    }
}

/// Channels sampled together, gathered into one stream for each kind.
struct KindGroups<Source> {
    private(set) var streams: [StreamHeader] = []
    /// For each stream where its channels come from.
    private(set) var channels: [[Source]] = []

    init(sampleRate: Double, frameCount: Int) {
        self.sampleRate = sampleRate
        self.frameCount = frameCount
    }

    private let sampleRate: Double
    private let frameCount: Int

    mutating func add(_ channel: Channel, kind: StreamKind, reading source: Source) {
        if let place = streams.firstIndex(where: { $0.kind == kind }) {
            streams[place].channels.append(channel)
            channels[place].append(source)
        } else {
            streams.append(
                StreamHeader(
                    name: kind.rawValue, kind: kind, channels: [channel], sampleRate: sampleRate,
                    frameCount: frameCount))
            channels.append([source])
        }
    }
}
