import Signals

/// Holds a pulse back until the acceleration that belongs to it has come, and no longer than its patience.
///
/// What is let through, and in which order, depends only on how far each stream has come, not on how it was cut up: with
/// streams never further apart than the patience, the results are the same live and from a file.
struct AccelerationWait {
    /// Seconds that a pulse waits before that is worth telling: one device tells both within a second or two.
    private static let usual: Seconds = 5

    /// What may go on now.
    enum Piece {
        case segment(SegmentStart)
        case samples(ArraySlice<Float>)
    }

    private let source: CardiacSource
    private let acceleration: MovementSource
    /// The scale of an acceleration without a unit.
    private var gravity: GravityScale?
    private let lead: Seconds
    private let patience: Seconds
    private var waiting: [Waiting] = []
    private var next = 0
    /// Up to where acceleration is known, and up to where the pulse is, in seconds from the recording's start.
    private var heard = -Seconds.infinity
    private var newest = -Seconds.infinity
    private var heardRun: Run?
    private var ownRun: Run?

    /// A contiguous run so far.
    private struct Run {
        var start: SegmentStart
        var frames = 0
        var end: Seconds { start.onset(ofOffset: frames) }
    }

    private struct Waiting {
        var piece: Piece
        /// The first sample's time, and the time between samples.
        var onset: Seconds
        var spacing: Seconds
    }

    /// Makes `source` wait for its acceleration, `lead` seconds ahead; nil where it has none.
    init?(_ source: CardiacSource, lead: Seconds, patience: Seconds) {
        guard let acceleration = source.acceleration else { return nil }
        self.source = source
        self.acceleration = acceleration
        self.lead = lead
        self.patience = patience
    }

    /// Takes a piece of the recording: keeps it if it is of the source, hands it to the front if it is acceleration.
    mutating func take(_ event: RecordingEvent, _ front: inout (any CardiacFront)?) {
        switch event {
        case .segment(let stream, let start) where stream == acceleration.stream:
            front?.beginAcceleration(start)
            if acceleration.factor == nil, gravity == nil { gravity = GravityScale(sampleRate: start.sampleRate) }
            heardRun = Run(start: start)
            heard = max(heard, start.onset)
        case .samples(let stream, let block) where stream == acceleration.stream:
            if let factor = acceleration.factor {
                front?.pushAcceleration(block, factor: Float(factor))
            } else if let scaled = gravity?.scaled(block) {
                front?.pushAcceleration(scaled, factor: 1)
            }
            heardRun?.frames += block.frameCount
            heard = max(heard, heardRun?.end ?? heard)
        case .segment(let stream, let start) where stream == source.stream:
            ownRun = Run(start: start)
            waiting.append(Waiting(piece: .segment(start), onset: start.onset, spacing: 0))
        case .samples(let stream, let block) where stream == source.stream:
            guard let run = ownRun else { return }
            waiting.append(
                Waiting(
                    piece: .samples(block.samples[block.range(ofChannel: source.channel)]), onset: run.end,
                    spacing: 1 / run.start.sampleRate))
            ownRun?.frames += block.frameCount
            newest = max(newest, ownRun?.end ?? newest)
        default: break
        }
    }

    /// Whether the pulse waits for longer than is usual.
    var isLong: Bool { next < waiting.count && newest - waiting[next].onset > lead + Self.usual }

    /// Nothing more will come: everything may go on.
    mutating func finish(_ front: inout (any CardiacFront)?) {
        front?.endAcceleration()
        heard = .infinity
    }

    /// The next piece that may go on; nil if it has to wait.
    mutating func release() -> Piece? {
        guard next < waiting.count else { return nil }
        let first = waiting[next]
        guard case .samples(let samples) = first.piece else { return dequeue() }
        let limit = max(heard - lead, newest - patience)
        let ready = ((limit - first.onset) / first.spacing).rounded(.down)
        if ready < 1, !samples.isEmpty { return nil }
        guard ready < Double(samples.count) else { return dequeue() }
        let count = Int(ready)
        waiting[next].piece = .samples(samples.dropFirst(count))
        waiting[next].onset += Double(count) * first.spacing
        return .samples(samples.prefix(count))
    }

    private mutating func dequeue() -> Piece {
        defer {
            next += 1
            if next == waiting.count || next > 64 {
                waiting.removeFirst(next)
                next = 0
            }
        }
        return waiting[next].piece
    }
}
