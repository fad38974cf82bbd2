public import Signals

/// A streaming detector of pulse beats in a blood volume pulse signal (photoplethysmogram), 20…1,000 Hz.
public struct BVPBeatDetector: BeatDetector {
    private var detector: BVPPulseDetector
    private var pulses: [Pulse] = []

    public var lookAhead: Seconds { detector.lookAhead }

    /// A detector for `sampleRate` Hz.
    public init(sampleRate: Double, parameters: BVPParameters = BVPParameters()) {
        detector = BVPPulseDetector(sampleRate: sampleRate, parameters: parameters)
    }

    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Beat]) {
        detector.begin(segment, into: &pulses)
        hand(to: &outputs)
    }

    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Beat]) {
        detector.push(chunk, into: &pulses)
        hand(to: &outputs)
    }

    public mutating func finish(into outputs: inout [Beat]) {
        detector.finish(into: &pulses)
        hand(to: &outputs)
    }

    private mutating func hand(to outputs: inout [Beat]) {
        for pulse in pulses { outputs.append(pulse.beat) }
        pulses.removeAll(keepingCapacity: true)
    }
}
