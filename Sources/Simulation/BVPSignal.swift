import Kernels
public import Signals

/// The form of a simulated blood volume pulse.
public struct BVPParameters: Hashable, Codable, Sendable {
    /// Samples per second.
    public var sampleRate: Double = 64
    /// Height of a pulse from its foot to its systolic peak, in the stream's unit.
    public var amplitude: Double = 100
    /// Seconds from the R peak to the systolic peak at the sensor.
    public var transit: Seconds = 0.35
    /// By how many seconds breathing lengthens and shortens the transit.
    public var respiratoryTransit: Seconds = 0.004
    /// Depth of the modulation of pulse height by breathing, 0…1.
    public var respiratoryAmplitude: Double = 0.1
    /// Shift of the baseline by breathing, as a fraction of a pulse's height.
    public var respiratoryBaseline: Double = 0.05
    /// Height of the dicrotic wave as a fraction of the systolic one.
    public var dicrotic: Double = 0.3

    /// A wrist pulse at 64 Hz.
    public init() {}

    /// When the systolic peak of a beat passes the sensor.
    func systolicPeak(of beat: SimulatedBeat, respirationRate: Double) -> Seconds {
        beat.onset + transit + respiratoryTransit * Elementary.sine(turns: respirationRate * beat.onset)
    }
}

/// The waves of heart beats in a blood volume pulse. A pulse ends before the next systolic peak and begins after the
/// one before it, so that the noiseless signal's maximum lies at the systolic peak exactly (breathing's shift of the
/// baseline moves it by less than 2 ms).
struct BVPMorphology: Morphology {
    let parameters: BVPParameters
    let respirationRate: Double

    var channelCount: Int { 1 }
    var longestLead: Seconds { 0.5 }

    func waves(of beat: SimulatedBeat, next: SimulatedBeat) -> [[Bump]] {
        let peak = parameters.systolicPeak(of: beat, respirationRate: respirationRate)
        let following = parameters.systolicPeak(of: next, respirationRate: respirationRate)
        let breath = Elementary.sine(turns: respirationRate * beat.onset)
        // A premature beat finds the ventricle less full.
        let filling = Swift.min(1.1, Swift.max(0.3, 0.3 + (beat.interval - 0.3) * 2))
        let height = parameters.amplitude * filling * (1 + parameters.respiratoryAmplitude * breath)
        let room = following - peak - 0.01
        let delay = Swift.min(0.3, room * 0.4)
        let systolic = Bump(
            peak: peak, rise: Swift.min(0.22, Swift.max(0.08, beat.interval * 0.4)), fall: Swift.min(0.42, room),
            amplitude: height)
        let dicrotic = Bump(
            peak: peak + delay, rise: delay * 0.6, fall: Swift.min(0.35, room - delay),
            amplitude: height * parameters.dicrotic)
        return [[systolic, dicrotic]]
    }
}

/// Draws a simulated blood volume pulse in successive blocks.
public struct BVPSignal: Sendable {
    /// The form of the signal.
    public let parameters: BVPParameters
    private let respirationRate: Double
    private var queue: WaveQueue<BVPMorphology>

    /// The pulse wave of `rhythm` without noise; breathing modulates it at `respirationRate` Hz.
    public init(_ parameters: BVPParameters, rhythm: HeartRhythm, respirationRate: Double) {
        self.parameters = parameters
        self.respirationRate = respirationRate
        let morphology = BVPMorphology(parameters: parameters, respirationRate: respirationRate)
        queue = WaveQueue(morphology, rhythm: rhythm, sampleRate: parameters.sampleRate)
    }

    /// The samples of `frames`; sample i is at i/`sampleRate` seconds. Each call must go on where the last one ended.
    public mutating func render(_ frames: Range<Int>) -> [[Double]] {
        var channels = queue.render(frames)
        // The sensor's coupling takes the mean away; about a third of the height.
        let offset = parameters.amplitude * 0.33
        let breath = parameters.respiratoryBaseline * parameters.amplitude
        for frame in frames {
            let turns = respirationRate * Double(frame) / parameters.sampleRate
            channels[0][frame - frames.lowerBound] += breath * Elementary.sine(turns: turns) - offset
        }
        return channels
    }
}
