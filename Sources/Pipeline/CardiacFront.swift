import Cardiac
import Quality
import Signals

/// What turns the samples of one source into beats and, where it is wanted, windows of quality.
protocol CardiacFront {
    mutating func begin(_ segment: SegmentStart, beats: inout [Beat], windows: inout [QualityWindow])
    mutating func push(_ chunk: Span<Float>, beats: inout [Beat], windows: inout [QualityWindow])
    mutating func finish(beats: inout [Beat], windows: inout [QualityWindow])
}

extension AssessedBeats: CardiacFront {}

/// A detector whose signal nobody judges.
struct UnassessedBeats<Detector: BeatDetector>: CardiacFront {
    var detector: Detector

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
