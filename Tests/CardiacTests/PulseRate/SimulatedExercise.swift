import Cardiac
import Foundation
import Signals
import TestSupport

/// A pulse wave at a wrist that rests and then moves, with the heart rate that it was made from.
struct SimulatedExercise {
    /// Samples per second of the pulse wave.
    var rate = 64.0
    /// Samples per second of the acceleration.
    var accelerationRate = 32.0
    var duration: Seconds = 120
    /// Beats per minute over time.
    var heart: @Sendable (Seconds) -> Double = { _ in 80 }
    /// Steps per second; arms swing at half of it.
    var cadence: @Sendable (Seconds) -> Double = { _ in 2 }
    /// When the movement begins, in seconds.
    var start: Seconds = 30
    /// The root mean square of the artefact, where that of the pulse is about 0.8.
    var artefact = 2.0
    /// The amplitude of the pulse's second harmonic.
    var secondHarmonic = 0.4
    var noise = 0.1
    var seed: UInt64 = 1

    struct Signals {
        var pulse: [Float]
        var acceleration: SampleBlock
    }

    private func phases(_ frequency: (Seconds) -> Double, _ sampleRate: Double) -> [Double] {
        var phase = 0.0
        return (0..<Int(duration * sampleRate)).map { index in
            defer { phase += 2 * .pi * frequency(Double(index) / sampleRate) / sampleRate }
            return phase
        }
    }

    func signals() -> Signals {
        var random = SplitMix64(seed: seed)
        func normal() -> Double { SyntheticBVP.normal(&random) }
        let gains = (0..<3).map { _ in Double.random(in: 0.3...1, using: &random) }
        let turns = (0..<9).map { _ in Double.random(in: 0..<2 * .pi, using: &random) }
        func envelope(_ time: Seconds) -> Double { min(1, max(0, (time - start) / 2)) }
        func swing(_ phase: Double, _ axis: Int, lag: Double = 0) -> Double {
            gains[axis]
                * (0.6 * sin(phase / 2 + turns[axis] - lag / 2) + sin(phase + turns[axis + 3] - lag)
                    + 0.4 * sin(2 * phase + turns[axis + 6] - 2 * lag))
        }
        let steps = phases(cadence, accelerationRate)
        let axes = (0..<3).flatMap { axis in
            steps.enumerated().map { index, phase in
                let own = envelope(Double(index) / accelerationRate) * swing(phase, axis)
                return Float(own + (axis == 2 ? 1 : 0.1) + 0.004 * normal())
            }
        }
        let beats = phases({ heart($0) / 60 }, rate)
        let moves = phases(cadence, rate)
        let pulse = zip(beats, moves).enumerated().map { index, both in
            let (beat, move) = both
            let wave = cos(beat) + secondHarmonic * cos(2 * beat - 0.7) + 0.1 * cos(3 * beat + 0.4)
            let moved = swing(move, 0, lag: 0.6) - 0.7 * swing(move, 1, lag: 0.2) + 0.5 * swing(move, 2, lag: 1)
            return Float(1000 + 20 * (wave + envelope(Double(index) / rate) * artefact * moved + noise * normal()))
        }
        return Signals(pulse: pulse, acceleration: SampleBlock(channelCount: 3, samples: axes))
    }

    /// The windows of a stage that is given both streams in steps of ten seconds.
    func windows(hearing: Bool = true, parameters: PulseRateParameters = PulseRateParameters()) throws
        -> [PulseRateWindow]
    {
        let signals = signals()
        let moves = signals.acceleration.frameCount
        var stage = try PulseRateStage(channels: 1, listens: hearing, parameters: parameters)
        var windows: [PulseRateWindow] = []
        if hearing {
            stage.beginAcceleration(
                SegmentStart(onset: 0, sample: 0, sampleRate: accelerationRate), into: &windows)
        }
        stage.begin(SegmentStart(onset: 0, sample: 0, sampleRate: rate), into: &windows)
        for begin in stride(from: 0, to: duration, by: 10) {
            func frames(_ rate: Double, _ count: Int) -> Range<Int> {
                min(count, Int(begin * rate))..<min(count, Int((begin + 10) * rate))
            }
            let own = frames(accelerationRate, moves)
            let axes = (0..<3).flatMap { axis in
                signals.acceleration.samples[axis * moves + own.lowerBound..<axis * moves + own.upperBound]
            }
            if hearing {
                stage.pushAcceleration(SampleBlock(channelCount: 3, samples: axes), factor: 1, into: &windows)
            }
            let pulses = Array(signals.pulse[frames(rate, signals.pulse.count)])
            stage.push(SampleBlock(pulses), channels: [0], into: &windows)
        }
        stage.finish(into: &windows)
        return windows
    }

    /// The absolute error of each window's rate, per minute; nil without a rate.
    func errors(_ windows: [PulseRateWindow]) -> [Double?] {
        windows.map { window in
            guard let rate = window.rate else { return nil }
            let moments = (0..<80).map { window.onset + 0.05 + Double($0) / 10 }
            return abs(rate - moments.reduce(0) { $0 + heart($1) } / 80)
        }
    }
}
