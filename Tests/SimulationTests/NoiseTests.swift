import Foundation
import Signals
import Simulation
import Testing

@Suite struct NoiseTests {
    @Test(arguments: NoiseKind.allCases, [64.0, 250, 1_000])
    func `every noise has a mean square of one`(kind: NoiseKind, rate: Double) {
        // Slow noises need many of their periods: the mean over independent sources of a minute each.
        var power = 0.0
        let sources = 60
        let count = Int(60 * rate)
        for seed in 0..<sources {
            var source = NoiseSource(kind, sampleRate: rate, seed: UInt64(seed))
            power += source.samples(count).reduce(0) { $0 + $1 * $1 } / Double(count * sources)
        }
        #expect(abs(power - 1) < 0.12, "\(kind) at \(rate) Hz: \(power)")
    }

    /// Power per Hz around a frequency, from windowed Fourier sums.
    func density(_ samples: [Double], _ rate: Double, at frequency: Double) -> Double {
        let window = 2_048
        var total = 0.0
        var count = 0.0
        for start in stride(from: 0, to: samples.count - window, by: window) {
            var re = 0.0
            var im = 0.0
            for index in 0..<window {
                let hann = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(window))
                re += hann * samples[start + index] * cos(2 * .pi * frequency / rate * Double(index))
                im += hann * samples[start + index] * sin(2 * .pi * frequency / rate * Double(index))
            }
            total += re * re + im * im
            count += 1
        }
        return total / count
    }

    @Test(arguments: [(NoiseKind.white, 0.0), (.pink, -10), (.brown, -20), (.blue, 10), (.violet, 20)])
    func `coloured noises have their slopes`(kind: NoiseKind, decibelsPerDecade: Double) {
        var source = NoiseSource(kind, sampleRate: 500, seed: 11)
        let samples = source.samples(600_000)
        let slope = 10 * log10(density(samples, 500, at: 40) / density(samples, 500, at: 4))
        #expect(abs(slope - decibelsPerDecade) < 2)
    }

    @Test func `the mains are at their frequency`() {
        for (kind, frequency) in [(NoiseKind.mains50, 50.0), (.mains60, 60)] {
            var source = NoiseSource(kind, sampleRate: 360, seed: 1)
            let samples = source.samples(20_000)
            #expect(density(samples, 360, at: frequency) > 1_000 * density(samples, 360, at: frequency - 4))
        }
    }

    @Test(arguments: [NoiseKind.white, .muscle, .electrodeMotion, .mains50], [20.0, 0])
    func `noise in a recording is as far below the beats as asked`(kind: NoiseKind, snr: Double) {
        var parameters = SimulationParameters()
        parameters.duration = 600
        parameters.bvp = nil
        let clean = SimulatedSession(parameters).recording().streams[0].segments[0].block.samples
        parameters.ecgNoise = [NoiseLevel(kind, snr: snr)]
        let noisy = SimulatedSession(parameters).recording().streams[0].segments[0].block.samples
        let power = zip(clean, noisy).reduce(0.0) { $0 + Double(($1.1 - $1.0) * ($1.1 - $1.0)) } / Double(clean.count)
        // The measured size of the beats, foot of Q or S to top of R.
        let beats = SimulatedSession(parameters).truth().beats["ecg"]!.dropFirst().dropLast()
        let sizes = beats.map { beat in
            let near = clean[beat.sample - 15...beat.sample + 15]
            return Double(near.max()! - near.min()!)
        }
        let size = sizes.reduce(0, +) / Double(sizes.count)
        #expect(abs(10 * log10(size * size / 8 / power) - snr) < 0.6)
    }
}
