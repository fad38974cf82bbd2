import Cardiac
import Foundation
import Signals
import Testing

@Suite("Which point of a QRS complex is the beat")
struct FiducialTests {
    /// Complexes at 250 Hz whose S wave, 40 ms after the R wave, is of size `depth` against an R wave of 1.
    private static func ecg(depth: Float, beats: Int) -> (samples: [Float], peaks: [Double]) {
        let peaks = (0..<beats).map { 1 + Double($0) * 0.8 + 0.03 * sin(Double($0)) }
        var samples = [Float](repeating: 0, count: Int((peaks[beats - 1] + 1.5) * 250))
        for place in samples.indices {
            let time = Double(place) / 250
            for peak in peaks where abs(time - peak) < 0.5 {
                func wave(_ center: Double, _ width: Double) -> Float {
                    Float(exp(-pow((time - peak - center) / width, 2)))
                }
                samples[place] += wave(0, 0.011) - depth * wave(0.04, 0.012) + 0.15 * wave(0.25, 0.04)
            }
        }
        return (samples, peaks)
    }

    private static func offsets(depth: Float, _ fiducial: ECGBeatDetector.Parameters.Fiducial) -> [Double] {
        let (samples, peaks) = ecg(depth: depth, beats: 60)
        var detector = ECGBeatDetector(sampleRate: 250, parameters: .init(fiducial: fiducial))
        var beats: [Beat] = []
        detector.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 250), into: &beats)
        detector.push(samples.span, into: &beats)
        detector.finish(into: &beats)
        return beats.compactMap { beat in
            peaks.min { abs($0 - beat.onset) < abs($1 - beat.onset) }.map { beat.onset - $0 }
        }
    }

    @Test("a larger S wave is the beat by default, and the R wave with rPeak", arguments: [1.6, 2.5] as [Float])
    func largerS(depth: Float) {
        let usual = Self.offsets(depth: depth, .largestDeflection)
        let upward = Self.offsets(depth: depth, .rPeak)
        #expect(usual.count >= 58 && upward.count == usual.count)
        #expect(usual.allSatisfy { abs($0 - 0.04) < 0.01 }, "\(usual)")
        #expect(upward.allSatisfy { abs($0) < 0.01 }, "\(upward)")
    }

    @Test("where the R wave is the largest both are the same")
    func largerR() {
        #expect(Self.offsets(depth: 0.3, .rPeak) == Self.offsets(depth: 0.3, .largestDeflection))
    }
}
