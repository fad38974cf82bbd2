import Cardiac
import Quality
import Signals

/// What turns the samples of one source into beats and, where it is wanted, windows of quality.
protocol CardiacFront {
    mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow])
    mutating func push(_ chunk: Span<Float>, beats: inout [Beat], windows: inout [QualityWindow])
    mutating func finish(beats: inout [Beat], windows: inout [QualityWindow])
    /// Whether the pulses of a BVP are kept until they are taken.
    var keepsPulses: Bool { get set }
    /// The pulses of the beats since the last time, where they are kept; none for an ECG.
    mutating func takePulses() -> [Pulse]
    /// How many seconds acceleration must be ahead of the samples.
    var accelerationLead: Seconds { get }
    mutating func beginAcceleration(_ segment: SegmentStart)
    mutating func pushAcceleration(_ block: SampleBlock, factor: Float)
    mutating func endAcceleration()
}

extension AssessedBeats: CardiacFront {
    var keepsPulses: Bool {
        get { detector.keepsPulses }
        set { detector.keepsPulses = newValue }
    }

    mutating func takePulses() -> [Pulse] { detector.takePulses() }

    var accelerationLead: Seconds { detector.accelerationLead }

    mutating func beginAcceleration(_ segment: SegmentStart) { detector.beginAcceleration(segment) }

    mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {
        detector.pushAcceleration(block, factor: factor)
    }

    mutating func endAcceleration() { detector.endAcceleration() }
}

/// A detector whose signal nobody judges.
struct UnassessedBeats<Detector: BeatDetector>: CardiacFront {
    var detector: Detector

    var keepsPulses: Bool {
        get { detector.keepsPulses }
        set { detector.keepsPulses = newValue }
    }

    mutating func takePulses() -> [Pulse] { detector.takePulses() }

    var accelerationLead: Seconds { detector.accelerationLead }

    mutating func beginAcceleration(_ segment: SegmentStart) { detector.beginAcceleration(segment) }

    mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {
        detector.pushAcceleration(block, factor: factor)
    }

    mutating func endAcceleration() { detector.endAcceleration() }

    mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.begin(segment, into: &beats)
    }

    mutating func push(_ chunk: Span<Float>, beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.push(chunk, into: &beats)
    }

    mutating func finish(beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.finish(into: &beats)
    }
}

extension CardiacSource {
    /// The detector for this source, with or without a judge of its signal; nil where it holds intervals already.
    func front(_ parameters: Parameters, assessingQuality: Bool) -> (any CardiacFront)? {
        switch kind {
        case .ecg:
            let detector = ECGBeatDetector(sampleRate: sampleRate, parameters: parameters.ecg)
            guard assessingQuality else { return UnassessedBeats(detector: detector) }
            return AssessedBeats(detector, .ecg, sampleRate: sampleRate, parameters: parameters.quality)
        case .bvp:
            let detector = BVPBeatDetector(sampleRate: sampleRate, parameters: parameters.bvp)
            guard assessingQuality else { return UnassessedBeats(detector: detector) }
            return AssessedBeats(detector, .bvp, sampleRate: sampleRate, parameters: parameters.quality)
        case .ibi: return nil
        }
    }
}
