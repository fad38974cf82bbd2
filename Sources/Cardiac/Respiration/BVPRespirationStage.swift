public import Signals

/// Turns the modulation of pulses into windows of respiration.
///
/// Each window comes four times, as `bvpAmplitude`, `bvpBaseline`, `bvpInterval` and, fused from these, `bvpFusion`.
/// Windows are those of `ModulationRespirationStage`.
public struct BVPRespirationStage: Stage {
    private var amplitude: ModulationRespirationStage
    private var baseline: ModulationRespirationStage
    private var interval: ModulationRespirationStage
    private let parameters: RespirationParameters
    private var amplitudes: [RespirationWindow] = []
    private var baselines: [RespirationWindow] = []
    private var intervals: [RespirationWindow] = []

    /// A stage with these parameters.
    /// - Throws: the first parameter that has no meaning.
    public init(_ parameters: RespirationParameters = RespirationParameters()) throws(InvalidParameter) {
        self.parameters = parameters
        amplitude = try ModulationRespirationStage(.bvpAmplitude, parameters: parameters)
        baseline = try ModulationRespirationStage(.bvpBaseline, parameters: parameters)
        interval = try ModulationRespirationStage(.bvpInterval, parameters: parameters)
    }

    /// The length of a window.
    public var lookAhead: Seconds { parameters.window }

    /// A run begins: nothing is taken across to the pulses before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [RespirationWindow]) {
        amplitude.begin(segment, into: &amplitudes)
        baseline.begin(segment, into: &baselines)
        interval.begin(segment, into: &intervals)
        hand(to: &outputs)
    }

    /// The next pulses in order of time.
    public mutating func push(_ pulses: Span<PulseModulation>, into outputs: inout [RespirationWindow]) {
        for index in pulses.indices {
            let pulse = pulses[index]
            amplitude.push(CollectionOfOne(pulse.measure(pulse.amplitude)).span, into: &amplitudes)
            baseline.push(CollectionOfOne(pulse.measure(pulse.baseline)).span, into: &baselines)
            interval.push(CollectionOfOne(pulse.measure(pulse.interval)).span, into: &intervals)
        }
        hand(to: &outputs)
    }

    /// Computes the windows that are complete and starts anew.
    public mutating func finish(into outputs: inout [RespirationWindow]) {
        amplitude.finish(into: &amplitudes)
        baseline.finish(into: &baselines)
        interval.finish(into: &intervals)
        hand(to: &outputs)
    }

    /// The three see the same pulses at the same times, so their windows come together.
    private mutating func hand(to outputs: inout [RespirationWindow]) {
        for ((amplitude, baseline), interval) in zip(zip(amplitudes, baselines), intervals) {
            let estimates = [amplitude, baseline, interval]
            outputs += estimates
            if let fused = RespirationFusion.fuse(estimates, as: .bvpFusion, parameters: parameters) {
                outputs.append(fused)
            }
        }
        amplitudes.removeAll(keepingCapacity: true)
        baselines.removeAll(keepingCapacity: true)
        intervals.removeAll(keepingCapacity: true)
    }
}
