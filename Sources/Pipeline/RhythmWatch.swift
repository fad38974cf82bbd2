import Cardiac
import Quality
import Signals

/// Tells the rhythm of one source from its beats and the quality of its signal.
///
/// Beats wait until the signal around them has been judged. A moment is readable where one window that holds it may be
/// used. In an ECG, beats are known to be absent where a window has nothing else against it, and no window that holds the
/// moment finds anything wrong with the signal: the smooth return of an amplifier after an electrode came off has no
/// beats and no noise either.
struct RhythmWatch {
    private var stage: RhythmStage
    private var time: UsableTime
    /// The time that may be used, and that in which only beats are missing; nil for a pulse wave, which a sensor loses more
    /// often than a heart.
    private var quiet: UsableTime?
    private var quietTime: [Range<Seconds>] = []
    /// The time held by a window whose signal is bad, whatever its beats are.
    private var bad: UsableTime?
    private var badTime: [Range<Seconds>] = []
    private var waiting: [Beat] = []
    private var next = 0
    private var outputs: [RhythmOutput] = []

    /// - Parameter quality: how quality windows are made, and which of them may be used.
    /// - Throws: the first parameter that has no meaning.
    init(
        _ parameters: RhythmParameters, quality: QualityParameters, ofPulse isPulse: Bool
    ) throws(InvalidParameter) {
        stage = try RhythmStage(parameters, ofPulse: isPulse)
        time = UsableTime(step: quality.step, isUsable: quality.allowsBeats)
        guard !isPulse else { return }
        quiet = UsableTime(step: quality.step) { window in
            quality.allowsBeats(in: window) || (window.coverage >= 0.95 && window.reasons == [.noBeats])
        }
        bad = UsableTime(step: quality.step) { !$0.reasons.allSatisfy(Self.areOfBeats.contains) }
    }

    /// The reasons that concern the beats in a window rather than its signal.
    private static let areOfBeats: Set<QualityReason> = [
        .noBeats, .implausibleRate, .lowTemplateCorrelation, .detectorsDisagree, .uncorrelated, .unconfirmed,
    ]

    /// Beats and the windows that were judged with them; a window comes no earlier than the beats before its end.
    mutating func take(_ beats: [Beat], _ windows: ArraySlice<QualityWindow>) {
        waiting += beats
        for window in windows {
            noteQuiet(quiet?.take(window), bad?.take(window))
            tell(time.take(window))
        }
        dropTold()
    }

    /// Intervals that a device measured, in a recording that has no beats.
    mutating func take(_ intervals: [IBI]) {
        for interval in intervals { push(.interval(interval)) }
    }

    /// The run ends: what is left of it takes the word of its last window.
    mutating func endRun(at end: Seconds) {
        noteQuiet(quiet?.endRun(at: end), nil)
        tell(time.endRun(at: end))
        passBeats(before: .infinity)
        dropTold()
    }

    /// A run begins.
    mutating func begin(_ segment: SegmentStart) {
        stage.begin(segment, into: &outputs)
        time.begin(at: segment.onset)
        quiet?.begin(at: segment.onset)
        bad?.begin(at: segment.onset)
    }

    /// Nothing more comes.
    mutating func finish() {
        passBeats(before: .infinity)
        dropTold()
        stage.finish(into: &outputs)
        time.finish()
        quiet?.finish()
        bad?.finish()
        quietTime.removeAll()
        badTime.removeAll()
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

    private mutating func noteQuiet(_ quiet: [UsableTime.Stretch]?, _ bad: [UsableTime.Stretch]?) {
        for stretch in quiet ?? [] where stretch.isUsable { quietTime.append(stretch.range) }
        for stretch in bad ?? [] where stretch.isUsable { badTime.append(stretch.range) }
    }

    /// The parts of a range in which nothing but beats is missing.
    private func quietParts(of range: Range<Seconds>) -> [Range<Seconds>] {
        quietTime.flatMap { quiet in
            var parts: [Range<Seconds>] = []
            var rest = quiet.clamped(to: range)
            for bad in badTime where bad.overlaps(rest) {
                if rest.lowerBound < bad.lowerBound { parts.append(rest.lowerBound..<bad.lowerBound) }
                rest = min(bad.upperBound, rest.upperBound)..<rest.upperBound
            }
            return parts + (rest.isEmpty ? [] : [rest])
        }
    }

    private mutating func tell(_ stretches: [UsableTime.Stretch]) {
        for stretch in stretches {
            if stretch.isUsable {
                tell(stretch.range, .readable)
            } else {
                var told = stretch.range.lowerBound
                for quiet in quietParts(of: stretch.range) {
                    tell(told..<quiet.lowerBound, .unreadable)
                    tell(quiet, .silence)
                    told = quiet.upperBound
                }
                tell(told..<stretch.range.upperBound, .unreadable)
            }
            quietTime.removeAll { $0.upperBound <= stretch.range.upperBound }
            badTime.removeAll { $0.upperBound <= stretch.range.upperBound }
        }
    }

    private mutating func tell(_ range: Range<Seconds>, _ use: SignalUse) {
        guard !range.isEmpty else { return }
        passBeats(before: range.lowerBound)
        push(.signal(from: range.lowerBound, until: range.upperBound, use: use))
        passBeats(before: range.upperBound)
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
