import Signals

/// When the frames of one stream were, on the recorder's clock.
enum XDFTiming {
    /// Regular: even times within runs.
    case runs([XDFRun], frameCount: Int)
    /// Irregular: each frame's stamp, mapped to the recorder's clock.
    case stamps
    /// Regular, as our own recorder placed it.
    case placed([XDFPlacedSegment])
}

/// A segment of our own recording.
struct XDFPlacedSegment {
    /// Index in the file of its first frame.
    var frame: Int
    /// Frames before `frame` that only fill the gap.
    var filled: Int
    /// Stamp of its first frame on the stream's clock.
    var clock: Seconds
    /// How it begins.
    var start: SegmentStart
    /// Hz at which the file stamps its frames.
    var stampRate: Double
}

/// Places the chunks of a regular stream of our own recording by their stamps, so that a chunk that is lost in between
/// costs its own frames and no other.
struct XDFPlacer {
    /// Frames that belong together.
    struct Piece {
        /// Which frames of the batch.
        var range: Range<Int>
        /// Set where a segment begins.
        var start: SegmentStart?
    }

    private let segments: [XDFPlacedSegment]
    private var current = -1
    /// The file's next frame, when nothing is missing.
    private var expected = 0
    private var end: Seconds = 0
    /// Frames that should be there and are not.
    private(set) var missing = 0

    init(_ segments: [XDFPlacedSegment]) {
        self.segments = segments
    }

    /// What becomes of `count` frames of which the first has this stamp.
    mutating func place(stamp: Seconds, count: Int) -> [Piece] {
        guard
            let segment = segments.lastIndex(where: { $0.clock <= stamp + 0.5 / $0.stampRate })
                ?? segments.indices.first
        else { return [] }
        let offset = ((stamp - segments[segment].clock) * segments[segment].stampRate).rounded()
        guard abs(offset) < 1e15 else { return [] }
        var frame = max(0, segments[segment].frame + Int(offset))
        var pieces: [Piece] = []
        var done = 0
        if frame < expected {
            done = min(count, expected - frame)
            frame += done
        }
        while done < count {
            let index = Self.last(segments) { $0.frame - $0.filled <= frame } ?? 0
            let limit = index + 1 < segments.count ? segments[index + 1].frame - segments[index + 1].filled : .max
            let isFill = frame < segments[index].frame
            let piece = min(count - done, (isFill ? segments[index].frame : limit) - frame)
            guard piece > 0 else { break }
            if !isFill {
                let start = begin(index, frame)
                pieces.append(Piece(range: done..<done + piece, start: start))
                end = segments[index].start.onset(ofOffset: frame + piece - segments[index].frame)
            }
            done += piece
            frame += piece
            expected = frame
        }
        return pieces
    }

    /// The last of the segments, which are in order, for which `holds`.
    private static func last(_ segments: [XDFPlacedSegment], _ holds: (XDFPlacedSegment) -> Bool) -> Int? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(segments[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    private mutating func begin(_ index: Int, _ frame: Int) -> SegmentStart? {
        let segment = segments[index]
        if index == current, frame == expected { return nil }
        let isFirst = frame == segment.frame
        defer { current = index }
        if isFirst { return segment.start }
        missing += frame - max(expected, segment.frame)
        var start = segment.start
        start.onset = max(start.onset(ofOffset: frame - segment.frame), end)
        start.sample += frame - segment.frame
        start.gap = Gap(onset: min(end, start.onset), duration: max(0, start.onset - end), reason: .fileGap)
        return start
    }
}
