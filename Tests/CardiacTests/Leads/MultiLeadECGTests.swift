import Cardiac
import Signals
import TestSupport
import Testing

/// Leads of one heart with their own sizes, noises and faults, all of whose beats are known.
private struct Leads {
    var rates = [250.0, 250.0]
    var beats = SyntheticECG.rhythm(rate: 75, duration: 180)
    var noises: [Float] = [0.03, 0.03]
    /// By how much each lead's R peaks come later, in seconds.
    var delays = [0.0, 0.0]

    func samples(_ lead: Int) -> [Float] {
        SyntheticECG(
            sampleRate: rates[lead], beats: beats.map { $0 + delays[lead] }, duration: 180, noise: noises[lead],
            seed: UInt64(lead + 3)
        ).samples
    }
}

/// Runs a detector over all of the leads' samples, in pieces of `chunk` seconds.
private func detect(_ leads: [[Float]], rates: [Double], chunk: Double = 1) -> [Beat] {
    var detector = MultiLeadECGDetector(sampleRates: rates)
    var beats: [Beat] = []
    for (lead, rate) in rates.enumerated() {
        detector.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), lead: lead)
    }
    var time = 0.0
    while leads.indices.contains(where: { Int(time * rates[$0]) < leads[$0].count }) {
        for (lead, samples) in leads.enumerated() {
            let first = min(Int(time * rates[lead]), samples.count)
            let end = min(Int((time + chunk) * rates[lead]), samples.count)
            detector.push(samples.span.extracting(first..<end), lead: lead)
        }
        detector.advance(into: &beats)
        time += chunk
    }
    detector.finish(into: &beats)
    return beats
}

private func compare(_ beats: [Beat], _ truth: [Double], _ tolerance: Double = 0.05) -> BeatComparison {
    BeatComparison(detected: beats.map(\.onset), reference: truth, tolerance: tolerance)
}

@Suite("ECG beats of several leads")
struct MultiLeadECGTests {
    @Test("Clean leads: every beat, to the sample, from one lead", arguments: [1, 2, 12])
    func clean(count: Int) {
        var leads = Leads()
        leads.rates = Array(repeating: 250, count: count)
        leads.noises = Array(repeating: 0.03, count: count)
        leads.delays = (0..<count).map { 0.004 * Double($0) }
        let beats = detect(leads.rates.indices.map(leads.samples), rates: leads.rates)
        let comparison = compare(beats, leads.beats, 0.006)
        #expect(comparison.falsePositives == 0 && comparison.falseNegatives == 0)
        #expect(beats.allSatisfy { $0.lead == 0 })
        #expect(beats.count(where: \.followsBreak) == 1)
    }

    @Test("A lead that fails does no harm", arguments: [0, 1], ["flat", "missing", "noise", "from the start"])
    func failure(lead: Int, fault: String) {
        let leads = Leads()
        var samples = [leads.samples(0), leads.samples(1)]
        var generator = SplitMix64(seed: 5)
        for index in samples[lead].indices where fault == "from the start" || (10_000..<30_000).contains(index) {
            switch fault {
            case "missing": samples[lead][index] = .nan
            case "noise": samples[lead][index] = 3 * SyntheticECG.normal(&generator)
            default: samples[lead][index] = 0.5
            }
        }
        let beats = detect(samples, rates: leads.rates)
        let comparison = compare(beats, leads.beats)
        #expect(comparison.falsePositives <= 1 && comparison.falseNegatives <= 1, "\(comparison)")
        #expect(comparison.medianJitter ?? 1 < 0.002)
        #expect(beats.count(where: \.followsBreak) == 1, "one lead always saw")
    }

    @Test("A change of lead leaves no trace in the intervals")
    func compensation() throws {
        var leads = Leads()
        leads.delays = [0, 0.03]
        leads.noises = [0.01, 0.01]
        var samples = [leads.samples(0), leads.samples(1)]
        for index in 20_000..<samples[0].count { samples[0][index] = .nan }
        let beats = detect(samples, rates: leads.rates)
        #expect(beats.contains { $0.lead == 1 })
        let comparison = compare(beats, leads.beats, 0.01)
        #expect(comparison.falsePositives == 0 && comparison.falseNegatives == 0)
    }

    @Test("What drowns in one lead is found in the other, both ways")
    func complement() {
        var leads = Leads()
        leads.noises = [0.02, 0.02]
        var samples = [leads.samples(0), leads.samples(1)]
        var generator = SplitMix64(seed: 9)
        for index in samples[0].indices {
            // By turns, 20 s each.
            samples[index / 5_000 % 2][index] += 1.5 * SyntheticECG.normal(&generator)
        }
        let alone = samples.map { lead in
            var detector = ECGBeatDetector(sampleRate: 250)
            let beats = detector.run(lead, from: SegmentStart(onset: 0, sample: 0, sampleRate: 250))
            return compare(beats, leads.beats).f1 ?? 0
        }
        let together = compare(detect(samples, rates: leads.rates), leads.beats).f1 ?? 0
        #expect(together > 0.92)
        #expect(together > (alone.max() ?? 1) + 0.3)
    }

