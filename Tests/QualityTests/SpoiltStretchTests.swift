import Cardiac
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Stretches that no interval may reach into, though the windows that hold them may be good: bursts of noise and straight lines.
@Suite struct SpoiltStretchTests {
    private static let rate = 250.0
    private static let bursts: [Range<Seconds>] = stride(from: 20.0, to: 110, by: 20).map { $0..<$0 + 1.5 }

    private static func ecg(_ rhythm: HeartRhythmParameters = HeartRhythmParameters()) -> [Float] {
        var parameters = SimulationParameters()
        parameters.duration = 120
        parameters.rhythm = rhythm
        parameters.ecgNoise = [NoiseLevel(.pink, snr: 24)]
        let stream = SimulatedSession(parameters).recording().streams.first { $0.header.kind == .ecg }
        return stream?.segments.first?.block.channel(0) ?? []
    }

    private static func size(of samples: [Float]) -> Float { (samples.max() ?? 1) - (samples.min() ?? 0) }

    /// Nearly normal noise, between every fourth sample a line, as large as the beats.
    private static func drowned(_ samples: [Float]) -> [Float] {
        var random = SplitMix64(seed: 12)
        let (size, count) = (size(of: samples), samples.count)
        let points = (0...count / 4 + 1).map { _ in
            size * (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0...1, using: &random) }
        }
        var drowned = samples
        for burst in bursts {
            for place in Int(burst.lowerBound * rate)..<Int(burst.upperBound * rate) {
                let share = Float(place % 4) / 4
                drowned[place] = points[place / 4] * (1 - share) + points[place / 4 + 1] * share
            }
        }
        return drowned
    }

    private static func spoilt(_ samples: [Float], chunk: Int = 1_000) -> (
        stretches: [SpoiltStretch], windows: [QualityWindow]
    ) {
        var stage = AssessedBeats(ECGBeatDetector(sampleRate: rate), .ecg, sampleRate: rate)
        var (beats, windows, stretches) = ([Beat](), [QualityWindow](), [SpoiltStretch]())
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), beats: &beats, windows: &windows)
        for first in stride(from: 0, to: samples.count, by: chunk) {
            let piece = Array(samples[first..<min(first + chunk, samples.count)])
            stage.push(piece.span, beats: &beats, windows: &windows)
            stretches += stage.takeSpoilt()
        }
        stage.finish(beats: &beats, windows: &windows)
        return (stretches + stage.takeSpoilt(), windows)
    }

    @Test func `a burst of noise is told, and nothing but it`() {
        let stretches = Self.spoilt(Self.drowned(Self.ecg())).stretches.filter { $0.reason == .noise }
        for burst in Self.bursts {
            let told = stretches.reduce(0) { sum, stretch in
                let common = stretch.range.clamped(to: burst)
                return sum + common.upperBound - common.lowerBound
            }
            #expect(told > 1, "\(burst)")
        }
        let length = stretches.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound }
        #expect(length < 2 * Double(Self.bursts.count))
    }

    @Test(arguments: SimulatedFaultTests.rhythms) func `no rhythm is noise`(rhythm: HeartRhythmParameters) {
        let stretches = Self.spoilt(Self.ecg(rhythm)).stretches
        #expect(stretches.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound } < 1)
    }

    @Test(arguments: [1, 13, 250, 30_000]) func `pieces do not change what is told`(chunk: Int) {
        let samples = Self.drowned(Self.ecg())
        #expect(Self.spoilt(samples, chunk: chunk).stretches == Self.spoilt(samples).stretches)
    }

    /// As a converter fills a dropout; rounded to steps of a thousandth of the signal's size too.
    @Test(arguments: [0, 0.001]) func `a straight line is flat`(step: Float) {
        var samples = Self.ecg()
        let size = Self.size(of: samples)
        let line = Int(60 * Self.rate)..<Int(64 * Self.rate)
        let (from, to) = (samples[line.lowerBound - 1], samples[line.upperBound] + size / 2)
        for place in line {
            samples[place] = from + (to - from) * Float(place - line.lowerBound) / Float(line.count)
        }
        if step > 0 { samples = samples.map { ($0 / (step * size)).rounded() * step * size } }
        let (stretches, windows) = Self.spoilt(samples)
        #expect(windows.contains { $0.onset <= 60 && $0.onset + $0.duration >= 64 && $0.reasons.contains(.flat) })
        let flat = stretches.filter { $0.reason == .flat }
        #expect(flat.contains { $0.range.contains(62) })
        #expect(flat.allSatisfy { $0.range.lowerBound > 59 && $0.range.upperBound < 65 })
    }

    /// Steps of a tenth of a beat leave little of what is between two beats.
    @Test(arguments: [0.01, 0.03, 0.1]) func `coarse steps are not lines`(step: Float) {
        let samples = Self.ecg()
        let size = Self.size(of: samples) * step
        let (stretches, windows) = Self.spoilt(samples.map { ($0 / size).rounded() * size })
        #expect(!stretches.contains { $0.reason == .flat } && windows.flagged([.flat]) == 0)
    }

    @Test func `what one lead shows is not spoilt`() {
        let (clean, drowned) = (Self.ecg(), Self.drowned(Self.ecg()))
        func spoilt(_ leads: [[Float]], by length: Int) -> [SpoiltStretch] {
            var stage = AssessedLeads(leadCount: 2, sampleRate: Self.rate)
            var (beats, windows, stretches) = ([Beat](), [QualityWindow](), [SpoiltStretch]())
            stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: Self.rate), beats: &beats, windows: &windows)
            for first in stride(from: 0, to: clean.count, by: length) {
                let samples = leads.flatMap { $0[first..<min(first + length, clean.count)] }
                stage.push(
                    SampleBlock(channelCount: 2, samples: samples), channels: [0, 1], beats: &beats, windows: &windows)
                stretches += stage.takeSpoilt()
            }
            stage.finish(beats: &beats, windows: &windows)
            return stretches + stage.takeSpoilt()
        }
        #expect(spoilt([clean, drowned], by: 500).allSatisfy { $0.reason != .noise })
        let both = spoilt([drowned, drowned], by: 500)
        #expect(both.contains { $0.reason == .noise })
        #expect(spoilt([drowned, drowned], by: 37) == both)
    }
}
