import Cardiac
import Foundation
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Live equals offline: the same numbers however the recording comes in.
struct CardiacTrackTests {
    private static let session: SimulatedSession = {
        var parameters = SimulationParameters()
        parameters.duration = 400
        parameters.rhythm.ventricular.perHour = 60
        parameters.ecgNoise = [NoiseLevel(.muscle, snr: 15)]
        parameters.faults = [
            Fault(.gap, stream: .ecg, onset: 100, duration: 12), Fault(.gap, stream: .bvp, onset: 130, duration: 5),
            Fault(.missing, stream: .ecg, onset: 200, duration: 3),
            Fault(.motion, stream: .bvp, onset: 250, duration: 8),
        ]
        return SimulatedSession(parameters)
    }()

    /// The results of all streams when the recording is cut into blocks by `cut`.
    private func results(
        _ session: SimulatedSession = session, edits: [BeatEdit] = [], cutting cut: (Int) -> Int
    ) throws -> [CardiacResult] {
        let recording = session.recording()
        let sources = SourceRequest.all(in: recording.header)
        return try sources.map { source in
            var track = try CardiacTrack(source, parameters: Parameters(), edits: edits)
            for segment in recording.streams[source.stream].segments {
                track.take(.segment(stream: source.stream, start: segment.start))
                var first = 0
                while first < segment.block.frameCount {
                    let count = min(max(1, cut(segment.block.frameCount - first)), segment.block.frameCount - first)
                    track.take(.samples(stream: source.stream, segment.block.frames(first..<first + count)))
                    first += count
                }
            }
            track.finish()
            return track.result
        }
    }

    @Test func beatsIntervalsQualityAndHRVDoNotDependOnTheCuts() throws {
        let whole = try results { $0 }
        #expect(whole.map(\.source.kind) == [.ecg, .bvp])
        #expect(whole.allSatisfy { $0.beats.count > 400 && $0.windows.count == 4 && $0.quality.count > 300 })
        var random = SplitMix64(seed: 11)
        for largest in [1, 7, 250, 4_000] {
            let cut = try results { _ in largest == 1 ? 1 : Int.random(in: 1...largest, using: &random) }
            for (found, expected) in zip(cut, whole) {
                #expect(found.beats == expected.beats)
                #expect(found.quality == expected.quality)
                #expect(found.intervals == expected.intervals)
                #expect(found.nn == expected.nn)
                #expect(found.corrections == expected.corrections)
                #expect(found.windows == expected.windows)
                #expect(found.rhythm == expected.rhythm)
                #expect(found.rhythmChanges == expected.rhythmChanges)
                #expect(found.respiration == expected.respiration)
            }
        }
    }

    @Test func anHourCutAtRandomGivesTheSameBitsAsWhole() throws {
        var parameters = SimulationParameters()
        parameters.duration = 3_600
        parameters.rhythm.supraventricular.perHour = 60
        parameters.ecgNoise = [NoiseLevel(.muscle, snr: 12), NoiseLevel(.baselineWander, snr: 0)]
        parameters.randomFaults = [RandomFaults(.electrodePop, stream: .ecg, perHour: 20, duration: 1)]
        parameters.bvp = nil
        let session = SimulatedSession(parameters)
        let whole = try results(session) { $0 }
        var random = SplitMix64(seed: 60)
        let cut = try results(session) { _ in 1 << Int.random(in: 0...14, using: &random) }
        #expect(whole[0].beats.count > 4_000 && whole[0].windows.count == 111)
        #expect(cut[0].beats == whole[0].beats)
        #expect(cut[0].windows == whole[0].windows)
        #expect(cut[0].quality == whole[0].quality)
    }

    @Test func aGapIsUnreadableAndTheRestHasARhythm() throws {
        for result in try results(cutting: { $0 }) {
            let gap = try #require(result.gaps.first)
            #expect(result.rhythm.first?.onset == 0)
            #expect(abs((result.rhythm.last?.end ?? 0) - 400) < 1)
            for (earlier, later) in zip(result.rhythm, result.rhythm.dropFirst()) {
                #expect(abs(earlier.end - later.onset) < 1e-6)
                #expect(earlier.kind != later.kind)
            }
            let middle = gap.onset + gap.duration / 2
            #expect(result.rhythm.first { $0.onset <= middle && $0.end > middle }?.kind == .unreadable)
            let unreadable = result.rhythm.filter { $0.kind == .unreadable }.reduce(0) { $0 + $1.duration }
            #expect(unreadable < 45)
            #expect(!result.rhythm.contains { $0.kind == .asystole })
            #expect(result.rhythmChanges.map(\.kind) == result.rhythm.map(\.kind))
        }
    }

