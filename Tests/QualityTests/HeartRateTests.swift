import Cardiac
import Foundation
import Quality
import Signals
import Testing

/// Beats that follow each other faster than a heart can are told as such.
@Suite struct HeartRateTests {
    /// The windows of a minute of spikes, each of them a beat, so many a second.
    static func windows(
        _ modality: SignalAssessor.Modality, beatsPerSecond: Double, rate: Double = 250
    ) -> [QualityWindow] {
        let onsets = (1..<Int(60 * beatsPerSecond)).map { Double($0) / beatsPerSecond }
        let width = modality == .ecg ? 0.01 : 0.03
        let samples = (0..<Int(60 * rate)).map { k -> Float in
            let time = Double(k) / rate
            let nearest = (time * beatsPerSecond).rounded() / beatsPerSecond
            return Float(exp(-0.5 * (time - nearest) * (time - nearest) / width / width))
        }
        var assessor = SignalAssessor(modality, sampleRate: rate, detectorLookAhead: 0)
        var windows: [QualityWindow] = []
        assessor.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &windows)
        for onset in onsets { assessor.take(Beat(onset: onset, sample: Int((onset * rate).rounded()))) }
        assessor.push(samples.span, into: &windows)
        assessor.finish(into: &windows)
        return windows
    }

    @Test(arguments: SignalAssessor.Modality.allCases)
    func `three hundred beats a minute are implausible, two hundred are not`(modality: SignalAssessor.Modality) {
        let fast = Self.windows(modality, beatsPerSecond: 5)
        #expect(fast.count == 51 && fast.flagged([.implausibleRate]) == 1)
        let slow = Self.windows(modality, beatsPerSecond: 200.0 / 60)
        #expect(slow.count == 51 && slow.flagged([.implausibleRate]) == 0)
    }
}
