import Foundation
import Signals

/// Where ripples are looked for: their frequencies, and the linear filter in whose outcome responses are short pulses.
struct RippleBand: Sendable {
    /// The cause of a ripple.
    enum Cause: Sendable {
        case breathing, pulse
    }

    let cause: Cause
    /// Frequencies in hertz.
    let frequencies: ClosedRange<Double>
    /// Samples from a window to the next, and the same in a quarter of a window.
    let hop: Int
    /// Samples to either side that the filter depends on.
    let reach: Int
    /// Weights of the samples from −reach to +reach.
    let weights: [Double]
    /// Standard deviation of the filtered signal for white noise of standard deviation 1.
    let noiseGain: Double

    /// The number of windows that begin within the length of one.
    static let overlap = 4

    /// Samples of a window.
    var window: Int { Self.overlap * hop }

    /// A band at a sample rate; nil where the rate is too low for it.
    init?(_ cause: Cause, responses: ResponseParameters, sampleRate: Double) {
        self.cause = cause
        let highest = 0.45 * sampleRate
        switch cause {
        case .breathing:
            // 7 to 30 a minute. The slope of conductance plus itself over the time constant of recovery.
            guard highest > 0.25 else { return nil }
            frequencies = 0.12...min(0.5, highest)
            hop = Int((8 * sampleRate).rounded())
            let filter = ResponseFilter(responses, sampleRate: sampleRate)
            (reach, weights) = (filter.reach, filter.weights)
        case .pulse:
            // 36 to 114 a minute. Second differences, in which breathing and the level are small.
            guard highest >= 1.3 else { return nil }
            frequencies = 0.6...min(1.9, highest)
            hop = Int((4 * sampleRate).rounded())
            (reach, weights) = (1, [sampleRate, -2 * sampleRate, sampleRate])
        }
        noiseGain = weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }

    /// The filter's frequency response, as real and imaginary part.
    func response(at frequency: Double, sampleRate: Double) -> (real: Double, imaginary: Double) {
        weights.indices.reduce((0, 0)) { sum, index in
            let phase = 2 * Double.pi * frequency * Double(index - reach) / sampleRate
            return (sum.0 + weights[index] * cos(phase), sum.1 + weights[index] * sin(phase))
        }
    }
}
