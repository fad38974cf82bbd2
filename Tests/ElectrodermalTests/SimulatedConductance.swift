import Foundation
import Kernels

/// Skin conductance made of responses with known onsets, a drifting level and noise.
struct SimulatedConductance {
    var samples: [Float] = []
    var onsets: [Double] = []
    var amplitudes: [Double] = []

    /// Responses are Bateman functions with these time constants, each varied by a fifth; amplitudes are log-normal
    /// from 0.05 µS on, intervals exponential.
    init(
        hours: Double = 1, sampleRate: Double = 4, interval: Double = 12, fast: Double = 0.7, slow: Double = 2,
        noise: Double = 0.005, level: Double = 4, seed: UInt64 = 1
    ) {
        var random = RandomSource(seed: seed, "conductance")
        let count = Int(hours * 3_600 * sampleRate)
        var values = (0..<count).map { k -> Double in
            let time = Double(k) / sampleRate
            return level + 0.5 * sin(time / 400) + 0.2 * sin(time / 97) + noise * random.gaussian()
        }
        var time = 5.0
        while true {
            time += 1.5 + random.exponential(mean: interval - 1.5)
            guard time < hours * 3_600 - 20 else { break }
            let amplitude = 0.05 * exp(abs(random.gaussian()))
            let rise = fast * exp(0.2 * random.gaussian())
            let fall = max(1.3 * rise, slow * exp(0.2 * random.gaussian()))
            let top = log(fall / rise) * fall * rise / (fall - rise)
            let height = exp(-top / fall) - exp(-top / rise)
            for k in Int(time * sampleRate) + 1..<min(count, Int((time + 40) * sampleRate)) {
                let age = Double(k) / sampleRate - time
                values[k] += amplitude / height * (exp(-age / fall) - exp(-age / rise))
            }
            onsets.append(time)
            amplitudes.append(amplitude)
        }
        samples = values.map { Float($0) }
    }

    /// Sensitivity, positive predictive value and F1 of onsets found, one to one within 1 s.
    func score(_ found: [Double]) -> (sensitivity: Double, predictive: Double, f1: Double) {
        var (i, j, hits) = (0, 0, 0)
        while i < onsets.count, j < found.count {
            if abs(onsets[i] - found[j]) <= 1 {
                (i, j, hits) = (i + 1, j + 1, hits + 1)
            } else if onsets[i] < found[j] {
                i += 1
            } else {
                j += 1
            }
        }
        let h = Double(hits)
        return (h / Double(onsets.count), h / Double(max(1, found.count)), 2 * h / Double(onsets.count + found.count))
    }
}
