import Cardiac
import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite("Several leads of annotated recordings")
struct MultiLeadDatabaseTests {
    private static let tolerances = [0.15, 0.05]

    private func segment(of record: URL) throws -> Segment {
        let stream = try #require(try Recording(reading: WFDBRecord(record)).streams.first)
        return try #require(stream.segments.first)
    }

    /// Compares the first lead alone, the second alone, and both, at each of the tolerances.
    private func compare(_ path: String) throws -> [[BeatComparison]] {
        let url = RealData.url(path)
        let segment = try segment(of: url)
        let atr = url.deletingPathExtension().appendingPathExtension("atr")
        let annotations = try WFDBAnnotations.read(atr)
        let rate = try annotations.sampleRate(beside: atr)
        let reference = annotations.list.filter(\.isBeat).map { Double($0.sample) / rate }
        let leads = [segment.block.channel(0), segment.block.channel(1)]
        var found: [[Beat]] = leads.map { samples in
            var detector = ECGBeatDetector(sampleRate: segment.start.sampleRate)
            return detector.run(samples, from: segment.start)
        }
        found.append(together(leads, segment.start))
        return found.map { beats in
            Self.tolerances.map {
                BeatComparison(detected: beats.map(\.onset), reference: reference, tolerance: $0)
            }
        }
    }

    private func together(_ leads: [[Float]], _ start: SegmentStart) -> [Beat] {
        var detector = MultiLeadECGDetector(sampleRates: leads.map { _ in start.sampleRate })
        var beats: [Beat] = []
        for (lead, samples) in leads.enumerated() {
            detector.begin(start, lead: lead)
            detector.push(samples.span, lead: lead)
        }
        detector.finish(into: &beats)
        return beats
    }

    private static let records = [
        "100", "101", "104", "106", "108", "109", "114", "116", "118", "119", "201", "203", "205", "207", "208", "209",
        "215", "217", "223", "230",
    ]

    @Test("MIT-BIH: both leads beat the better one", .enabled(if: RealData.has("mitdb/230.hea")))
    func mitBIH() throws {
        var all: [[[BeatComparison]]] = []
        for record in Self.records { all.append(try compare("mitdb/\(record).hea")) }
        func f1(_ detector: Int, _ tolerance: Int) -> Double {
            BeatComparison.merged(all.map { $0[detector][tolerance] }).f1 ?? 0
        }
        for tolerance in Self.tolerances.indices {
            let best = max(f1(0, tolerance), f1(1, tolerance))
            #expect(f1(2, tolerance) > best, "\(Self.tolerances[tolerance]) s: \(f1(2, tolerance)), alone \(best)")
        }
        let gross = BeatComparison.merged(all.map { $0[2][0] })
        #expect(gross.falsePositives <= 70 && gross.falseNegatives <= 290)
    }

    @Test(
        "MIT-BIH: a lead that shows hum alone from its first sample on takes no beat from the other",
        .enabled(if: RealData.has("mitdb/230.hea")), arguments: [(0.2, 50.0), (1, 50), (1, 60), (5, 50)])
    func humFromTheStart(size: Double, frequency: Double) throws {
        let segment = try segment(of: RealData.url("mitdb/118.hea"))
        let good = Array(segment.block.channel(0).prefix(108_000))
        let rate = segment.start.sampleRate
        let hum = good.indices.map { Float(size * sin(2 * .pi * frequency * Double($0) / rate)) }
        var detector = ECGBeatDetector(sampleRate: rate)
        let alone = detector.run(good, from: segment.start).map(\.onset)
        for leads in [[good, hum], [hum, good]] {
            let found = together(leads, segment.start).map(\.onset)
            let comparison = BeatComparison(detected: found, reference: alone, tolerance: 0.02)
            #expect(comparison.f1 ?? 0 > 0.995, "\(found.count) of \(alone.count)")
        }
    }

    @Test(
        "MIT-BIH: pops in one lead, and nothing else, move no beat of the other",
        .enabled(if: RealData.has("mitdb/230.hea")), arguments: ["100", "116", "223"], 1...6 as ClosedRange<UInt64>)
    func popsInOneLead(record: String, seed: UInt64) throws {
        let segment = try segment(of: RealData.url("mitdb/\(record).hea"))
        let good = Array(segment.block.channel(1).prefix(216_000))
        var pops = [Float](repeating: 0, count: good.count)
        var generator = SplitMix64(seed: seed)
        var place = 0
        while place < pops.count {
            let height = Float.random(in: 0.8...3, using: &generator)
            for lag in 0..<108 where place + lag < pops.count { pops[place + lag] += height * exp(-Float(lag) / 11) }
            place += Int.random(in: 150...420, using: &generator)
        }
        for index in pops.indices { pops[index] += 0.02 * SyntheticECG.normal(&generator) }
        var detector = ECGBeatDetector(sampleRate: segment.start.sampleRate)
        let alone = detector.run(good, from: segment.start).map(\.onset)
        for leads in [[pops, good], [good, pops]] {
            let found = together(leads, segment.start).map(\.onset).filter { $0 > 20 }
            let comparison = BeatComparison(detected: found, reference: alone.filter { $0 > 20 }, tolerance: 0.02)
            #expect(comparison.f1 ?? 0 > 0.97)
        }
    }

    @Test(
        "MIT-BIH: artefacts that keep step in one lead do not silence the irregular heart in the other",
        .enabled(if: RealData.has("mitdb/230.hea")), arguments: ["119", "203", "208"])
    func regularArtefact(record: String) throws {
        let segment = try segment(of: RealData.url("mitdb/\(record).hea"))
        let good = Array(segment.block.channel(0).prefix(216_000))
        var other = Array(segment.block.channel(1).prefix(216_000))
        var generator = SplitMix64(seed: 90)
        for step in 0..<716 {
            let place = 43_200 + 240 * step + Int(7 * SyntheticECG.normal(&generator))
            let height = Float.random(in: 1.7...2.3, using: &generator)
            for lag in -40...40 { other[place + lag] += height * exp(-Float(lag * lag) / 125) }
        }
        var detector = ECGBeatDetector(sampleRate: segment.start.sampleRate)
        let alone = detector.run(good, from: segment.start).map(\.onset)
        let found = together([good, other], segment.start).map(\.onset)
        #expect(BeatComparison(detected: found, reference: alone, tolerance: 0.15).f1 ?? 0 > 0.98)
    }

    @Test("QT database: nothing is lost", .enabled(if: RealData.has("qtdb/sel100.hea")))
    func qtdb() throws {
        let comparison = try compare("qtdb/sel100.hea")[2][1]
        #expect(comparison.falsePositives == 0 && comparison.falseNegatives == 0)
    }
}
