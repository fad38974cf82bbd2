import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// The heart rate from pulse wave and acceleration.
@Suite struct PulseRateTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var heart: Double
        var cadence: Double
        var testDescription: String { "\(heart)/min at \(cadence) steps per second" }
    }

    /// Steps near the heart rate, its half, its double and its three halves.
    static let pairs = [
        Pair(heart: 81, cadence: 2.5), Pair(heart: 113, cadence: 1.0), Pair(heart: 120, cadence: 3.0),
        Pair(heart: 159, cadence: 1.25), Pair(heart: 100, cadence: 1.9), Pair(heart: 140, cadence: 2.6),
        Pair(heart: 165, cadence: 2.9), Pair(heart: 60, cadence: 1.5),
    ]
    /// Steps or arms at the heart rate itself or at its half.
    static let equals = [
        Pair(heart: 75, cadence: 2.5), Pair(heart: 120, cadence: 1.0), Pair(heart: 150, cadence: 1.25),
        Pair(heart: 90, cadence: 3.0), Pair(heart: 140, cadence: 140 / 60),
    ]
    /// Steps far from the heart rate.
    static let far = [
        Pair(heart: 75, cadence: 2.5), Pair(heart: 120, cadence: 1.0), Pair(heart: 120, cadence: 3.0),
        Pair(heart: 150, cadence: 1.25), Pair(heart: 90, cadence: 3.0),
    ]

    @Test(arguments: pairs, [1.0, 2.5]) func steps_doNotBecomeTheHeartRate(pair: Pair, artefact: Double) throws {
        var exercise = SimulatedExercise()
        exercise.heart = { _ in pair.heart }
        exercise.cadence = { _ in pair.cadence }
        exercise.artefact = artefact
        let windows = try exercise.windows()
        let errors = exercise.errors(windows)
        let found = errors.compactMap(\.self)
        #expect(windows.count == 57)
        #expect(Double(found.count) >= 0.9 * Double(windows.count))
        #expect(found.reduce(0, +) / Double(found.count) < 2.5)
        #expect(windows.filter { $0.onset > exercise.start }.allSatisfy { $0.isMoving })
        #expect(windows.filter { $0.end < exercise.start - 1 }.allSatisfy { !$0.isMoving })
    }

    @Test(arguments: equals, [1.0, 2.5]) func stepsAtTheHeartRate_hideItAndNoOtherIsReported(
        pair: Pair, artefact: Double
    ) throws {
        var exercise = SimulatedExercise()
        exercise.heart = { _ in pair.heart }
        exercise.cadence = { _ in pair.cadence }
        exercise.artefact = artefact
        let windows = try exercise.windows()
        let found = exercise.errors(windows).compactMap(\.self)
        #expect(found.count >= 11)
        #expect(found.allSatisfy { $0 < 5 })
        #expect(windows.contains { $0.missing == .movementAtHeartRate })
    }

    @Test(arguments: [2.0, 2.3, 2.7]) func heartRate_crossesTheCadence(cadence: Double) throws {
        var exercise = SimulatedExercise()
        exercise.duration = 240
        exercise.heart = { time in 80 + 90 / (1 + exp(-(time - 110) / 25)) }
        exercise.cadence = { _ in cadence }
        exercise.artefact = 1.5
        let found = exercise.errors(try exercise.windows()).compactMap(\.self)
        #expect(found.count >= 105)
        #expect(found.reduce(0, +) / Double(found.count) < 3.5)
    }

    @Test(arguments: [25.0, 32, 50, 64, 100, 125, 250, 500, 1000]) func sampleRate_doesNotMatter(rate: Double) throws {
        var exercise = SimulatedExercise()
        exercise.rate = rate
        exercise.accelerationRate = min(rate, 100)
        exercise.heart = { time in 90 + 0.4 * time }
        let found = exercise.errors(try exercise.windows()).compactMap(\.self)
        #expect(found.count >= 51)
        #expect(found.reduce(0, +) / Double(found.count) < 2.5)
    }

    @Test(arguments: [42.0, 50, 60, 75, 100, 140, 190], [0.2, 0.8]) func rest_hasARateInEveryWindow(
        heart: Double, secondHarmonic: Double
    ) throws {
        for hearing in [true, false] {
            var exercise = SimulatedExercise()
            exercise.heart = { time in heart * (1 + 0.03 * sin(2 * .pi * time / 5)) }
            exercise.start = .infinity
            exercise.secondHarmonic = secondHarmonic
            let windows = try exercise.windows(hearing: hearing)
            let errors = exercise.errors(windows)
            #expect(errors.dropFirst(4).allSatisfy { ($0 ?? .infinity) < 3 })
            #expect(windows.allSatisfy { !$0.isMoving })
            #expect(windows.allSatisfy { ($0.movement != nil) == hearing })
        }
    }

    /// Slow breathing changes the rate by up to a sixth within a window.
    @Test(arguments: [50.0, 60, 75, 95], [0.04, 0.08]) func restWithArrhythmia_hasARateInMostWindows(
        heart: Double, depth: Double
    ) throws {
        for breath in [5.0, 10] {
            var exercise = SimulatedExercise()
            exercise.duration = 180
            exercise.heart = { time in heart * (1 + depth * sin(2 * .pi * time / breath)) }
            exercise.start = .infinity
            let errors = exercise.errors(try exercise.windows(hearing: false)).dropFirst(4)
            #expect(Double(errors.count { $0 != nil }) >= 0.9 * Double(errors.count), "breath \(breath) s")
            #expect(errors.allSatisfy { ($0 ?? 0) < 8 }, "breath \(breath) s")
        }
    }

    /// A sensor that is put on gives some windows with a wrong rate.
    @Test(arguments: 0..<6) func handling_doesNotHideTheRestAfterIt(seed: UInt64) throws {
        var exercise = SimulatedExercise()
        exercise.seed = seed + 3
        exercise.start = .infinity
        exercise.heart = { _ in 66 }
        var pulse = exercise.signals().pulse
        var random = SplitMix64(seed: seed)
        // Some seconds of a strong rhythm, then noise, before the pulse.
        let rate = Double.random(in: 100...170, using: &random)
        for k in 0..<64 * 30 {
            let time = Double(k) / 64
            let rhythm = (4..<6.5).contains(time) ? cos(2 * .pi * rate / 60 * time) : 0
            pulse[k] = Float(1000 + 60 * rhythm + 30 * SyntheticBVP.normal(&random))
        }
        var stage = try PulseRateStage(channels: 1, listens: false)
        var windows: [PulseRateWindow] = []
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &windows)
        stage.push(SampleBlock(pulse), channels: [0], into: &windows)
        stage.finish(into: &windows)
        let later = windows.filter { $0.onset >= 46 }
        #expect(later.count { $0.rate.map { abs($0 - 66) < 3 } ?? false } >= later.count * 9 / 10)
    }

    @Test(arguments: far) func withoutAcceleration_stepsAreNotReported(pair: Pair) throws {
        var exercise = SimulatedExercise()
        exercise.heart = { _ in pair.heart }
        exercise.cadence = { _ in pair.cadence }
        exercise.artefact = 6
        let errors = exercise.errors(try exercise.windows(hearing: false))
        let wrong = errors.count { $0.map { $0 > 10 } ?? false }
        #expect(wrong <= 5)
        #expect(errors.prefix(12).count { $0 != nil } >= 7)
    }

    @Test func noise_hasNoRate() throws {
        var exercise = SimulatedExercise()
        exercise.duration = 300
        exercise.noise = 60
        exercise.start = .infinity
        for hearing in [true, false] {
            let windows = try exercise.windows(hearing: hearing)
            let told = windows.count { $0.rate != nil }
            #expect(Double(told) <= 0.25 * Double(windows.count))
            #expect(windows.filter { $0.rate == nil }.allSatisfy { $0.missing != nil })
        }
    }

    @Test func flatSignal_isMissing() throws {
        var stage = try PulseRateStage(channels: 1, listens: false)
        var windows: [PulseRateWindow] = []
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &windows)
        stage.push(SampleBlock(Array(repeating: 123_456, count: 64 * 20)), channels: [0], into: &windows)
        stage.finish(into: &windows)
        #expect(windows.count == 7)
        #expect(windows.allSatisfy { $0.missing == .flatSignal && $0.rate == nil && $0.confidence == 0 })
    }

    @Test(arguments: [nil, 1.0]) func unitOfAcceleration_isNotNeeded(factor: Double?) throws {
        var exercise = SimulatedExercise()
        exercise.heart = { _ in 110 }
        let signals = exercise.signals()
        var stage = try PulseRateStage(channels: 1, listens: true)
        var windows: [PulseRateWindow] = []
        let scale: Float = factor == nil ? 64 : 1
        let scaled = SampleBlock(channelCount: 3, samples: signals.acceleration.samples.map { $0 * scale })
        stage.beginAcceleration(SegmentStart(onset: 0, sample: 0, sampleRate: 32), into: &windows)
        stage.pushAcceleration(scaled, factor: factor, into: &windows)
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &windows)
        stage.push(SampleBlock(signals.pulse), channels: [0], into: &windows)
        stage.finish(into: &windows)
        let found = exercise.errors(windows).compactMap(\.self)
        #expect(found.count >= 51)
        #expect(found.reduce(0, +) / Double(found.count) < 2.5)
    }

    @Test(arguments: [30.0, 3600, 1e9]) func gap_isOneRowAndStartsAnew(gap: Double) throws {
        var exercise = SimulatedExercise()
        exercise.start = .infinity
        exercise.duration = 40
        let pulse = SampleBlock(exercise.signals().pulse)
        var stage = try PulseRateStage(channels: 1, listens: false)
        var windows: [PulseRateWindow] = []
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &windows)
        stage.push(pulse, channels: [0], into: &windows)
        stage.begin(SegmentStart(onset: 40 + gap, sample: 0, sampleRate: 64), into: &windows)
        stage.push(pulse, channels: [0], into: &windows)
        stage.finish(into: &windows)
        #expect(windows.count < 60)
        let inside = windows.filter { $0.end > 40.6 && $0.onset < 40 + gap - 0.6 }
        #expect(!inside.isEmpty && inside.allSatisfy { $0.missing == .tooFewSamples })
        #expect(
            zip(windows, windows.dropFirst()).allSatisfy { $0.end + 2 == $1.onset + $1.duration || $1.duration > 8 })
    }

    /// Cuts both streams at random, with no stream more than a minute ahead.
    @Test(arguments: 0..<6) func chunks_doNotMatter(seed: Int) throws {
        var exercise = SimulatedExercise()
        exercise.heart = { time in 90 + 0.3 * time }
        var signals = exercise.signals()
        for index in 2000..<2040 { signals.pulse[index] = .nan }
        let whole = try windows(signals) { ($0, $1) }
        var random = SplitMix64(seed: UInt64(seed) + 7)
        let largest = seed == 0 ? 1 : 1 << (2 * seed)
        let cut = try windows(signals) { pulses, moves in
            (
                min(pulses, Int.random(in: 0...largest, using: &random)),
                min(moves, Int.random(in: 0...largest, using: &random))
            )
        }
        #expect(whole == cut)
        #expect(whole.count == 57)
    }

    private func windows(
        _ signals: SimulatedExercise.Signals, _ cut: (_ pulses: Int, _ moves: Int) -> (Int, Int)
    ) throws -> [PulseRateWindow] {
        var stage = try PulseRateStage(channels: 1, listens: true)
        var windows: [PulseRateWindow] = []
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &windows)
        stage.beginAcceleration(SegmentStart(onset: 0, sample: 0, sampleRate: 32), into: &windows)
        var (pulse, move) = (0, 0)
        let moves = signals.acceleration.frameCount
        while pulse < signals.pulse.count || move < moves {
            var (next, further) = cut(signals.pulse.count - pulse, moves - move)
            // No stream more than a minute ahead of the other.
            if Double(pulse + next) / 64 > Double(move) / 32 + 60, move < moves, next < signals.pulse.count { next = 0 }
            if Double(move + further) / 32 > Double(pulse) / 64 + 60, pulse < signals.pulse.count, further < moves {
                further = 0
            }
            stage.push(SampleBlock(Array(signals.pulse[pulse..<pulse + next])), channels: [0], into: &windows)
            let axes = (0..<3).flatMap { axis in
                signals.acceleration.samples[axis * moves + move..<axis * moves + move + further]
            }
            stage.pushAcceleration(SampleBlock(channelCount: 3, samples: axes), factor: 1, into: &windows)
            (pulse, move) = (pulse + next, move + further)
        }
        stage.finish(into: &windows)
        return windows
    }

    @Test func lostAcceleration_fallsBackToThePulse() throws {
        var exercise = SimulatedExercise()
        exercise.start = .infinity
        let signals = exercise.signals()
        var stage = try PulseRateStage(channels: 1, listens: true, patience: 20)
        var windows: [PulseRateWindow] = []
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: 64), into: &windows)
        stage.push(SampleBlock(signals.pulse), channels: [0], into: &windows)
        #expect(windows.last.map { $0.end } == 100)
        stage.finish(into: &windows)
        #expect(windows.count == 57)
        #expect(windows.allSatisfy { $0.movement == nil })
        #expect(windows.dropFirst(4).allSatisfy { $0.rate != nil })
    }

    @Test(arguments: [
        PulseRateParameters(minimumConfidence: -0.1), PulseRateParameters(minimumConfidenceAlone: 1.1),
        PulseRateParameters(movement: 0), PulseRateParameters(movement: .nan),
    ]) func parametersWithoutMeaning_areRefused(parameters: PulseRateParameters) {
        #expect(throws: InvalidParameter.self) { try parameters.validate() }
    }

    @Test func table_hasARowPerWindow() throws {
        var exercise = SimulatedExercise()
        exercise.duration = 20
        let windows = try exercise.windows(hearing: false)
        let table = PulseRateWindow.table(windows)
        #expect(table.columns.map(\.name) == ["onset", "duration", "heartRate", "confidence", "movement", "reason"])
        #expect(table.rows.count == windows.count)
        #expect(table.rows.allSatisfy { $0.count == table.columns.count })
    }
}
