import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// Pulses of many people and sensors: a systolic wave that rises faster than it falls, a reflected and a dicrotic one.
struct ShapedPulses: CustomTestStringConvertible {
    /// The name of the kind of pulse.
    var name: String
    /// Seconds of rise and fall of the systolic wave, as standard deviations.
    var rise = 0.06
    var fall = 0.13
    /// Height and delay of the reflected and of the dicrotic wave, against the systolic one.
    var reflected = 0.0
    var dicrotic = 0.35
    var notch = 0.32

    var testDescription: String { name }

    static let kinds = [
        ShapedPulses(name: "young finger", rise: 0.05, fall: 0.1, dicrotic: 0.45, notch: 0.3),
        ShapedPulses(name: "old finger", rise: 0.07, fall: 0.14, reflected: 0.3, dicrotic: 0.15),
        ShapedPulses(name: "cold finger", rise: 0.045, fall: 0.08, dicrotic: 0.1),
        ShapedPulses(name: "wrist", rise: 0.08, fall: 0.16, reflected: 0.3, dicrotic: 0.2),
    ]

    /// What a wire between sensor and converter does to the signal.
    struct Coupling: Sendable, CustomTestStringConvertible {
        /// Order of the high-pass filter; 0 for none.
        var order: Int
        /// Its cut-off frequency in Hz.
        var cutOff = 0.5
        var testDescription: String { order == 0 ? "DC" : "order \(order), \(cutOff) Hz" }
        static let kinds = [Coupling(order: 0), Coupling(order: 1), Coupling(order: 2), Coupling(order: 1, cutOff: 1)]

        func filter(_ samples: [Double], _ rate: Double) -> [Double] {
            let leak = exp(-2 * Double.pi * cutOff / rate)
            var values = samples
            for _ in 0..<order {
                var (input, output) = (values.first ?? 0, 0.0)
                values = values.map { value in
                    output = leak * output + 0.5 * (1 + leak) * (value - input)
                    input = value
                    return output
                }
            }
            return values
        }
    }

    /// A signal of `duration` seconds and the tops of its pulses; nothing but noise before `lead` and after `end`.
    func signal(
        rate: Double, beatsPerMinute: Double = 72, duration: Seconds = 60, lead: Seconds = 0.1, end: Seconds = 0,
        coupling: Coupling = Coupling(order: 0), sign: Double = 1, noise: Double = 0.01, wander: Double = 0.3,
        seed: UInt64 = 5
    ) -> (samples: [Float], peaks: [Seconds]) {
        let interval = 60 / beatsPerMinute
        var random = SplitMix64(seed: seed)
        var (onset, peaks) = (lead, [Seconds]())
        let scale = (interval / 0.85).squareRoot()
        var values = [Double](repeating: 0, count: Int(duration * rate))
        func add(_ height: Double, _ peak: Seconds, _ rise: Seconds, _ fall: Seconds) {
            let (first, last) = (Int((peak - 4 * rise) * rate), Int((peak + 4 * fall) * rate))
            for k in max(0, first)..<max(0, min(values.count, last)) {
                let t = Double(k) / rate - peak
                values[k] += height * exp(-0.5 * (t / (t < 0 ? rise : fall)) * (t / (t < 0 ? rise : fall)))
            }
        }
        while onset + interval < duration - end {
            let peak = onset + 2.6 * rise * scale
            peaks.append(peak)
            add(1, peak, rise * scale, fall * scale)
            add(reflected, peak + 0.16 * scale, 0.08 * scale, 0.12 * scale)
            add(dicrotic, peak + notch * scale, 0.08 * scale, 0.12 * scale)
            onset += interval * (1 + 0.03 * sin(1.6 * onset) + 0.01 * SyntheticBVP.normal(&random))
        }
        values = coupling.filter(values.map { sign * $0 }, rate)
        let breath = 2 * Double.pi * 0.22 / rate
        let samples = values.indices.map { k in
            Float(values[k] + wander * sin(breath * Double(k)) + noise * SyntheticBVP.normal(&random))
        }
        return (samples, peaks)
    }

    /// The share of the pulses that have a beat of their own within `tolerance`.
    static func found(_ beats: [Beat], of peaks: [Seconds], tolerance: Seconds = 0.1) -> Double {
        let comparison = BeatComparison(detected: beats.map(\.onset), reference: peaks, tolerance: tolerance)
        return Double(comparison.offsets.count) / Double(max(peaks.count, beats.count, 1))
    }
}
