import Cardiac
import Quality
import Signals

/// Tells the rhythm of one source from its beats and the quality of its signal.
///
/// Beats wait until the signal around them has been judged. A moment is readable where one window that holds it is:
/// where nothing was wrong with the signal itself, so that a beat would have been seen.
struct RhythmWatch {
    /// Reasons that tell of the heart as much as of the signal.
    private static let harmless: Set<QualityReason> = [
        .noBeats, .implausibleRate, .lowTemplateCorrelation, .detectorsDisagree,
    ]

    private var stage: RhythmStage
    private var time: UsableTime
    private var waiting: [Beat] = []
    private var next = 0
    private var outputs: [RhythmOutput] = []

    /// - Parameter step: seconds between the starts of quality windows.
    /// - Throws: the first parameter that has no meaning.
    init(_ parameters: RhythmParameters, step: Seconds) throws(InvalidParameter) {
        stage = try RhythmStage(parameters)
        time = UsableTime(step: step) { $0.coverage > 0 && $0.reasons.allSatisfy(Self.harmless.contains) }
    }

    /// Beats and the windows that were judged with them; a window comes no earlier than the beats before its end.
    mutating func take(_ beats: [Beat], _ windows: ArraySlice<QualityWindow>) {
        waiting += beats
        for window in windows { tell(time.take(window)) }
        dropTold()
    }

    /// Intervals that a device measured, in a recording that has no beats.
    mutating func take(_ intervals: [IBI]) {
        for interval in intervals { push(.interval(interval)) }
    }

    /// The run ends: what is left of it takes the word of its last window.
    mutating func endRun(at end: Seconds) {
        tell(time.endRun(at: end))
        passBeats(before: .infinity)
        dropTold()
    }

    /// A run begins.
    mutating func begin(_ segment: SegmentStart) {
        stage.begin(segment, into: &outputs)
        time.begin(at: segment.onset)
    }

    /// Nothing more comes.
    mutating func finish() {
        passBeats(before: .infinity)
        dropTold()
        stage.finish(into: &outputs)
        time.finish()
    }

    /// Hands over what became known since the last time.
    mutating func hand(_ segments: inout [RhythmSegment], _ changes: inout [RhythmChange]) {
        for output in outputs {
            switch output {
            case .segment(let segment): segments.append(segment)
            case .change(let change): changes.append(change)
            }
        }
        outputs.removeAll(keepingCapacity: true)
    }

    private mutating func tell(_ stretches: [UsableTime.Stretch]) {
        for stretch in stretches {
            passBeats(before: stretch.range.lowerBound)
            push(
                .signal(
                    from: stretch.range.lowerBound, until: stretch.range.upperBound, isReadable: stretch.isUsable))
            passBeats(before: stretch.range.upperBound)
        }
    }

    private mutating func passBeats(before end: Seconds) {
        while next < waiting.count, waiting[next].onset < end {
            push(.beat(waiting[next]))
            next += 1
        }
    }

    private mutating func push(_ input: RhythmInput) {
        stage.push(CollectionOfOne(input).span, into: &outputs)
    }

    private mutating func dropTold() {
        waiting.removeFirst(next)
        next = 0
    }
}
