/// Hands some streams of a recording out in order of time, however they stand in its file.
///
/// Formats keep signals one after the other for minutes (EDF), packets of seconds (XDF) or whole streams (one file per
/// sensor). What looks at two streams at once, such as an EEG and its accelerometer, wants them side by side: what
/// comes first is held until the others have come as far, `most` samples at the most. Streams further apart than that
/// come as they stand, and a note says so. Other streams and markers are passed on at once.
public final class TimeOrderedReader: RecordingReader {
    /// Streams are cut into pieces of about so many seconds.
    public static let pieceDuration: Seconds = 2
    /// How late a stream may be before a note says so.
    public static let noticed: Seconds = 30

    private let base: any RecordingReader
    private let most: Int
    private var lanes: [Lane]
    /// For each stream of the recording its place in `lanes`; -1 where its order does not matter.
    private let places: [Int]
    private var held = 0
    private var isEnd = false
    /// Up to where samples were handed out.
    private var newest = -Seconds.infinity
    private var notes: [String] = []

    private struct Piece {
        var onset: Seconds
        var event: RecordingEvent
        var cost: Int
    }

    private struct Lane {
        let stream: Int
        var pieces: [Piece] = []
        var next = 0
        var start: SegmentStart?
        var frames = 0
        /// All before this moment has come.
        var reached = -Seconds.infinity
        var isLate = false

        var head: Piece? { next < pieces.count ? pieces[next] : nil }
    }

    /// Orders `streams` of `base`; with fewer than two of them nothing is held.
    /// - Parameter most: how many samples are held at the most: 64 MB of them unless said otherwise.
    public init(_ base: any RecordingReader, streams: Set<Int>, most: Int = 1 << 24) {
        self.base = base
        self.most = most
        let known = base.header.streams.indices.filter(streams.contains)
        let ordered = known.count > 1 ? known : []
        lanes = ordered.map { Lane(stream: $0) }
        places = base.header.streams.indices.map { ordered.firstIndex(of: $0) ?? -1 }
    }

    /// What the recording holds; notes are added while it is read.
    public var header: RecordingHeader {
        var header = base.header
        header.notes += notes
        return header
    }

    /// Whether somebody wants the markers.
    public var wantsMarkers: Bool {
        get { base.wantsMarkers }
        set { base.wantsMarkers = newValue }
    }

    /// The next piece; nil at the end.
    /// - Throws: what the underlying reader throws, after all that came before.
    public func next() throws -> RecordingEvent? {
        while true {
            if let event = release() { return event }
            guard !isEnd else { return nil }
            guard let event = try base.next() else {
                isEnd = true
                continue
            }
            if let event = hold(event) { return event }
        }
    }

    /// Keeps an event that has to wait; gives back one that has not.
    private func hold(_ event: RecordingEvent) -> RecordingEvent? {
        switch event {
        case .segment(let stream, let start):
            guard let place = place(stream) else { return event }
            lanes[place].start = start
            lanes[place].frames = 0
            lanes[place].reached = max(lanes[place].reached, start.onset)
            add(Piece(onset: start.onset, event: event, cost: 0), to: place)
        case .samples(let stream, let block):
            guard let place = place(stream), let start = lanes[place].start else { return event }
            let step = max(1, Int(min(1e9, Self.pieceDuration * start.sampleRate)))
            for first in stride(from: 0, to: block.frameCount, by: step) {
                let piece = block.frames(first..<min(first + step, block.frameCount))
                add(
                    Piece(
                        onset: start.onset(ofOffset: lanes[place].frames), event: .samples(stream: stream, piece),
                        cost: piece.samples.count), to: place)
                lanes[place].frames += piece.frameCount
            }
            lanes[place].reached = max(lanes[place].reached, start.onset(ofOffset: lanes[place].frames))
        case .values, .marker: return event
        }
        return nil
    }

    private func place(_ stream: Int) -> Int? {
        places.indices.contains(stream) && places[stream] >= 0 ? places[stream] : nil
    }

    private func add(_ piece: Piece, to place: Int) {
        // What a piece costs besides its samples.
        var piece = piece
        piece.cost += 32
        held += piece.cost
        lanes[place].pieces.append(piece)
    }

    /// The earliest piece, where no stream can bring an earlier one.
    private func release() -> RecordingEvent? {
        var first = -1
        var earliest = Seconds.infinity
        for place in lanes.indices {
            if let head = lanes[place].head, first < 0 || head.onset < earliest {
                (first, earliest) = (place, head.onset)
            }
        }
        guard first >= 0 else { return nil }
        let isCertain = isEnd || lanes.allSatisfy { $0.head != nil || $0.reached > earliest }
        guard isCertain || held > most, let piece = lanes[first].head else { return nil }
        held -= piece.cost
        lanes[first].next += 1
        if lanes[first].next == lanes[first].pieces.count || lanes[first].next >= 1024 {
            lanes[first].pieces.removeFirst(lanes[first].next)
            lanes[first].next = 0
        }
        notice(piece, lane: first)
        return piece.event
    }

    private func notice(_ piece: Piece, lane: Int) {
        if newest - piece.onset > Self.noticed, !lanes[lane].isLate {
            lanes[lane].isLate = true
            notes.append(
                "\(base.header.streams[lanes[lane].stream].name): stands so far behind other streams in the file that from "
                    + "\(Int(piece.onset)) s on it could not be looked at beside them; converting the file puts it right"
            )
        }
        newest = max(newest, piece.onset)
    }
}
