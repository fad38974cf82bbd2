public import Signals

/// What breathing modulates in one pulse of a blood volume pulse signal.
public struct PulseModulation: Hashable, Codable, Sendable {
    /// When the pulse was, in seconds from the recording's start.
    public var onset: Seconds
    /// Level at the peak less level at the foot, in the signal's unit; NaN where samples are missing.
    public var amplitude: Double
    /// Level midway between foot and peak, in the signal's unit; NaN where samples are missing.
    public var baseline: Double
    /// Seconds since the previous pulse; NaN after a break.
    public var interval: Seconds
    /// Whether something lies between the previous pulse and this one that may not be spanned.
    public var followsBreak: Bool

    /// A pulse with what was measured.
    public init(
        onset: Seconds, amplitude: Double, baseline: Double, interval: Seconds, followsBreak: Bool = false
    ) {
        self.onset = onset
        self.amplitude = amplitude
        self.baseline = baseline
        self.interval = interval
        self.followsBreak = followsBreak
    }

    func measure(_ value: Double) -> BeatMeasure {
        BeatMeasure(onset: onset, value: value, followsBreak: followsBreak)
    }
}

/// Reads amplitude, baseline and interval of given pulses from the samples of a blood volume pulse signal.
///
/// Levels are means over 40 ms at the foot and at the peak (Karlen et al. 2013, IEEE Trans Biomed Eng 60:1946-1953;
/// the baseline is midway between, as in Charlton et al. 2016, Physiol Meas 37:610-626, XB1). Pulses are told by
/// `expect` as beats are to a `BeatAmplitudeStage`.
public struct PulseModulationStage: Stage {
    private static let reach: Seconds = 0.02
    private var samples: AwaitedSamples<Pulse>
    private var previous: Seconds?

    /// A stage for a signal of `sampleRate` Hz.
    public init(sampleRate: Double) {
        samples = AwaitedSamples(sampleRate: sampleRate)
    }

    /// 40 ms after the peak.
    public var lookAhead: Seconds { 2 * Self.reach }

    /// Tells of pulses in order of time.
    public mutating func expect(_ pulses: Span<Pulse>) {
        for index in pulses.indices {
            let pulse = pulses[index]
            samples.ask(pulse, from: pulse.foot - 2 * Self.reach, to: pulse.peak + 2 * Self.reach)
        }
    }

    /// A run begins; the pulses told so far belong to the one before.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [PulseModulation]) {
        let run = samples.segment
        samples.begin(segment) { outputs.append(Self.modulation($0, $1, $2, run, &previous)) }
    }

    /// The next samples; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [PulseModulation]) {
        let run = samples.segment
        samples.push(chunk) { outputs.append(Self.modulation($0, $1, $2, run, &previous)) }
    }

    /// Answers for the pulses that are left.
    public mutating func finish(into outputs: inout [PulseModulation]) {
        let run = samples.segment
        samples.finish { outputs.append(Self.modulation($0, $1, $2, run, &previous)) }
        previous = nil
    }

    private static func modulation(
        _ pulse: Pulse, _ samples: ArraySlice<Float>, _ start: Int, _ run: SegmentStart, _ previous: inout Seconds?
    ) -> PulseModulation {
        let beat = pulse.beat
        let interval = beat.followsBreak ? nil : previous.map { beat.onset - $0 }
        previous = beat.onset
        let foot = level(samples, start, at: (pulse.foot - run.onset) * run.sampleRate, run.sampleRate)
        let peak = level(samples, start, at: (pulse.peak - run.onset) * run.sampleRate, run.sampleRate)
        return PulseModulation(
            onset: beat.onset, amplitude: peak - foot, baseline: (peak + foot) / 2, interval: interval ?? .nan,
            followsBreak: beat.followsBreak)
    }

    /// Mean of the samples within `reach` of a place, at least of the two beside it, weighted by where it lies.
    private static func level(
        _ samples: ArraySlice<Float>, _ start: Int, at place: Double, _ rate: Double
    ) -> Double {
        let half = max(1, reach * rate)
        let local = place - Double(start)
        guard abs(local) < 1e9 else { return .nan }
        let from = max(0, Int((local - half).rounded(.up)))
        let to = min(samples.count - 1, Int((local + half).rounded(.down)))
        guard from <= to else { return .nan }
        var (sum, weights) = (0.0, 0.0)
        for index in from...to {
            let sample = samples[samples.startIndex + index]
            guard abs(sample) < 1e30 else { return .nan }
            let weight = 1 - abs(Double(index) - local) / half + 1e-9
            sum += weight * Double(sample)
            weights += weight
        }
        return sum / weights
    }
}
