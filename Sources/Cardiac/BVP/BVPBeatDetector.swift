public import Signals

/// A streaming detector of beats in a blood volume pulse signal (photoplethysmogram) of 16…1,000 Hz and more.
///
/// The beats of `BVPPulseDetector`, which says how they are found; use that one where the foot, the peak or the height
/// of the pulses is wanted too.
public struct BVPBeatDetector: BeatDetector {
    private var detector: BVPPulseDetector
    private var pulses: [Pulse] = []
    private var kept: [Pulse] = []

    /// Whether the pulses are kept until they are taken.
    public var keepsPulses = false

    /// The time after a beat, in seconds, by which it is reported: see `BVPPulseDetector.lookAhead`.
    public var lookAhead: Seconds { detector.lookAhead }

    /// The sample rates, in Hz, at which beats are found.
    public static let sampleRates = BVPPulseDetector.lowestSampleRate...1e6

    /// A detector for `sampleRate` Hz, of pulses from a sensor as `source`. Under 16 Hz it finds nothing.
    public init(
        sampleRate: Double, parameters: BVPParameters = BVPParameters(), expecting source: PulseSource = .unknown
    ) {
        detector = BVPPulseDetector(sampleRate: sampleRate, parameters: parameters, expecting: source)
    }

    /// The present doubt in the polarity; nil without one.
    public var pulseDoubt: PulseDoubt? { detector.doubt }

    /// Begins a run at `segment`; its first beat follows a break.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Beat]) {
        detector.begin(segment, into: &pulses)
        hand(to: &outputs)
    }

    /// Takes the next samples, in any unit; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Beat]) {
        detector.push(chunk, into: &pulses)
        hand(to: &outputs)
    }

    /// Ends the last run.
    public mutating func finish(into outputs: inout [Beat]) {
        detector.finish(into: &pulses)
        hand(to: &outputs)
    }

    /// 0.2 s.
    public var accelerationLead: Seconds { detector.accelerationLead }

    /// A run of acceleration begins.
    public mutating func beginAcceleration(_ segment: SegmentStart) {
        detector.beginAcceleration(segment)
    }

    /// The next acceleration: up to three axes, each times `factor` in g.
    public mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {
        detector.pushAcceleration(block, factor: factor)
    }

    /// The run of acceleration ends.
    public mutating func endAcceleration() {
        detector.endAcceleration()
    }

    private mutating func hand(to outputs: inout [Beat]) {
        for pulse in pulses { outputs.append(pulse.beat) }
        if keepsPulses { kept += pulses }
        pulses.removeAll(keepingCapacity: true)
    }

    /// The pulses of the beats since the last time, where they are kept.
    public mutating func takePulses() -> [Pulse] {
        defer { kept.removeAll(keepingCapacity: true) }
        return kept
    }
}
