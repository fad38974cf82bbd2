import Cardiac
import Signals
import Simulation
import TestSupport
import Testing

@Suite("Rhythm from the times of beats")
struct RhythmStageTests {
    private func beats(_ onsets: [Double]) -> [Beat] { onsets.map { Beat(onset: $0, sample: 0) } }

    private func regular(_ interval: Double, from start: Double, count: Int) -> [Double] {
        (0..<count).map { start + Double($0) * interval }
    }

    private func simulated(
        _ episodes: [RhythmEpisode], duration: Double = 900, rate: Double = 70, seed: UInt64 = 1,
        _ change: (inout HeartRhythmParameters) -> Void = { _ in }
    ) -> [Beat] {
        var parameters = SimulationParameters()
        parameters.duration = duration
        parameters.seed = seed
        parameters.rhythm.meanRate = rate
        parameters.rhythm.episodes = episodes
        change(&parameters.rhythm)
        return beats(SimulatedSession(parameters).rhythm().map(\.onset))
    }

    private func outputs(_ inputs: [RhythmInput]) throws -> [RhythmOutput] {
        var stage = try RhythmStage()
        return stage.run(inputs, from: SegmentStart(onset: 0, sample: 0, sampleRate: 1))
    }

    @Test(
        "an episode of fibrillation is one event, found to within half its window",
        arguments: 1...6 as ClosedRange<UInt64>)
    func fibrillation(seed: UInt64) throws {
        let episode = RhythmEpisode(onset: 300, duration: 240, kind: .atrialFibrillation)
        let segments = try Rhythm.segments(simulated([episode], seed: seed), signal: [(0, 900, true)])
        #expect(segments.map(\.kind) == [.regular, .irregular, .regular])
        let found = try #require(segments.first { $0.kind == .irregular })
        #expect(abs(found.onset - 300) < 20 && abs(found.end - 540) < 20)
    }

    @Test("bigeminy is ectopy, from its first premature beat to its last", arguments: 1...4 as ClosedRange<UInt64>)
    func bigeminy(seed: UInt64) throws {
        let episode = RhythmEpisode(onset: 300, duration: 120, kind: .bigeminy)
        let segments = try Rhythm.segments(simulated([episode], seed: seed), signal: [(0, 900, true)])
        #expect(segments.map(\.kind) == [.regular, .ectopy, .regular])
        #expect(abs(segments[1].onset - 300) < 3 && abs(segments[1].end - 420) < 4)
    }

    @Test("a recording that begins and ends in bigeminy is nothing else, and never fast", arguments: [60, 61])
    func nothingButBigeminy(count: Int) throws {
        let onsets = (0..<count).map { place -> Double in Double(place / 2) * 1.6 + (place % 2 == 0 ? 0 : 0.5) }
        let kinds: [RhythmKind] = try Rhythm.segments(beats(onsets)).map(\.kind)
        #expect(kinds.contains(.ectopy))
        #expect(!kinds.contains(.tachycardia))
    }

    @Test("a few premature beats an hour leave the rhythm regular; many are ectopy, never irregular")
    func ectopy() throws {
        let few = simulated([]) { $0.ventricular.perHour = 15 }
        #expect(try Rhythm.segments(few).map(\.kind) == [.regular])
        let many = simulated([], duration: 1_800) { $0.ventricular.perHour = 600 }
        let segments = try Rhythm.segments(many)
        #expect(!segments.contains { $0.kind == .irregular })
        #expect(segments.filter { $0.kind == .ectopy }.reduce(0) { $0 + $1.duration } > 600)
    }

    @Test("sinus rhythm with much variability is regular", arguments: 1...4 as ClosedRange<UInt64>)
    func variability(seed: UInt64) throws {
        let kinds = try Rhythm.segments(simulated([], duration: 3_600, seed: seed) { $0.variability.hf *= 3 }).map(
            \.kind)
        #expect(kinds == [.regular])
    }

