import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// Breathing made for tests.
enum RespirationSamples {
    static func start(_ rate: Double, onset: Seconds = 0) -> SegmentStart {
        SegmentStart(onset: onset, sample: Int((onset * rate).rounded()), sampleRate: rate)
    }

    /// What is told of a belt that comes sample by sample; none of it may come later than is said.
    static func toldInTime(of samples: [Float], rate: Double) throws -> (
        windows: [RespirationWindow], breaths: [Breath]
    ) {
        var stage = try BeltRespirationStage(sampleRate: rate)
        var detector = BreathDetector(sampleRate: rate)
        var (windows, breaths): ([RespirationWindow], [Breath]) = ([], [])
        stage.begin(start(rate), into: &windows)
        detector.begin(start(rate), into: &breaths)
        for index in samples.indices {
            let (told, found) = (windows.count, breaths.count)
            stage.push(samples.span.extracting(index..<index + 1), into: &windows)
            detector.push(samples.span.extracting(index..<index + 1), into: &breaths)
            let now = Double(index + 1) / rate
            #expect(windows[told...].allSatisfy { now - $0.onset <= stage.lookAhead })
            #expect(breaths[found...].allSatisfy { now - $0.onset <= detector.lookAhead })
        }
        return (windows, breaths)
    }

    /// Beats from `onset` on whose measure swings at `breaths` per minute around `level`, with noise.
    static func measures(
        breaths: Double, depth: Double = 1, noise: Double = 0, from onset: Seconds = 0, for duration: Seconds,
        interval: Seconds = 0.8, seed: UInt64 = 1
    ) -> [BeatMeasure] {
        var random = SplitMix64(seed: seed)
        var measures: [BeatMeasure] = []
        var time = onset + 0.2
        while time < onset + duration {
            let disturbance = (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -0.866...0.866, using: &random) }
            let value = 10 + depth * sin(2 * .pi * breaths / 60 * time) + noise * disturbance
            measures.append(BeatMeasure(onset: time, value: value, followsBreak: measures.isEmpty))
            time += interval * Double.random(in: 0.96...1.04, using: &random)
        }
        return measures
    }

    /// A belt that rises from each of `onsets` for 0.4 of the way to the next, and its peaks.
    static func belt(
        onsets: [Seconds], rate: Double, duration: Seconds, noise: Double = 0, heart: Double = 0, drift: Double = 0,
        seed: UInt64 = 1
    ) -> [Float] {
        var random = SplitMix64(seed: seed)
        var breath = 0
        return (0..<Int(duration * rate)).map { index in
            let time = Double(index) / rate
            while breath + 2 < onsets.count, time >= onsets[breath + 1] { breath += 1 }
            let phase = (time - onsets[breath]) / (onsets[breath + 1] - onsets[breath])
            let turn = phase < 0.4 ? phase / 0.8 : 0.5 + (phase - 0.4) / 1.2
            let wave = -cos(2 * .pi * turn)
            let beat = heart * sin(2 * .pi * 1.2 * time)
            let slow = drift * sin(2 * .pi * time / 120)
            return Float(wave + beat + slow + noise * Double.random(in: -1...1, using: &random))
        }
    }

    /// Onsets about `60 / breaths` seconds apart, varied by `variation`.
    static func onsets(
        breaths: Double, for duration: Seconds, variation: Double = 0.1, seed: UInt64 = 3
    ) -> [Seconds] {
        var random = SplitMix64(seed: seed)
        var onsets = [0.0]
        while onsets[onsets.count - 1] < duration + 60 {
            let length = 60 / breaths * (1 + variation * Double.random(in: -1...1, using: &random))
            onsets.append(onsets[onsets.count - 1] + length)
        }
        return onsets
    }
}

/// Beats and their heights in one go, as a chain of stages has them.
struct ECGAmplitudes: Stage {
    private var detector: ECGBeatDetector
    private var stage: BeatAmplitudeStage
    private var beats: [Beat] = []

    init(sampleRate: Double) {
        detector = ECGBeatDetector(sampleRate: sampleRate)
        stage = BeatAmplitudeStage(sampleRate: sampleRate)
    }

    var lookAhead: Seconds { detector.lookAhead + stage.lookAhead }

    mutating func begin(_ segment: SegmentStart, into outputs: inout [BeatMeasure]) {
        detector.begin(segment, into: &beats)
        tell()
        stage.begin(segment, into: &outputs)
    }

    mutating func push(_ chunk: Span<Float>, into outputs: inout [BeatMeasure]) {
        detector.push(chunk, into: &beats)
        tell()
        stage.push(chunk, into: &outputs)
    }

    mutating func finish(into outputs: inout [BeatMeasure]) {
        detector.finish(into: &beats)
        tell()
        stage.finish(into: &outputs)
    }

    private mutating func tell() {
        let news = beats
        beats.removeAll()
        stage.expect(news.span)
    }
}

/// Pulses and their modulation in one go.
struct PulseModulations: Stage {
    private var detector: BVPPulseDetector
    private var stage: PulseModulationStage
    private var pulses: [Pulse] = []

    init(sampleRate: Double) {
        detector = BVPPulseDetector(sampleRate: sampleRate)
        stage = PulseModulationStage(sampleRate: sampleRate)
    }

    var lookAhead: Seconds { detector.lookAhead + stage.lookAhead }

    mutating func begin(_ segment: SegmentStart, into outputs: inout [PulseModulation]) {
        detector.begin(segment, into: &pulses)
        tell()
        stage.begin(segment, into: &outputs)
    }

    mutating func push(_ chunk: Span<Float>, into outputs: inout [PulseModulation]) {
        detector.push(chunk, into: &pulses)
        tell()
        stage.push(chunk, into: &outputs)
    }

    mutating func finish(into outputs: inout [PulseModulation]) {
        detector.finish(into: &pulses)
        tell()
        stage.finish(into: &outputs)
    }

    private mutating func tell() {
        let news = pulses
        pulses.removeAll()
        stage.expect(news.span)
    }
}

/// Windows of respiration from an ECG by sinus arrhythmia and by amplitude.
func ecgRespiration(_ samples: [Float], rate: Double) throws -> [RespirationWindow] {
    let start = RespirationSamples.start(rate)
    var detector = ECGBeatDetector(sampleRate: rate)
    var intervals = IBIStage()
    var correction = try CorrectionStage()
    var rsa = try RSARespirationStage()
    let outputs = correction.run(intervals.run(detector.run(samples, from: start), from: start), from: start)
    let nn = outputs.compactMap { output -> NN? in
        if case .interval(let interval) = output { return interval }
        return nil
    }
    var heights = ECGAmplitudes(sampleRate: rate)
    var amplitude = try ModulationRespirationStage(.ecgAmplitude)
    return rsa.run(nn, from: start) + amplitude.run(heights.run(samples, from: start), from: start)
}

/// Windows of respiration from a blood volume pulse.
func bvpRespiration(_ samples: [Float], rate: Double) throws -> [RespirationWindow] {
    let start = RespirationSamples.start(rate)
    var pulses = PulseModulations(sampleRate: rate)
    var stage = try BVPRespirationStage()
    return stage.run(pulses.run(samples, from: start), from: start)
}

/// How far the windows' rates are from the truth, where both exist.
func rateErrors(
    _ windows: [RespirationWindow], _ method: RespirationMethod, truth: (RespirationWindow) -> Double?
) -> [Double] {
    windows.filter { $0.method == method }.compactMap { window in
        guard let rate = window.rate, let truth = truth(window) else { return nil }
        return abs(rate - truth)
    }
}

/// Arithmetic mean.
func average(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
