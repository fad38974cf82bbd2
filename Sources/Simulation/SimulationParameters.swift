public import Signals

/// Everything that determines a simulated recording.
public struct SimulationParameters: Hashable, Codable, Sendable {
    /// Seconds the recording lasts.
    public var duration: Seconds = 300
    /// Where all randomness comes from: the same parameters and seed give the same bits on every machine.
    public var seed: UInt64 = 1
    /// The beats.
    public var rhythm = HeartRhythmParameters()
    /// The ECG; nil for a recording without.
    public var ecg: ECGParameters? = ECGParameters()
    /// The blood volume pulse; nil for a recording without.
    public var bvp: BVPParameters? = BVPParameters()
    /// Noise in every ECG lead, independent between leads; none by default.
    public var ecgNoise: [NoiseLevel] = []
    /// Noise in the blood volume pulse; none by default.
    public var bvpNoise: [NoiseLevel] = []
    /// Faults at given times.
    public var faults: [Fault] = []
    /// Faults at random times.
    public var randomFaults: [RandomFaults] = []
    /// When the recording began; nil where it does not say.
    public var start: Timestamp?

    /// Five minutes of clean ECG and BVP in sinus rhythm.
    public init() {}
}
