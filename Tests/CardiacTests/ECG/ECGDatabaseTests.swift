import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite("ECG beats of annotated recordings")
struct ECGDatabaseTests {
    private struct Annotated {
        var beats: [Double] = []
        var flutter: [Double] = []
        var samples: [Float] = []
        var sampleRate = 0.0
    }

    private func read(_ path: String) throws -> Annotated {
        var result = Annotated()
        let recording = try Recording(reading: WFDBRecord(RealData.url(path)))
        let stream = try #require(recording.streams.first)
        let segment = try #require(stream.segments.first)
        result.samples = segment.block.channel(0)
        result.sampleRate = segment.start.sampleRate
        let atr = RealData.url(path).deletingPathExtension().appendingPathExtension("atr")
        let annotations = try WFDBAnnotations.read(atr)
        let rate = try annotations.sampleRate(beside: atr)
        for annotation in annotations.list where annotation.isBeat {
            let time = Double(annotation.sample) / rate
            if annotation.symbol == "!" { result.flutter.append(time) } else { result.beats.append(time) }
        }
        return result
    }

    private func detect(_ record: Annotated) -> [Double] {
        var detector = ECGBeatDetector(sampleRate: record.sampleRate)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: record.sampleRate)
        return detector.run(record.samples, from: start).map(\.onset)
    }

    private static let mitdb = [
        "100", "101", "104", "106", "108", "109", "114", "116", "118", "119", "201", "203", "205", "207", "208", "209",
        "215", "217", "223", "230",
    ]

    @Test("MIT-BIH: whole records, first lead", .enabled(if: RealData.has("mitdb/230.hea")))
    func mitBIH() throws {
        var byTolerance: [Double: [BeatComparison]] = [:]
        for name in Self.mitdb {
            let record = try read("mitdb/\(name).hea")
            let found = detect(record)
            for tolerance in [0.15, 0.05, 0.02] {
                byTolerance[tolerance, default: []].append(
                    BeatComparison(detected: found, reference: record.beats + record.flutter, tolerance: tolerance))
            }
        }
        func gross(_ tolerance: Double) -> BeatComparison { .merged(byTolerance[tolerance] ?? []) }
        #expect(gross(0.15).falsePositives <= 70)
        #expect(gross(0.15).falseNegatives <= 170)
        #expect(gross(0.05).f1 ?? 0 >= 0.991)
        #expect(gross(0.02).f1 ?? 0 >= 0.9425)
        for (name, comparison) in zip(Self.mitdb, byTolerance[0.15] ?? []) where name != "114" && name != "217" {
            #expect(comparison.medianJitter ?? 1 <= 1.0 / 360, "\(name)")
        }
    }

    @Test("QT database: both tolerances and the jitter", .enabled(if: RealData.has("qtdb/sel100.hea")))
    func qtdb() throws {
        let record = try read("qtdb/sel100.hea")
        let comparison = BeatComparison(detected: detect(record), reference: record.beats, tolerance: 0.02)
        #expect(comparison.falsePositives == 0 && comparison.falseNegatives == 0)
        #expect(comparison.medianJitter ?? 1 <= 1.0 / 250)
    }
}