    @Test func respirationIsTheSimulatedOneByEveryMethodTogether() throws {
        let (methods, simulated) = ([RespirationMethod.fusion, .bvpFusion], 15.0)
        for (result, method) in zip(try results(cutting: { $0 }), methods) {
            let windows = result.respiration.filter { $0.method == method }
            #expect(windows.count >= 33)
            let rates = windows.compactMap(\.rate)
            #expect(rates.count > 20)
            #expect(rates.allSatisfy { abs($0 - simulated) < 1.5 }, "\(rates)")
            #expect(result.respiration.map(\.onset) == result.respiration.map(\.onset).sorted())
        }
    }

    @Test func editsChangeBeatsAndAllThatFollowsFromThem() throws {
        let original = try results(cutting: { $0 })[0]
        let (gone, moved) = (original.beats[50].onset, original.beats[60].onset)
        let edits = [
            BeatEdit(.delete, onset: gone), BeatEdit(.move, onset: moved, target: moved + 0.1),
            BeatEdit(.add, onset: original.beats[70].onset + 0.3), BeatEdit(.delete, onset: 106),
        ]
        let whole = try results(edits: edits, cutting: { $0 })[0]
        #expect(whole.edits.count == 4 && whole.edits.count { $0.failure == nil } == 3)
        #expect(whole.beats.count == original.beats.count)
        #expect(!whole.beats.contains { $0.onset == gone } && !whole.beats.contains { $0.onset == moved })
        #expect(whole.audit.filter { $0.kind == .manual }.count == 3)
        #expect(Correction.replay(whole.corrections, on: whole.intervals) == whole.nn)
        let cut = try results(edits: edits, cutting: { _ in 333 })[0]
        #expect(cut.beats == whole.beats && cut.nn == whole.nn && cut.rhythm == whole.rhythm)
        #expect(cut.edits == whole.edits)
    }

