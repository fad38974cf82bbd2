import Signals

/// Turns conductance into a signal in which every response is a short pulse: its slope, plus itself over the time
/// constant of recovery, which undoes the recovery (first-order inverse of the Bateman function; Alexander et al.,
/// J Neurosci Methods 146:116–123, 2005).
struct ResponseFilter: Sendable {
    /// Samples to either side that a value depends on.
    let reach: Int
    /// Weights of the samples from −reach to +reach.
    let weights: [Double]
    /// Weights of the same samples whose sum is the slope per second.
    let slopeWeights: [Double]
    /// Standard deviation of that slope for white noise of standard deviation 1.
    let slopeNoiseGain: Double
    /// Height of that slope where conductance steps up by 1.
    let slopeStepGain: Double
    /// Height of the pulse of a response of 1 µS.
    let gain: Double
    /// Standard deviation of the outcome for white noise of standard deviation 1.
    let noiseGain: Double

    init(_ parameters: ResponseParameters, sampleRate: Double) {
        let reach = Swift.max(1, Int((0.5 * sampleRate).rounded()))
        let squares = (1...reach).reduce(0.0) { $0 + 2 * Double($1 * $1) }
        let level = 1 / (parameters.recovery * Double(2 * reach + 1))
        slopeWeights = (-reach...reach).map { Double($0) * sampleRate / squares }
        slopeNoiseGain = sampleRate / squares.squareRoot()
        slopeStepGain = slopeWeights.suffix(reach).reduce(0, +)
        weights = slopeWeights.map { $0 + level }
        self.reach = reach
        noiseGain = weights.reduce(0) { $0 + $1 * $1 }.squareRoot()
        gain = Self.gain(weights, reach: reach, sampleRate: sampleRate)
    }

    /// The highest value for a response of height 1 that recovers with 2 s, in the least lucky of four positions on the
    /// sampling grid.
    private static func gain(_ weights: [Double], reach: Int, sampleRate: Double) -> Double {
        let form = ResponseForm(recovery: 2)
        return (0..<4).map { quarter -> Double in
            (0..<Int(4 * sampleRate) + 4 * reach).map { centre -> Double in
                weights.indices.reduce(0.0) { sum, place in
                    let time = (Double(centre + place - 2 * reach) - Double(quarter) / 4) / sampleRate
                    return sum + weights[place] * form.height(at: time)
                }
            }.max() ?? 0
        }.min() ?? 1
    }
}