    @Test("asystole where the signal was readable, from the last beat to the next, and unreadable where nobody says so")
    func asystole() throws {
        let episode = RhythmEpisode(onset: 300, duration: 12, kind: .asystole)
        let beats = simulated([episode])
        let before = try #require(beats.last { $0.onset < 300 }).onset
        let after = try #require(beats.first { $0.onset > 305 }).onset
        let known = try Rhythm.segments(beats, signal: [(0, 900, true)])
        #expect(known.map(\.kind) == [.regular, .asystole, .regular])
        #expect(known[1].onset == before && abs(known[1].end - after) < 1e-9 && known[1].heartRate == nil)
        #expect(try Rhythm.segments(beats).map(\.kind) == [.regular, .unreadable, .regular])
        let lost = try Rhythm.segments(beats, signal: [(0, 302, true), (302, 310, false), (310, 900, true)])
        #expect(lost.map(\.kind) == [.regular, .unreadable, .regular])
    }

    @Test("asystole is told as soon as it has lasted, before any further beat")
    func promptness() throws {
        var stage = try RhythmStage()
        var outputs: [RhythmOutput] = []
        var inputs = regular(1, from: 0.5, count: 10).map { RhythmInput.beat(Beat(onset: $0, sample: 0)) }
        inputs.insert(.signal(from: 0, until: 10, isReadable: true), at: 0)
        for second in 10..<15 {
            inputs.append(.signal(from: Double(second), until: Double(second + 1), isReadable: true))
        }
        stage.push(inputs.span, into: &outputs)
        #expect(outputs.contains(.change(RhythmChange(onset: 9.5, kind: .asystole, previous: .undetermined))))
    }

    @Test(
        "a gap between runs is unreadable, not asystole, and a short one does not interrupt", arguments: [60, 5, 1.0])
    func gap(length: Double) throws {
        var stage = try RhythmStage()
        var outputs: [RhythmOutput] = []
        for start in [0, 60 + length] {
            stage.begin(SegmentStart(onset: start, sample: 0, sampleRate: 250), into: &outputs)
            var inputs = [RhythmInput.signal(from: start, until: start + 60, isReadable: true)]
            inputs += regular(0.8, from: start + 0.4, count: 75).map { .beat(Beat(onset: $0, sample: 0)) }
            stage.push(inputs.span, into: &outputs)
        }
        stage.finish(into: &outputs)
        let segments = outputs.segments
        #expect(segments.map(\.kind) == (length < 2 ? [.regular] : [.regular, .unreadable, .regular]))
        #expect(abs((segments.last?.end ?? 0) - 120 - length) < 1e-9)
        #expect(segments.reduce(0) { $0 + $1.intervals } == 148)
    }

    @Test("fast and slow rates have bounds for beginning and ending, so that one at the bound does not flicker")
    func hysteresis() throws {
        var generator = SplitMix64(seed: 7)
        for (rate, kind) in [(99.0, RhythmKind.tachycardia), (51, .bradycardia)] {
            let far = kind == .tachycardia ? 120.0 : 40
            var onsets = [0.0]
            for _ in 0..<60 { onsets.append(onsets[onsets.count - 1] + 60 / far) }
            for _ in 0..<600 {
                let jitter = Double.random(in: -2...2, using: &generator)
                onsets.append(onsets[onsets.count - 1] + 60 / (rate + jitter))
            }
            #expect(try Rhythm.segments(beats(onsets)).map(\.kind) == [kind])
        }
    }

    @Test("a fast rhythm that becomes a slow one, or the other way round, is never regular in between")
    func fastToSlow() throws {
        for (first, second) in [(0.45, 1.5), (1.5, 0.45), (0.55, 1.25)] {
            let onsets = regular(first, from: 0, count: 40)
            let later = regular(second, from: onsets[39] + second, count: 40)
            let kinds: [RhythmKind] = try Rhythm.segments(beats(onsets + later)).map(\.kind)
            #expect(kinds == (first < second ? [.tachycardia, .bradycardia] : [.bradycardia, .tachycardia]))
        }
    }