    @Test("Leads of different rates; one comes late and goes early")
    func differentRates() {
        var leads = Leads()
        leads.rates = [500, 200]
        var second = leads.samples(1)
        for index in second.indices where !(4_000..<26_000).contains(index) { second[index] = .nan }
        let beats = detect([leads.samples(0), second], rates: leads.rates)
        let comparison = compare(beats, leads.beats, 0.006)
        #expect(comparison.falsePositives == 0 && comparison.falseNegatives == 0)
    }

    @Test("A gap in all leads breaks the chain, one in a single lead does not")
    func gaps() {
        let leads = Leads()
        var samples = [leads.samples(0), leads.samples(1)]
        for index in 10_000..<11_000 { samples[0][index] = .nan }
        for index in 20_000..<21_000 { (samples[0][index], samples[1][index]) = (.nan, .nan) }
        let breaks = detect(samples, rates: leads.rates).filter(\.followsBreak).map(\.onset)
        #expect(breaks.count == 2)
        #expect(breaks.last.map { (84.0..<86).contains($0) } ?? false)
    }

    @Test("Nothing, a constant and noise alone")
    func nothing() {
        #expect(detect([[], []], rates: [250, 250]).isEmpty)
        let flat = [Float](repeating: 1, count: 50_000)
        #expect(detect([flat, flat], rates: [250, 250]).isEmpty)
        let missing = [Float](repeating: .nan, count: 50_000)
        #expect(detect([missing, missing], rates: [250, 250]).isEmpty)
        #expect(detect([flat, missing], rates: [10, 1e9], chunk: 100).isEmpty)
    }
}

/// Two leads that are sampled together, as a stage.
private struct TwoLeads: Stage {
    var detector = MultiLeadECGDetector(sampleRates: [250, 250])
    var lookAhead: Seconds { detector.lookAhead }

    mutating func begin(_ segment: SegmentStart, into outputs: inout [Beat]) {
        detector.begin(segment, lead: 0)
        detector.begin(segment, lead: 1)
        detector.advance(into: &outputs)
    }

    mutating func push(_ chunk: Span<SIMD2<Float>>, into outputs: inout [Beat]) {
        var first: [Float] = []
        var second: [Float] = []
        for index in chunk.indices {
            first.append(chunk[index].x)
            second.append(chunk[index].y)
        }
        detector.push(first.span, lead: 0)
        detector.push(second.span, lead: 1)
        detector.advance(into: &outputs)
    }

    mutating func finish(into outputs: inout [Beat]) { detector.finish(into: &outputs) }
}

@Suite("Several leads in pieces")
struct MultiLeadChunkTests {
    private func runs() -> [(start: SegmentStart, samples: [SIMD2<Float>])] {
        var leads = Leads()
        leads.noises = [0.3, 0.2]
        let first = leads.samples(0)
        let second = leads.samples(1)
        var frames = first.indices.map { SIMD2(first[$0], second[$0]) }
        for index in 5_000..<6_500 { frames[index].x = .nan }
        for index in 6_000..<7_500 { frames[index].y = 0.25 }
        for index in 9_000..<9_005 { frames[index] = SIMD2(.nan, .infinity) }
        let start = SegmentStart(onset: 3.3, sample: 0, sampleRate: 250)
        let later = SegmentStart(
            onset: 203.337, sample: 20_000, sampleRate: 250, gap: Gap(onset: 83.3, duration: 120, reason: .deviceLost))
        return [(start, Array(frames[0..<20_000])), (later, Array(frames[20_000...]))]
    }

    @Test("The beats do not depend on the pieces")
    func chunks() {
        let beats = assertChunkInvariant(TwoLeads(), runs())
        #expect(beats.count > 150)
    }

    @Test("A beat is certain within the look-ahead")
    func lookAhead() {
        var stage = TwoLeads()
        var known: [Beat] = []
        let run = runs()[0]
        stage.begin(run.start, into: &known)
        var seen = 0
        for first in stride(from: 0, to: 20_000, by: 10) {
            stage.push(run.samples.span.extracting(first..<first + 10), into: &known)
            let now = run.start.onset(ofOffset: first + 10)
            for beat in known[seen...] { #expect(now - beat.onset <= stage.lookAhead) }
            seen = known.count
        }
    }
}
