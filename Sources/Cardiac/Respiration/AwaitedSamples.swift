import Signals

/// Samples around moments that are told later than, or ahead of, the samples themselves.
///
/// Holds the last 8 s of a run, more than a beat detector looks ahead.
struct AwaitedSamples<Item> {
    private static var memory: Seconds { 8 }
    /// Longest stretch of samples that is handed out.
    private static var longest: Seconds { 3 }
    private let isUsable: Bool
    private var history: SampleHistory
    private let room: Int
    private(set) var segment: SegmentStart
    private var waiting: [(item: Item, first: Int, end: Int)] = []

    init(sampleRate: Double) {
        isUsable = sampleRate > 0 && sampleRate <= 100_000
        segment = SegmentStart(onset: 0, sample: 0, sampleRate: isUsable ? sampleRate : 1)
        let kept = max(16, Int(Self.memory * segment.sampleRate))
        room = max(16, kept / 8)
        history = SampleHistory(keeping: kept, room: room)
    }

    /// A run begins; what still waits is answered from the run before.
    mutating func begin(_ segment: SegmentStart, _ answer: (Item, ArraySlice<Float>, Int) -> Void) {
        finish(answer)
        guard isUsable, segment.sampleRate > 0, segment.sampleRate <= 100_000 else { return }
        if segment.sampleRate != self.segment.sampleRate { self = AwaitedSamples(sampleRate: segment.sampleRate) }
        self.segment = segment
        history.reset(at: 0)
    }

    /// Asks for the samples from `first` to before `end` seconds of the recording, in order of time.
    mutating func ask(_ item: Item, from first: Seconds, to end: Seconds) {
        let rate = segment.sampleRate
        let from = ((first - segment.onset) * rate).rounded(.up)
        let to = ((end - segment.onset) * rate).rounded(.up)
        guard isUsable, abs(from) < 1e15, to >= from, to - from <= Self.longest * rate + 1 else {
            waiting.append((item, 0, 0))
            return
        }
        waiting.append((item, Int(from), Int(to)))
    }

    /// The next samples. What is asked for is answered as soon as it is there, as samples and the place of the first in
    /// the run; the samples are none where they are gone.
    mutating func push(_ chunk: Span<Float>, _ answer: (Item, ArraySlice<Float>, Int) -> Void) {
        guard isUsable else { return }
        answerReady(answer)
        var index = 0
        while index < chunk.count {
            let length = min(room, chunk.count - index)
            let target = history.append(length)
            for offset in 0..<length { target[offset] = chunk[index + offset] }
            index += length
            answerReady(answer)
        }
    }

    /// Answers all that still waits with what there is.
    mutating func finish(_ answer: (Item, ArraySlice<Float>, Int) -> Void) {
        for wanted in waiting { reply(wanted, answer) }
        waiting.removeAll(keepingCapacity: true)
    }

    private mutating func answerReady(_ answer: (Item, ArraySlice<Float>, Int) -> Void) {
        var answered = 0
        while answered < waiting.count, waiting[answered].end <= history.end {
            reply(waiting[answered], answer)
            answered += 1
        }
        waiting.removeFirst(answered)
    }

    private func reply(
        _ wanted: (item: Item, first: Int, end: Int), _ answer: (Item, ArraySlice<Float>, Int) -> Void
    ) {
        let first = max(0, wanted.first)
        let end = min(wanted.end, history.end)
        guard first < end, first >= history.start else { return answer(wanted.item, [], 0) }
        answer(wanted.item, (first..<end).map { history[$0] }[...], first)
    }
}
