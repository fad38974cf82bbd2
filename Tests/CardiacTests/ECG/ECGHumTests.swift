import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// The mains' hum costs no beat and moves none.
struct ECGHumTests {
    private static func detect(_ samples: [Float], _ sampleRate: Double) -> [Double] {
        var detector = ECGBeatDetector(sampleRate: sampleRate)
        return detector.run(samples, from: SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate)).map(\.onset)
    }

    private static func hum(_ samples: [Float], _ sampleRate: Double, frequency: Double, amplitude: Double) -> [Float] {
        samples.enumerated().map { place, sample in
            sample + Float(amplitude * sin(2 * .pi * frequency * Double(place) / sampleRate + 1))
        }
    }

    /// Root mean square of how far beats lie from those without hum.
    private static func displacement(_ found: [Double], _ expected: [Double]) -> Seconds {
        let squares = zip(found, expected).map { ($0 - $1) * ($0 - $1) }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }

    @Test(arguments: [(125.0, 50.0), (130, 60), (250, 50), (250, 60), (360, 50), (512, 60), (1000, 50), (2000, 60)])
    func beatsStayWhereTheyAre(sampleRate: Double, frequency: Double) {
        let ecg = SyntheticECG(
            sampleRate: sampleRate, beats: SyntheticECG.rhythm(rate: 70, duration: 120), duration: 120, noise: 0.01)
        let clean = Self.detect(ecg.samples, sampleRate)
        let noisy = Self.detect(
            Self.hum(ecg.samples, sampleRate, frequency: frequency, amplitude: 0.3), sampleRate)
        #expect(noisy.count == clean.count && clean.count == ecg.beats.count)
        #expect(Self.displacement(noisy, clean) < 0.001, "\(Self.displacement(noisy, clean)) s")
    }

    /// Their R waves measure 0.9 to 2 mV.
    @Test(
        .enabled(if: RealData.has("mitdb/100.dat")), arguments: ["100", "101", "119", "205", "209", "215"], [50.0, 60])
    func beatsOfRealRecordingsStayWhereTheyAre(record: String, frequency: Double) throws {
        let recording = try Recording(reading: WFDBRecord(RealData.url("mitdb/\(record)")))
        let segment = try #require(recording.streams.first?.segments.first)
        let (rate, samples) = (segment.start.sampleRate, Array(segment.block.channel(0).prefix(360 * 300)))
        let clean = Self.detect(samples, rate)
        let noisy = Self.detect(Self.hum(samples, rate, frequency: frequency, amplitude: 0.3), rate)
        let pairs = noisy.compactMap { found in
            clean.min { abs($0 - found) < abs($1 - found) }.map { (found: found, expected: $0) }
        }.filter { abs($0.found - $0.expected) < 0.05 }
        #expect(pairs.count >= clean.count - 1 && noisy.count <= clean.count + 1)
        let far = pairs.count { abs($0.found - $0.expected) > 0.004 }
        #expect(100 * far <= 2 * pairs.count, "\(far) of \(pairs.count) by more than 4 ms")
    }
}
