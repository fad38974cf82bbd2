public import Signals

/// One pulse of a blood volume pulse signal, with the moments that mark it.
public struct Pulse: Hashable, Codable, Sendable {
    /// The beat it stands for, at the moment the detector's `fiducial` names.
    public var beat: Beat
    /// Foot of the pulse in seconds from the recording's start: where the tangent at the steepest point of the
    /// upstroke meets the level of the minimum before it.
    public var foot: Seconds
    /// Steepest point of the systolic upstroke, in seconds from the recording's start.
    public var upstroke: Seconds
    /// Peak of the pulse, smoothed with a Gaussian of 50 ms and freed of drift, in seconds from the recording's start.
    public var peak: Seconds
    /// Height from the minimum before the upstroke to the peak, in the signal's unit; positive whichever way up.
    public var amplitude: Float

    /// A pulse of `beat` with its moments and height.
    public init(beat: Beat, foot: Seconds, upstroke: Seconds, peak: Seconds, amplitude: Float) {
        self.beat = beat
        self.foot = foot
        self.upstroke = upstroke
        self.peak = peak
        self.amplitude = amplitude
    }
}
