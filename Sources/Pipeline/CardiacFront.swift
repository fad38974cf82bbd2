import Cardiac
import Quality
import Signals

/// What turns the samples of one source into beats and, where it is wanted, windows of quality.
protocol CardiacFront {
    mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow])
    /// The next samples; `channels` are the places of the source's leads in `block`.
    mutating func push(_ block: SampleBlock, channels: [Int], beats: inout [Beat], windows: inout [QualityWindow])
    mutating func finish(beats: inout [Beat], windows: inout [QualityWindow])
    /// What became known since the last time of stretches that no interval may reach into.
    mutating func takeSpoilt() -> [SpoiltStretch]
    /// The verdicts on intervals that became known since the last call.
    mutating func takeVerdicts() -> [IntervalVerdict]
    /// Whether the pulses of a BVP are kept until they are taken.
    var keepsPulses: Bool { get set }
    /// The pulses of the beats since the last time, where they are kept; none for an ECG.
    mutating func takePulses() -> [Pulse]
    /// The doubt in the polarity of a BVP so far; nil where there is none.
    var pulseDoubt: PulseDoubt? { get }
    /// How many seconds acceleration must be ahead of the samples.
    var accelerationLead: Seconds { get }
    mutating func beginAcceleration(_ segment: SegmentStart)
    mutating func pushAcceleration(_ block: SampleBlock, factor: Float)
    mutating func endAcceleration()
}

/// What has neither pulses nor an ear for acceleration, nor a judge.
extension CardiacFront {
    mutating func takeSpoilt() -> [SpoiltStretch] { [] }

    mutating func takeVerdicts() -> [IntervalVerdict] { [] }

    var keepsPulses: Bool {
        get { false }
        set {}
    }

    mutating func takePulses() -> [Pulse] { [] }

    var pulseDoubt: PulseDoubt? { nil }

    var accelerationLead: Seconds { 0 }

    mutating func beginAcceleration(_ segment: SegmentStart) {}

    mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {}

    mutating func endAcceleration() {}
}

extension AssessedBeats: CardiacFront {
    var keepsPulses: Bool {
        get { detector.keepsPulses }
        set { detector.keepsPulses = newValue }
    }

    mutating func takePulses() -> [Pulse] { detector.takePulses() }

    var pulseDoubt: PulseDoubt? { detector.pulseDoubt }

    var accelerationLead: Seconds { detector.accelerationLead }

    mutating func beginAcceleration(_ segment: SegmentStart) { detector.beginAcceleration(segment) }

    mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {
        detector.pushAcceleration(block, factor: factor)
    }

    mutating func endAcceleration() { detector.endAcceleration() }

    mutating func push(_ block: SampleBlock, channels: [Int], beats: inout [Beat], windows: inout [QualityWindow]) {
        push(block.samples.span.extracting(block.range(ofChannel: channels[0])), beats: &beats, windows: &windows)
    }
}

extension AssessedLeads: CardiacFront {}

/// A detector whose signal nobody judges.
struct UnassessedBeats<Detector: BeatDetector>: CardiacFront {
    var detector: Detector

    var keepsPulses: Bool {
        get { detector.keepsPulses }
        set { detector.keepsPulses = newValue }
    }

    mutating func takePulses() -> [Pulse] { detector.takePulses() }

    var pulseDoubt: PulseDoubt? { detector.pulseDoubt }

    var accelerationLead: Seconds { detector.accelerationLead }

    mutating func beginAcceleration(_ segment: SegmentStart) { detector.beginAcceleration(segment) }

    mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {
        detector.pushAcceleration(block, factor: factor)
    }

    mutating func endAcceleration() { detector.endAcceleration() }

    mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.begin(segment, into: &beats)
    }

    mutating func push(_ block: SampleBlock, channels: [Int], beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.push(block.samples.span.extracting(block.range(ofChannel: channels[0])), into: &beats)
    }

    mutating func finish(beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.finish(into: &beats)
    }
}

/// A detector in several leads whose signals nobody judges.
struct UnassessedLeads: CardiacFront {
    var detector: MultiLeadECGDetector
    var leadCount: Int

    mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow]) {
        for lead in 0..<leadCount { detector.begin(segment, lead: lead) }
        detector.advance(into: &beats)
    }

    mutating func push(_ block: SampleBlock, channels: [Int], beats: inout [Beat], windows: inout [QualityWindow]) {
        for (lead, channel) in channels.enumerated() {
            detector.push(block.samples.span.extracting(block.range(ofChannel: channel)), lead: lead)
        }
        detector.advance(into: &beats)
    }

    mutating func finish(beats: inout [Beat], windows: inout [QualityWindow]) {
        detector.finish(into: &beats)
    }
}

extension CardiacSource {
    /// The detector for this source, with or without a judge of its signal; nil where it holds intervals already.
    func front(_ parameters: Parameters, assessingQuality: Bool) -> (any CardiacFront)? {
        switch kind {
        case .ecg where leads.count > 1:
            guard assessingQuality else {
                let rates = leads.map { _ in sampleRate }
                return UnassessedLeads(
                    detector: MultiLeadECGDetector(sampleRates: rates, parameters: parameters.ecg),
                    leadCount: leads.count)
            }
            return AssessedLeads(
                leadCount: leads.count, sampleRate: sampleRate, parameters: parameters.ecg, quality: parameters.quality)
        case .ecg:
            let detector = ECGBeatDetector(sampleRate: sampleRate, parameters: parameters.ecg)
            guard assessingQuality else { return UnassessedBeats(detector: detector) }
            return AssessedBeats(detector, .ecg, sampleRate: sampleRate, parameters: parameters.quality)
        case .bvp:
            let detector = BVPBeatDetector(
                sampleRate: sampleRate, parameters: parameters.bvp, expecting: PulseSource(label: label.label))
            guard assessingQuality else { return UnassessedBeats(detector: detector) }
            return AssessedBeats(detector, .bvp, sampleRate: sampleRate, parameters: parameters.quality)
        case .ibi: return nil
        }
    }
}
