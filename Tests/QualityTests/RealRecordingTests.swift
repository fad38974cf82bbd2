import Cardiac
import Formats
import Foundation
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Annotated recordings: what can be used passes, what a detector gets wrong is flagged.
@Suite struct RealRecordingTests {
    struct Annotated {
        var rate: Double
        var samples: [Float]
        var reference: [Seconds]
        /// Where the annotators call the first lead noisy or unreadable.
        var noisy: [ClosedRange<Seconds>] = []

        init(_ record: String) throws {
            let stream = try Recording(reading: WFDBRecord(RealData.url("mitdb/\(record).hea"))).streams[0]
            rate = stream.header.sampleRate
            samples = stream.segments[0].block.channel(0)
            let rate = rate
            let annotations = try WFDBAnnotations(reading: RealData.url("mitdb/\(record).atr")).list
            reference = annotations.filter { WFDBAnnotation.isBeat(code: $0.code) }.map { Double($0.sample) / rate }
            var since: Seconds?
            for mark in annotations where mark.symbol == "~" {
                // A bit per lead; −1 is unreadable.
                let (time, isNoisy) = (Double(mark.sample) / rate, mark.subtype < 0 || mark.subtype & 1 != 0)
                if let begin = since, !isNoisy { noisy.append(begin...time) }
                since = isNoisy ? since ?? time : nil
            }
            if let begin = since { noisy.append(begin...(.infinity)) }
        }

        /// Whether the annotators find nothing to object to in the window.
        func isClean(_ window: QualityWindow) -> Bool {
            !noisy.contains { $0.overlaps(window.onset...window.onset + window.duration) }
        }

        /// Middle distance from the lowest to the highest sample around the beats.
        var peakToPeak: Double {
            let reach = Int(0.05 * rate)
            let sizes = reference.compactMap { beat -> Float? in
                let sample = Int(beat * rate)
                guard sample > reach, sample + reach < samples.count else { return nil }
                let near = samples[sample - reach...sample + reach]
                return zip([near.max()], [near.min()]).map { ($0 ?? 0) - ($1 ?? 0) }.first
            }.sorted()
            return Double(sizes[sizes.count / 2])
        }
    }

    /// The windows, and for each the F1 score of the beats in it.
    func judgeAndScore(_ samples: [Float], _ truth: Annotated) -> [(window: QualityWindow, f1: Double)] {
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: truth.rate)
        let judged = judge([(start, samples)], .ecg, rate: truth.rate)
        let detected = judged.beats.map(\.onset)
        return judged.windows.map { window in
            let span = window.onset..<window.onset + window.duration
            // Pairs may lie on either side of the window's edge.
            let near = span.lowerBound - 0.5..<span.upperBound + 0.5
            let comparison = BeatComparison(
                detected: detected.filter(near.contains), reference: truth.reference.filter(near.contains),
                tolerance: 0.15)
            let wrong = comparison.extra.count(where: span.contains) + comparison.missed.count(where: span.contains)
            let all = detected.count(where: span.contains) + truth.reference.count(where: span.contains)
            return (window, all == 0 ? 1 : 1 - Double(wrong) / Double(all))
        }
    }

    @Test(
        .enabled(if: RealData.has("mitdb/100.hea")),
        arguments: ["100", "101", "109", "118", "119", "205", "208", "209", "215", "223", "230"])
    func `records with clear beats pass, ventricular ectopy included`(record: String) throws {
        let truth = try Annotated(record)
        let windows = judgeAndScore(truth.samples, truth)
        #expect(windows.count == 1_796)
        #expect(windows.map(\.window).flagged() <= 0.05)
    }

    @Test(.enabled(if: RealData.has("mitdb/201.hea")), arguments: ["201", "203"])
    func `atrial fibrillation is not bad signal`(record: String) throws {
        let truth = try Annotated(record)
        let windows = judgeAndScore(truth.samples, truth)
        let good = windows.filter { $0.f1 == 1 && truth.isClean($0.window) }.map(\.window)
        #expect(good.count > 1_000)
        #expect(good.flagged() <= 0.05)
        #expect(windows.filter { $0.f1 >= 0.9 }.map(\.window).flagged() <= 0.1)
    }

    @Test(
        .enabled(if: RealData.has("mitdb/100.hea")), arguments: [NoiseKind.electrodeMotion, .muscle, .pink, .white])
    func `where noise misleads the detector, the windows are flagged`(kind: NoiseKind) throws {
        var bad: [QualityWindow] = []
        for record in ["100", "119", "208"] {
            let truth = try Annotated(record)
            for snr in [6.0, 0, -6] {
                let count = Int(600 * truth.rate)
                var source = NoiseSource(kind, sampleRate: truth.rate, seed: 21, label: record)
                let scale = NoiseSource.rms(snr: snr, peakToPeak: truth.peakToPeak)
                let noisy = zip(truth.samples, source.samples(count)).map { $0 + Float($1 * scale) }
                bad += judgeAndScore(noisy, truth).filter { $0.f1 < 0.9 && $0.window.onset <= 590 }.map(\.window)
            }
        }
        #expect(bad.count > 100)
        #expect(bad.flagged() >= 0.95, "\(kind): \(bad.count) windows")
    }
}
