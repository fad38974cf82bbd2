import Signals
import Testing

/// Gives prepared events one after the other.
private final class Events: RecordingReader {
    let header: RecordingHeader
    private var rest: ArraySlice<RecordingEvent>

    init(_ header: RecordingHeader, _ events: [RecordingEvent]) {
        self.header = header
        rest = events[...]
    }

    func next() -> RecordingEvent? { rest.popFirst() }
}

struct TimeOrderedReaderTests {
    private static let rates = [256.0, 32, 4]
    private static let seconds = 600.0

    private static let recording: Recording = {
        let streams = rates.enumerated().map { index, rate -> Signals.Stream in
            let header = StreamHeader(
                name: "s\(index)", kind: .other, channels: [Channel(label: "a", unit: .unknown)], sampleRate: rate)
            let frames = Int(rate * seconds)
            let cut = frames / 3
            func segment(_ range: Range<Int>, _ onset: Seconds) -> Segment {
                Segment(
                    start: SegmentStart(onset: onset, sample: range.lowerBound, sampleRate: rate),
                    block: SampleBlock(range.map { Float($0) }))
            }
            return Stream(header: header, segments: [segment(0..<cut, 0), segment(cut..<frames, seconds / 3 + 5)])
        }
        return Recording(header: RecordingHeader(format: "test"), streams: streams)
    }()

    /// The recording's events, streams one after the other for `block` seconds at a time.
    private func reader(block: Seconds, order: [Int]) -> Events {
        let pieces = RecordedEvents(Self.recording, blockDuration: 1)
        var slots: [Int: [RecordingEvent]] = [:]
        var now = Self.rates.map { _ in 0.0 }
        while let event = pieces.next() {
            guard case (let stream?, let onset) = Self.place(event, &now) else { continue }
            slots[Int(onset / block) * 10 + (order.firstIndex(of: stream) ?? 0), default: []].append(event)
        }
        return Events(Self.recording.header, slots.sorted { $0.key < $1.key }.flatMap(\.value))
    }

    private static func place(_ event: RecordingEvent, _ now: inout [Double]) -> (stream: Int?, onset: Seconds) {
        switch event {
        case .segment(let stream, let start):
            now[stream] = start.onset
            return (stream, start.onset)
        case .samples(let stream, let block):
            defer { now[stream] += Double(block.frameCount) / rates[stream] }
            return (stream, now[stream])
        default: return (nil, 0)
        }
    }

    @Test(arguments: [1.0, 7, 100, 1_000], [[0, 1, 2], [2, 0, 1]])
    func streamsComeSideBySideHoweverTheyStand(block: Seconds, order: [Int]) throws {
        let ordered = TimeOrderedReader(reader(block: block, order: order), streams: [0, 1])
        var now = Self.rates.map { _ in 0.0 }
        var newest = 0.0
        while let event = try ordered.next() {
            let (stream, onset) = Self.place(event, &now)
            guard let stream, stream < 2 else { continue }
            #expect(onset >= newest - TimeOrderedReader.pieceDuration)
            newest = max(newest, onset)
        }
        #expect(ordered.header.notes.isEmpty)
    }

    @Test(arguments: [1.0, 100, 1_000]) func nothingIsLostOrChanged(block: Seconds) throws {
        for most in [1 << 24, 1_000] {
            let ordered = TimeOrderedReader(
                reader(block: block, order: [0, 1, 2]), streams: [0, 1, 2], most: most)
            let read = try Recording(reading: ordered)
            for (stream, original) in zip(read.streams, Self.recording.streams) {
                #expect(stream.segments.map(\.start) == original.segments.map(\.start))
                #expect(stream.segments.map(\.block) == original.segments.map(\.block))
            }
        }
    }

    @Test func whatStandsTooFarApartIsTold() throws {
        let far = TimeOrderedReader(reader(block: 1_000, order: [0, 1, 2]), streams: [0, 1], most: 10_000)
        while try far.next() != nil {}
        #expect(far.header.notes.count == 1 && far.header.notes[0].hasPrefix("s1:"))
    }

    @Test func oneStreamAloneIsPassedOnAtOnce() throws {
        let source = reader(block: 100, order: [0, 1, 2])
        let ordered = TimeOrderedReader(source, streams: [1])
        var count = 0
        while let event = try ordered.next() {
            count += 1
            if case .samples(0, let block) = event { #expect(block.frameCount == 256) }
        }
        #expect(count > 1_800)
    }
}