    @Test("the heart rate of a segment is that of its intervals")
    func heartRate() throws {
        let segments = try Rhythm.segments(beats(regular(0.5, from: 0, count: 101)))
        #expect(segments.map(\.kind) == [.tachycardia])
        #expect(segments[0].intervals == 100 && abs((segments[0].heartRate ?? 0) - 120) < 1e-9)
        #expect(Rhythm.table(segments).rows[0].count == Rhythm.columns.count)
    }

    @Test("intervals measured one by one give what beats give")
    func intervals() throws {
        let beats = simulated([RhythmEpisode(onset: 200, duration: 200, kind: .atrialFibrillation)])
        var joined = IBIStage()
        let intervals = joined.run(beats, from: SegmentStart(onset: 0, sample: 0, sampleRate: 1))
        let fromIntervals = try Rhythm.segments(intervals.map { .interval($0) })
        let fromBeats = try Rhythm.segments(beats)
        #expect(fromIntervals.map(\.kind) == fromBeats.map(\.kind))
        #expect(
            zip(fromIntervals, fromBeats).allSatisfy { abs($0.onset - $1.onset) < 1e-9 && $0.intervals == $1.intervals }
        )
    }

    @Test("outputs depend neither on chunks nor on how the words about the signal are cut")
    func invariance() throws {
        let episodes = [
            RhythmEpisode(onset: 100, duration: 150, kind: .atrialFibrillation),
            RhythmEpisode(onset: 400, duration: 20, kind: .asystole),
            RhythmEpisode(onset: 500, duration: 90, kind: .bigeminy),
        ]
        let beats = simulated(episodes, duration: 700)
        let words = [(0.0, 300.0, true), (300, 330, false), (330, 650, true)]
        func cut(_ step: Double) -> [RhythmInput] {
            var pieces: [(from: Seconds, until: Seconds, isReadable: Bool)] = []
            for (from, until, isReadable) in words {
                var start = from
                while start < until {
                    let end = min(until, start + step)
                    pieces.append((start, end, isReadable))
                    start = end
                }
            }
            return RhythmInput.merge(beats, signal: pieces)
        }
        let whole = try outputs(cut(1_000))
        #expect(whole.segments.map(\.kind).contains(.asystole))
        for step in [0.37, 1, 7.3, 64] { #expect(try outputs(cut(step)) == whole, "cut at \(step) s") }
        let stage = try RhythmStage()
        let late = SegmentStart(onset: 800, sample: 0, sampleRate: 1)
        let second = regular(0.4, from: 801, count: 20).map { RhythmInput.beat(Beat(onset: $0, sample: 0)) }
        assertChunkInvariant(
            stage,
            [
                (SegmentStart(onset: 0, sample: 0, sampleRate: 1), cut(1)), (late, second), (late, []),
                (SegmentStart(onset: 900, sample: 0, sampleRate: 1), [.beat(Beat(onset: .nan, sample: 0))]),
            ])
    }

    @Test("shifted in time, a recording has the same rhythms")
    func timeShift() throws {
        let beats = simulated([RhythmEpisode(onset: 200, duration: 200, kind: .atrialFibrillation)])
        let plain = try Rhythm.segments(beats)
        let shifted = try Rhythm.segments(self.beats(beats.map { $0.onset + 12_345 }))
        #expect(plain.map(\.kind) == shifted.map(\.kind))
        #expect(zip(plain, shifted).allSatisfy { abs($0.onset + 12_345 - $1.onset) < 1e-6 })
    }

    @Test("any input gives segments that follow each other, and changes and segments that alternate")
    func anyInput() throws {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<200 {
            var time = 0.0
            let inputs: [RhythmInput] = (0..<Int.random(in: 0...150, using: &generator)).map { _ in
                time += [0, -1, 0.3, 0.8, 1, 6, .nan, .infinity, 1e300].randomElement(using: &generator) ?? 0
                if !time.isFinite { defer { time = 50 }; return .beat(Beat(onset: time, sample: 0)) }
                switch Int.random(in: 0...3, using: &generator) {
                case 0:
                    let end = time + Double.random(in: -2...9, using: &generator)
                    return .signal(from: time, until: end, isReadable: Bool.random(using: &generator))
                case 1: return .interval(IBI(onset: time, duration: 0.8, isContiguous: Bool.random(using: &generator)))
                default:
                    return .beat(
                        Beat(onset: time, sample: 0, followsBreak: Int.random(in: 0...9, using: &generator) == 0))
                }
            }
            let outputs = try outputs(inputs)
            let segments = outputs.segments
            #expect(
                zip(segments, segments.dropFirst()).allSatisfy { abs($0.end - $1.onset) < 1e-6 && $0.state != $1.state }
            )
            #expect(segments.allSatisfy { $0.duration > 0 })
            #expect(outputs.count == 2 * segments.count)
        }
    }

    @Test("rapid fibrillation is irregular and fast", arguments: 1...6 as ClosedRange<UInt64>)
    func rapidFibrillation(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mean = Double.random(in: 0.38...0.52, using: &random)
        var onsets = [0.0]
        for _ in 0..<200 {
            let spread = (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0...1, using: &random) }
            onsets.append(onsets[onsets.count - 1] + max(0.27, mean * (1 + 0.17 * spread)))
        }
        let segments = try Rhythm.segments(beats(onsets), signal: [(0, onsets[200], true)])
        #expect(segments.map(\.state) == [RhythmState(.irregular, irregularity: .irregular, rate: .fast)])
    }

    @Test("a fast steady rhythm is tachycardia, not irregular", arguments: [105.0, 130, 170, 210])
    func sinusTachycardia(rate: Double) throws {
        var random = SplitMix64(seed: UInt64(rate))
        var onsets = [0.0]
        for _ in 0..<200 {
            let jitter = Double.random(in: -0.006...0.006, using: &random)
            onsets.append(onsets[onsets.count - 1] + 60 / rate + jitter)
        }
        let states = try Rhythm.segments(beats(onsets)).map(\.state)
        #expect(states == [RhythmState(.tachycardia, irregularity: .regular, rate: .fast)])
    }

    @Test("less than 30 s or 20 intervals tell no rhythm", arguments: [(10.0, 0.8), (29, 0.4), (35, 2.0)])
    func tooShort(length: Double, interval: Double) throws {
        let onsets = regular(interval, from: interval / 2, count: Int(length / interval))
        let segments = try Rhythm.segments(beats(onsets), signal: [(0, length, true)])
        #expect(segments.map(\.kind) == [.undetermined])
        #expect(segments.first?.heartRate != nil)
        let cells = try #require(Rhythm.table(segments).rows.first)
        #expect(cells[2...5].allSatisfy { $0 == .missing })
    }

    @Test("30 s of signal with 20 intervals tell a rhythm")
    func longEnough() throws {
        let onsets = regular(1, from: 0.5, count: 30)
        #expect(try Rhythm.segments(beats(onsets), signal: [(0, 30, true)]).map(\.kind) == [.regular])
    }

    @Test("runs of fast beats are told, from their first beat to their last", arguments: 1...40 as ClosedRange<UInt64>)
    func fastRuns(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let sinus = 60 / Double.random(in: 55...85, using: &random)
        var (onsets, runs) = ([0.0], [Range<Double>]())
        func add(_ interval: Double) {
            onsets.append(onsets[onsets.count - 1] + interval * Double.random(in: 0.97...1.03, using: &random))
        }
        for _ in 0..<8 {
            for _ in 0..<Int.random(in: 8...25, using: &random) { add(sinus) }
            let fast = 60 / Double.random(in: 120...220, using: &random)
            add(min(0.7 * sinus, 1.1 * fast))
            let start = onsets[onsets.count - 1]
            for _ in 1..<Int.random(in: 3...30, using: &random) { add(fast) }
            runs.append(start..<onsets[onsets.count - 1])
            add(1.3 * sinus)
        }
        for _ in 0..<20 { add(sinus) }
        let segments = try Rhythm.segments(beats(onsets), signal: [(0, onsets[onsets.count - 1], true)])
        for run in runs {
            let over = segments.filter { $0.onset < run.upperBound - 1e-3 && $0.end > run.lowerBound + 1e-3 }
            #expect(over.allSatisfy { $0.kind == .tachycardia && $0.state.rate == .fast }, "\(run) \(over)")
        }
    }

    @Test("bigeminy and trigeminy are patterns of ectopy, not irregular", arguments: [2, 3])
    func patterns(period: Int) throws {
        let onsets = (0..<150).map { Double($0) * 0.8 - ($0 % period == 0 ? 0.28 : 0) }
        let segments = try Rhythm.segments(beats(onsets))
        let time = segments.reduce(0) { $0 + $1.duration }
        let pattern = segments.filter { $0.state.ectopy == (period == 2 ? .bigeminy : .trigeminy) }
        #expect(pattern.reduce(0) { $0 + $1.duration } > 0.9 * time)
        #expect(!segments.contains { $0.state.irregularity == .irregular })
    }

    @Test("a pulse that is not seen is no asystole")
    func pulse() throws {
        let beats = simulated([RhythmEpisode(onset: 300, duration: 12, kind: .asystole)])
        let kinds = try Rhythm.segments(beats, signal: [(0, 900, true)], ofPulse: true).map(\.kind)
        #expect(kinds == [.regular, .noBeats, .regular])
    }

    @Test(
        "where only beats are missing, their absence is asystole after beats that could be read, and beats are unreadable"
    )
    func silence() throws {
        let before = regular(0.8, from: 0.4, count: 75)
        let inputs: [RhythmInput] =
            [.signal(from: 0, until: 50, use: .readable)]
            + before.filter { $0 < 50 }.map { .beat(Beat(onset: $0, sample: 0)) }
            + [.signal(from: 50, until: 90, use: .silence)]
            + before.filter { $0 >= 50 }.map { .beat(Beat(onset: $0, sample: 0)) }
        #expect(try Rhythm.segments(inputs).map(\.kind) == [.regular, .unreadable, .asystole])
        #expect(try Rhythm.segments([.signal(from: 0, until: 60, use: .silence)]).map(\.kind) == [.unreadable])
        let alone: [RhythmInput] =
            [.signal(from: 0, until: 60, use: .silence)]
            + regular(0.8, from: 0.4, count: 60).map { .beat(Beat(onset: $0, sample: 0)) }
        #expect(try Rhythm.segments(alone).allSatisfy { $0.kind == .unreadable || $0.kind == .asystole })
    }

    @Test("parameters without a meaning are refused by name")
    func parameters() {
        var parameters = RhythmParameters()
        parameters.irregularUntil = 0.5
        #expect { _ = try RhythmStage(parameters) } throws: { "\($0)".contains("irregularUntil") }
    }

    @Test("sparsity is the median distance to the k-th nearest point", arguments: [3, 12, 20, 48, 100])
    func sparsity(count: Int) throws {
        var generator = SplitMix64(seed: UInt64(count))
        let intervals = (0..<count).map { _ in Double.random(in: 0.4...1.2, using: &generator) }
        let mean = intervals.reduce(0, +) / Double(count)
        let points = zip(intervals, intervals.dropFirst()).map { ($0 / mean, $1 / mean) }
        let k = min(points.count - 1, max(1, (points.count + 8) / 16))
        let distances = points.map { p in points.map { max(abs(p.0 - $0.0), abs(p.1 - $0.1)) }.sorted()[k] }.sorted()
        let expected = (distances[(points.count - 1) / 2] + distances[points.count / 2]) / 2
        var sparsity = IntervalSparsity()
        let value = try #require(sparsity(count: count) { (intervals[$0], true) })
        #expect(abs(value - expected) < 1e-6)
        for least in [0, 0.5 * value, value.nextDown, value, value.nextUp, 2 * value] + distances {
            #expect(sparsity.isAtLeast(least, count: count) { (intervals[$0], true) } == (value >= least))
        }
    }
}

extension [RhythmOutput] {
    fileprivate var segments: [RhythmSegment] {
        compactMap { output in
            if case .segment(let segment) = output { segment } else { nil }
        }
    }
}
