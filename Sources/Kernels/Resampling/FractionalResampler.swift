import Foundation

/// A resampler of several channels from one rate to any other, by band-limited interpolation.
///
/// Each output sample is a sum of the inputs around its moment, weighted with a sinc function under a Kaiser window. The
/// cut-off is the lower of the two Nyquist frequencies. The first output lies on the first input. An output is not finite where
/// the nearest input is not; other such inputs are left out of the sum. The output does not depend on how the input was cut.
///
/// J. O. Smith, Digital Audio Resampling, ccrma.stanford.edu/~jos/resample.
public struct FractionalResampler: Sendable {
    /// Zero crossings of the sinc function on each side.
    private static let crossings = 16
    private static let beta = 8.0
    private static let tableSteps = 4_096

    /// How an output is made of the inputs around it.
    public enum Interpolation: Sendable {
        /// A weighted sum of the inputs; for signals.
        case bandLimited
        /// The nearest input; for codes and states.
        case nearest
    }

    private let channelCount: Int
    private let interpolation: Interpolation
    /// Input samples per output sample.
    private let step: Double
    private let cutoff: Double
    /// Inputs on each side of an output.
    private let reach: Int
    private let window: [Double]
    /// Inputs that later outputs need, one array per channel.
    private var kept: [[Float]]
    /// The index of the first input kept.
    private var first = 0
    /// How many outputs were given.
    private var outputs = 0

    /// A resampler of `channelCount` channels.
    /// - Parameters:
    ///   - inputRate: the rate of the input in Hz.
    ///   - outputRate: the rate of the output in Hz.
    ///   - interpolation: how an output is made of the inputs around it.
    /// - Precondition: both rates are positive and finite.
    public init(
        channelCount: Int, from inputRate: Double, to outputRate: Double, interpolation: Interpolation = .bandLimited
    ) {
        precondition(inputRate > 0 && outputRate > 0 && inputRate.isFinite && outputRate.isFinite, "rates in Hz")
        self.channelCount = channelCount
        self.interpolation = interpolation
        step = inputRate / outputRate
        cutoff = min(1, outputRate / inputRate)
        reach = Int((Double(Self.crossings) / cutoff).rounded(.up))
        let peak = Self.besselI0(Self.beta)
        window = (0...Self.tableSteps).map {
            let x = Double($0) / Double(Self.tableSteps)
            return Self.besselI0(Self.beta * (1 - x * x).squareRoot()) / peak
        }
        kept = Array(repeating: [], count: channelCount)
    }

    /// Takes the next inputs and appends the outputs that are complete.
    /// - Parameters:
    ///   - samples: channel-major, as many for each channel.
    ///   - output: one array per channel.
    public mutating func push(_ samples: [Float], into output: inout [[Float]]) {
        let count = samples.count / max(1, channelCount)
        for channel in 0..<channelCount { kept[channel] += samples[channel * count..<(channel + 1) * count] }
        drain(upTo: first + (kept.first?.count ?? 0) - reach, into: &output)
        let needed = max(0, min(Int(Double(outputs) * step) - reach, first + (kept.first?.count ?? 0)))
        guard needed > first else { return }
        for channel in 0..<channelCount { kept[channel].removeFirst(needed - first) }
        first = needed
    }

    /// Appends the last outputs: those at or before the last input.
    public mutating func finish(into output: inout [[Float]]) {
        drain(upTo: first + (kept.first?.count ?? 0), into: &output)
    }

    /// Gives the outputs whose nearest inputs all come before `end`.
    private mutating func drain(upTo end: Int, into output: inout [[Float]]) {
        let last = first + (kept.first?.count ?? 0) - 1
        var weights: [Double] = []
        while true {
            let position = Double(outputs) * step
            // An output a rounding error after the last input still lies on it.
            guard position < Double(end) - 1 + 1e-6, last >= 0 else { return }
            let low = max(0, Int(position.rounded(.up)) - reach)
            let high = min(last, Int(position) + reach)
            weights.removeAll(keepingCapacity: true)
            for input in low...high { weights.append(weight(position - Double(input))) }
            let nearest = min(last, Int(position.rounded())) - first
            for channel in 0..<channelCount {
                guard interpolation == .bandLimited, kept[channel][nearest].isFinite else {
                    output[channel].append(kept[channel][nearest])
                    continue
                }
                var sum = 0.0
                var total = 0.0
                for (index, weight) in weights.enumerated() {
                    let value = kept[channel][low - first + index]
                    guard value.isFinite else { continue }
                    sum += weight * Double(value)
                    total += weight
                }
                output[channel].append(Float(sum / total))
            }
            outputs += 1
        }
    }

    private func weight(_ distance: Double) -> Double {
        let place = abs(distance) / Double(reach) * Double(Self.tableSteps)
        guard place < Double(Self.tableSteps) else { return 0 }
        let index = Int(place)
        let taper = window[index] + (window[index + 1] - window[index]) * (place - Double(index))
        let x = Double.pi * cutoff * distance
        return taper * (abs(x) < 1e-9 ? 1 : sin(x) / x)
    }

    private static func besselI0(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        for k in 1...60 {
            term *= (x / 2) * (x / 2) / Double(k * k)
            sum += term
        }
        return sum
    }
}