    @Test func noIntervalSpansAGap() throws {
        for result in try results(cutting: { $0 }) {
            for gap in result.gaps {
                #expect(
                    !result.intervals.contains {
                        $0.onset > gap.onset + gap.duration && $0.onset - $0.duration < gap.onset
                    })
            }
            #expect(result.gaps.count == 1)
            let covered = result.runs.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
            #expect(abs(covered - (400 - result.gaps[0].duration)) < 0.1)
        }
    }

    @Test func recordedIntervalsAreJudgedByWhatTheyCoverAndALongPauseIsOneWindow() throws {
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let source = try SourceRequest().source(in: RecordingHeader(streams: [header], format: "test"), file: "test")
        var track = try CardiacTrack(source, parameters: Parameters(), computing: .quality)
        let ends = (1...30).map(Double.init) + (1...30).map { 1_500_000_000 + Double($0) }
        track.take(.values(stream: 0, ends.map { TimedValue(onset: $0, values: [1]) }))
        track.finish()
        let windows = track.result.quality
        #expect(windows.count < 100)
        #expect(windows.first?.coverage == 1 && windows.first?.quality == 1)
        #expect(windows.last?.coverage == 1)
        let longest = try #require(windows.max { $0.duration < $1.duration })
        #expect(longest.onset == 30 && longest.duration == 1_499_999_970)
        #expect(longest.coverage == 0 && longest.reasons == [.gap])
    }

    @Test func intervalsAndRhythmAloneAreTheSameWithoutTheVariability() throws {
        let recording = Self.session.recording()
        let source = try SourceRequest().source(in: recording.header, file: "test")
        func result(_ outputs: CardiacTrack.Outputs) throws -> CardiacResult {
            var track = try CardiacTrack(source, parameters: Parameters(), computing: outputs)
            let events = RecordedEvents(recording)
            while let event = events.next() { track.take(event) }
            track.finish()
            return track.result
        }
        let (alone, whole) = (try result([.intervals, .rhythm]), try result([.hrv, .rhythm]))
        #expect(alone.windows.isEmpty && !whole.windows.isEmpty)
        #expect(!alone.corrections.isEmpty && alone.corrections == whole.corrections)
        #expect(alone.intervals == whole.intervals && alone.nn == whole.nn && alone.rhythm == whole.rhythm)
    }

    @Test func variabilityKnowsHowLongTheSignalWasWhenItsBeatsEndEarly() throws {
        var simulated = SimulationParameters()
        simulated.duration = 200
        let recording = SimulatedSession(simulated).recording()
        let ecg = try #require(recording.streams.first { $0.header.kind == .ecg })
        let beating = try #require(ecg.segments.first).block.channel(0)
        let samples = beating + Array(repeating: beating[beating.count - 1], count: beating.count)
        let source = try SourceRequest().source(
            in: RecordingHeader(streams: [ecg.header], format: "test"), file: "test")
        func windows(_ length: Seconds?, cutting count: Int) throws -> [HRVWindow] {
            var parameters = Parameters()
            parameters.hrv.window = length
            var track = try CardiacTrack(source, parameters: parameters, computing: .hrv)
            track.take(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 250)))
            for first in stride(from: 0, to: samples.count, by: count) {
                track.take(
                    .samples(stream: 0, SampleBlock(Array(samples[first..<min(first + count, samples.count)]))))
            }
            track.finish()
            return track.result.windows
        }
        let whole = try #require(try windows(nil, cutting: samples.count).first)
        #expect(whole.onset < 2 && abs(whole.onset + whole.duration - 400) < 1e-9 && abs(whole.coverage - 0.5) < 0.01)
        let grid = try windows(300, cutting: samples.count)
        #expect(grid.map(\.onset) == [0, 30, 60, 90])
        #expect(try windows(300, cutting: 777) == grid)
    }

    /// The rhythm of a simulated ECG of a minute, 30 s of something else in mV, sampled at 250 Hz, and the minute again.
    private func rhythm(around pause: (Int) -> Float) throws -> [RhythmSegment] {
        var parameters = SimulationParameters()
        parameters.duration = 60
        let recording = SimulatedSession(parameters).recording()
        let ecg = try #require(recording.streams.first { $0.header.kind == .ecg })
        let beating = try #require(ecg.segments.first).block.channel(0)
        let level = beating[beating.count - 1]
        let source = try SourceRequest().source(
            in: RecordingHeader(streams: [ecg.header], format: "test"), file: "test")
        var track = try CardiacTrack(source, parameters: Parameters())
        track.take(.segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 250)))
        track.take(.samples(stream: 0, SampleBlock(beating + (0..<7_500).map { level + pause($0) } + beating)))
        track.finish()
        return track.result.rhythm
    }

    @Test(arguments: [Float(0), 0.1])
    func aPauseInAQuietSignalIsOneAsystole(hum: Float) throws {
        var random = SplitMix64(seed: 3)
        let rhythm = try rhythm { place in
            let phase: Float = 2 * .pi * 50 * Float(place) / 250
            return hum * sin(phase) + Float.random(in: -0.01...0.01, using: &random)
        }
        #expect(rhythm.map(\.kind) == [.regular, .asystole, .regular])
        #expect(try #require(rhythm.dropFirst().first).duration > 29)
    }

    @Test(arguments: [(Float(2), Float(1)), (3, 1.5), (-3, 2), (5, 0.7)])
    func theReturnOfAnAmplifierAfterAStepIsUnreadable(step: Float, seconds: Float) throws {
        var random = SplitMix64(seed: 3)
        let rhythm = try rhythm { place in
            let time = Float(place) / 250
            return step * exp(-time / seconds) + Float.random(in: -0.01...0.01, using: &random)
        }
        #expect(rhythm.map(\.kind) == [.regular, .unreadable, .regular])
    }

    @Test(arguments: [(50.0, Float(1)), (60, 3), (0.5, 2), (0.2, 3)])
    func anElectrodeThatHangsFreeIsUnreadable(frequency: Double, size: Float) throws {
        var random = SplitMix64(seed: 3)
        let rhythm = try rhythm { place in
            let phase: Double = 2 * .pi * frequency * Double(place) / 250
            return size * Float(sin(phase)) + Float.random(in: -0.01...0.01, using: &random)
        }
        #expect(rhythm.map(\.kind) == [.regular, .unreadable, .regular])
    }

    @Test func recordedIntervalsAreTakenAsTheyAre() throws {
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let source = try SourceRequest().source(in: RecordingHeader(streams: [header], format: "test"), file: "test")
        var track = try CardiacTrack(source, parameters: Parameters())
        let values = [(1.0, 0.8), (1.9, 0.9), (5.0, 0.85), (5.8, 0.8), (6.6, -1), (7.4, 0.8)]
        track.take(.values(stream: 0, values.map { TimedValue(onset: $0.0, values: [$0.1]) }))
        track.finish()
        #expect(track.result.intervals.map(\.duration) == [0.8, 0.9, 0.85, 0.8, 0.8])
        #expect(track.result.intervals.map(\.isContiguous) == [false, true, false, true, false])
    }
}
