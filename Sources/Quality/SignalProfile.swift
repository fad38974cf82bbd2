import Signals

/// What the assessor has to know of a kind of signal: time scales and limits.
struct SignalProfile: Sendable {
    /// The rate, in Hz, that the form of beats is looked at: input is brought down to about this.
    var formRate: Double
    /// What makes beats stand out: half-distance, in seconds, of a second difference; where beats are upright, of the
    /// mean that is taken away.
    var sharpness: Seconds
    /// Length, in seconds, of the mean that is taken before.
    var smoothing: Seconds
    /// What of a beat is compared, in seconds before and after its peak.
    var before: Seconds
    var after: Seconds
    /// Length of a beat's main wave, and of a beat, for the second detector (Elgendi's two moving averages).
    var event: Seconds
    var cycle: Seconds
    /// Two detectors mean the same beat within this many seconds.
    var tolerance: Seconds
    /// Shortest interval, in seconds, from one beat to the next.
    var shortest: Seconds
    /// For how long after a beat, in seconds, what stands out far less is the end of that beat; 0 where a beat has one wave.
    var tail: Seconds
    /// Whether beats point upwards only.
    var isUpright: Bool
    /// From how many seconds on a beat may be lost in a plateau.
    var lostIn: Seconds
    /// The maximum time between a plateau and a beat that it times.
    var plateauReach: Seconds
    /// From which similarity on two beats have the same form.
    var alike: Float

    static let ecg = SignalProfile(
        formRate: 125, sharpness: 0.028, smoothing: 0.020, before: 0.12, after: 0.2, event: 0.097, cycle: 0.611,
        tolerance: 0.1, shortest: 0.24, tail: 0.4, isUpright: false, lostIn: 0.2,
        plateauReach: 0.012, alike: 0.7)
    static let bvp = SignalProfile(
        formRate: 40, sharpness: 0.6, smoothing: 0.1, before: 0.3, after: 0.4, event: 0.111, cycle: 0.667,
        tolerance: 0.15, shortest: 0.27, tail: 0, isUpright: true, lostIn: 1,
        plateauReach: 0.05, alike: 0.7)
}
