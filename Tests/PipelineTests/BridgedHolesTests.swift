import Cardiac
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// The same samples are missing whether a file marks them or leaves them out.
struct BridgedHolesTests {
    private static let rate = 250.0
    /// Where samples are missing, and how many: up to 0.04 s.
    private static let holes = stride(from: 500, to: 14_000, by: 337).map { ($0, $0 % 3 == 0 ? 10 : 1) }

    private static let ecg: [Float] = {
        var parameters = SimulationParameters()
        parameters.duration = 60
        let recording = SimulatedSession(parameters).recording()
        let stream = recording.streams.first { $0.header.kind == .ecg }
        return stream?.segments.first?.block.channel(0) ?? []
    }()

    private func track(_ outputs: CardiacTrack.Outputs = .all) throws -> CardiacTrack {
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "II", unit: .millivolts)], sampleRate: Self.rate)
        let source = try SourceRequest().source(in: RecordingHeader(streams: [header], format: "test"), file: "test")
        return try CardiacTrack(source, parameters: Parameters(), computing: outputs)
    }

    private func marked() throws -> CardiacResult {
        var samples = Self.ecg
        for (first, count) in Self.holes { for place in first..<first + count { samples[place] = .nan } }
        var track = try track()
        track.take(.segment(stream: 0, start: SegmentStart(onset: 3, sample: 0, sampleRate: Self.rate)))
        track.take(.samples(stream: 0, SampleBlock(samples)))
        track.finish()
        return track.result
    }

    /// What lies between the holes, each stretch `shift` seconds later than the one before it should be.
    private func leftOut(shift: Seconds = 0, because reason: Gap.Reason? = nil) throws -> CardiacResult {
        var track = try track()
        var (first, taken, shifted) = (0, 0, 0.0)
        for (hole, count) in Self.holes + [(Self.ecg.count, 0)] {
            var start = SegmentStart(
                onset: 3 + Double(first) / Self.rate + shifted, sample: taken, sampleRate: Self.rate)
            if let reason, first > 0 { start.gap = Gap(onset: start.onset - 0.004, duration: 0.004, reason: reason) }
            track.take(.segment(stream: 0, start: start))
            track.take(.samples(stream: 0, SampleBlock(Array(Self.ecg[first..<hole]))))
            taken += hole - first
            first = hole + count
            shifted += shift
        }
        track.finish()
        return track.result
    }

    @Test func beatsAreTheSameWhetherSamplesAreMarkedAsMissingOrLeftOut() throws {
        #expect(Self.ecg.count == 15_000)
        let (marked, leftOut) = (try marked(), try leftOut())
        #expect(marked.beats.count > 50)
        #expect(leftOut.beats.map(\.onset) == marked.beats.map(\.onset))
        #expect(leftOut.beats.map(\.confidence) == marked.beats.map(\.confidence))
        #expect(leftOut.intervals == marked.intervals)
        #expect(leftOut.quality == marked.quality)
        #expect(leftOut.windows == marked.windows)
        #expect(leftOut.runs.count == 1)
        for (beat, other) in zip(leftOut.beats, marked.beats) {
            let before = Self.holes.filter { $0.0 <= other.sample }.reduce(0) { $0 + $1.1 }
            #expect(beat.sample == other.sample - before)
        }
    }

    @Test func aHoleOffTheGridOfSamplesBeginsARun() throws {
        #expect(try leftOut(shift: 0.4 / Self.rate).runs.count == Self.holes.count + 1)
    }

    @Test func nothingIsMeasuredAcrossAHoleOfUnknownLength() throws {
        let parted = try leftOut(because: .unknownLength)
        #expect(parted.runs.count == Self.holes.count + 1)
        let edges = Self.holes.map { 3 + Double($0.0) / Self.rate }
        #expect(
            !parted.intervals.isEmpty
                && parted.intervals.allSatisfy { interval in
                    !edges.contains { interval.onset - interval.duration < $0 && $0 < interval.onset }
                })
        #expect(try leftOut(because: .deviceLost).runs.count == 1)
    }

    @Test func aHoleThatCouldHideAComplexBeginsARun() throws {
        var track = try track()
        for (onset, samples) in [(0.0, Self.ecg[..<5_000]), (20.1, Self.ecg[5_025...])] {
            track.take(.segment(stream: 0, start: SegmentStart(onset: onset, sample: 0, sampleRate: Self.rate)))
            track.take(.samples(stream: 0, SampleBlock(Array(samples))))
        }
        track.finish()
        #expect(track.result.runs.count == 2)
    }

    @Test func aLongGapWeighsTheSameInTheQualityOfAVariabilityWindowWhetherMarkedOrLeftOut() throws {
        let gap = 5_000..<11_250
        var samples = Self.ecg
        for place in gap { samples[place] = .nan }
        var (marked, leftOut) = (try track(.hrv), try track(.hrv))
        func take(_ track: inout CardiacTrack, _ first: Int, _ samples: some Sequence<Float>) {
            let start = SegmentStart(onset: Double(first) / Self.rate, sample: 0, sampleRate: Self.rate)
            track.take(.segment(stream: 0, start: start))
            track.take(.samples(stream: 0, SampleBlock(Array(samples))))
        }
        take(&marked, 0, samples)
        take(&leftOut, 0, Self.ecg[..<gap.lowerBound])
        take(&leftOut, gap.upperBound, Self.ecg[gap.upperBound...])
        marked.finish()
        leftOut.finish()
        let (one, other) = (marked.result.windowQuality, leftOut.result.windowQuality)
        #expect(!one.isEmpty && one.count == other.count)
        for (one, other) in zip(one, other) { #expect(abs(try #require(one) - (try #require(other))) < 1e-3) }
    }

    @Test func aSignalTooShortToTellABeatHasNone() throws {
        var track = try track()
        track.take(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: Self.rate)))
        track.take(.samples(stream: 0, SampleBlock(Array(Self.ecg[..<300]))))
        track.finish()
        #expect(track.result.beats.isEmpty && track.result.windows.isEmpty)
    }

    @Test func theQualityOfAVariabilityWindowIsThatOfItsSignal() throws {
        var random = SplitMix64(seed: 5)
        let noise = (0..<15_000).map { _ in Float.random(in: -0.2...0.2, using: &random) }
        for (samples, range) in [(Self.ecg, 0.8...1), (noise, 0...0.3)] {
            var track = try track(.hrv)
            track.take(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: Self.rate)))
            track.take(.samples(stream: 0, SampleBlock(samples)))
            track.finish()
            #expect(track.result.quality.isEmpty)
            for quality in track.result.windowQuality { #expect(range.contains(try #require(quality))) }
        }
    }
}
