public import Cardiac
public import Signals

/// A beat detector together with the judge of its signal: samples in, beats and quality windows out.
///
/// As a `Stage` it gives both in order of time: a window comes after the beats before its end. Where beats should not
/// wait for windows, call the methods that take two arrays.
public struct AssessedBeats<Detector: BeatDetector>: Stage {
    /// A beat, or a judged window.
    public enum Output: Hashable, Sendable {
        case beat(Beat)
        case window(QualityWindow)
    }

    /// What finds the beats.
    public var detector: Detector
    private var assessor: SignalAssessor
    private var waiting: [Beat] = []
    private var found: [Beat] = []
    private var judged: [QualityWindow] = []

    /// A detector of beats in signals of this kind, at `sampleRate` Hz.
    public init(
        _ detector: Detector, _ modality: SignalAssessor.Modality, sampleRate: Double,
        parameters: QualityParameters = QualityParameters()
    ) {
        self.detector = detector
        assessor = SignalAssessor(
            modality, sampleRate: sampleRate, detectorLookAhead: detector.lookAhead, parameters: parameters)
    }

    /// By how much the signal must have gone on, in seconds, before the outputs about it are certain.
    public var lookAhead: Seconds { assessor.lookAhead }

    /// A run begins; what was held back of the one before is appended.
    public mutating func begin(
        _ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow]
    ) {
        let known = beats.count
        detector.begin(segment, into: &beats)
        for beat in beats[known...] { assessor.take(beat) }
        assessor.begin(segment, into: &windows)
    }

    /// The next samples of the run: beats are appended as soon as they are certain, windows as soon as they are judged.
    public mutating func push(_ chunk: Span<Float>, beats: inout [Beat], windows: inout [QualityWindow]) {
        var first = 0
        while first < chunk.count {
            // Cut where the assessor settles something, so that it knows the same beats however the input comes.
            let room = assessor.room ?? chunk.count
            let piece = chunk.extracting(first..<Swift.min(first + room, chunk.count))
            first += piece.count
            let known = beats.count
            detector.push(piece, into: &beats)
            for beat in beats[known...] { assessor.take(beat) }
            assessor.push(piece, into: &windows)
        }
    }

    /// Nothing more will come.
    public mutating func finish(beats: inout [Beat], windows: inout [QualityWindow]) {
        let known = beats.count
        detector.finish(into: &beats)
        for beat in beats[known...] { assessor.take(beat) }
        assessor.finish(into: &windows)
    }

    /// What became known since the last time of stretches that no interval may reach into.
    public mutating func takeSpoilt() -> [SpoiltStretch] { assessor.takeSpoilt() }

    /// The verdicts on intervals that became known since the last call.
    public mutating func takeVerdicts() -> [IntervalVerdict] { assessor.takeVerdicts() }

    /// A run begins; what was held back of the one before is appended, in order of time.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Output]) {
        var (beats, windows) = lists()
        begin(segment, beats: &beats, windows: &windows)
        merge(&beats, &windows, until: assessor.assessedUntil, into: &outputs)
    }

    /// The next samples of the run.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Output]) {
        var (beats, windows) = lists()
        push(chunk, beats: &beats, windows: &windows)
        merge(&beats, &windows, until: assessor.assessedUntil, into: &outputs)
    }

    /// Nothing more will come: appends what was still held back.
    public mutating func finish(into outputs: inout [Output]) {
        var (beats, windows) = lists()
        finish(beats: &beats, windows: &windows)
        merge(&beats, &windows, until: .infinity, into: &outputs)
    }

    /// The emptied lists of the last call, so that none is allocated anew.
    private mutating func lists() -> ([Beat], [QualityWindow]) {
        defer { (found, judged) = ([], []) }
        return (found, judged)
    }

    private mutating func merge(
        _ beats: inout [Beat], _ windows: inout [QualityWindow], until: Seconds, into outputs: inout [Output]
    ) {
        waiting += beats
        var next = 0
        for window in windows {
            while next < waiting.count, waiting[next].onset < window.onset + window.duration {
                outputs.append(.beat(waiting[next]))
                next += 1
            }
            outputs.append(.window(window))
        }
        while next < waiting.count, waiting[next].onset < until {
            outputs.append(.beat(waiting[next]))
            next += 1
        }
        waiting.removeFirst(next)
        beats.removeAll(keepingCapacity: true)
        windows.removeAll(keepingCapacity: true)
        (found, judged) = (beats, windows)
    }
}
