import Foundation
import Kernels
import Signals
import Simulation

/// The signals of a simulated wristband at its own sample rates. Block after block, never backwards; sample k of a
/// signal is at k over rate.
struct WristSignals: Sendable {
    private var bvp: BVPSignal
    private var beats: HeartRhythm
    private var nextBeat: SimulatedBeat?
    private let transit: Seconds
    private var tremor: [NoiseSource]
    private var edaNoise: NoiseSource
    private let responses: [Seconds]

    /// The wearer with this heart; all randomness comes from `seed`.
    init(_ rhythm: HeartRhythmParameters, seed: UInt64) {
        let heart = HeartRhythm(rhythm, seed: seed)
        var parameters = BVPParameters()
        parameters.sampleRate = 64
        transit = parameters.transit
        bvp = BVPSignal(parameters, rhythm: heart, respirationRate: rhythm.variability.respirationRate)
        beats = heart
        nextBeat = beats.next()
        tremor = (0..<3).map { NoiseSource(.white, sampleRate: 32, seed: seed, label: "wrist \($0)") }
        edaNoise = NoiseSource(.white, sampleRate: 4, seed: seed, label: "eda")
        // Skin conductance responses of a cycle of ten minutes.
        var random = RandomSource(seed: seed, "responses")
        var onset = 0.0
        var responses: [Seconds] = []
        while onset < 600 {
            onset += random.exponential(mean: 15)
            responses.append(onset)
        }
        self.responses = responses
    }

    /// The blood volume pulse.
    mutating func pulse(_ frames: Range<Int>) -> [Double] { bvp.render(frames)[0] }

    /// Skin conductance in µS: a level that drifts, and responses that rise in about a second and decay in five.
    mutating func conductance(_ frames: Range<Int>) -> [Double] {
        let noise = edaNoise.samples(frames.count)
        return zip(frames, noise).map { frame, noise in
            let time = Double(frame) / 4
            var value = 2 + 0.3 * sin(time / 97) + 0.002 * noise
            let inCycle = time.truncatingRemainder(dividingBy: 600)
            for onset in responses where inCycle > onset && inCycle < onset + 30 {
                let age = inCycle - onset
                value += 0.6 * (exp(-age / 4) - exp(-age / 0.75))
            }
            return value
        }
    }

    /// Skin temperature in °C: warms from 31 towards 33 within minutes.
    func temperature(_ frames: Range<Int>) -> [Double] {
        frames.map { frame in
            let time = Double(frame) / 4
            return 33 - 2 * exp(-time / 300) + 0.05 * sin(time / 41)
        }
    }

    /// Acceleration in counts of 1/64 g: gravity in a slowly turning hand, and tremor.
    mutating func acceleration(_ frames: Range<Int>) -> [[Double]] {
        let noise = tremor.indices.map { tremor[$0].samples(frames.count) }
        var channels = [[Double]](repeating: [], count: 3)
        for (place, frame) in frames.enumerated() {
            let time = Double(frame) / 32
            let tilt = 0.6 * sin(time / 23)
            let turn = 0.3 * sin(time / 7)
            let gravity = [sin(tilt), cos(tilt) * sin(turn), cos(tilt) * cos(turn)]
            for axis in 0..<3 {
                let counts = (64 * gravity[axis] + 0.4 * noise[axis][place]).rounded()
                channels[axis].append(min(127, max(-128, counts)))
            }
        }
        return channels
    }

    /// Moments at which beats pass the wrist up to `moment`, each with the interval it ends.
    mutating func beats(until moment: Seconds) -> [(onset: Seconds, interval: Seconds)] {
        var passed: [(Seconds, Seconds)] = []
        while let beat = nextBeat, beat.onset + transit <= moment {
            passed.append((beat.onset + transit, beat.interval))
            nextBeat = beats.next()
        }
        return passed
    }
}
