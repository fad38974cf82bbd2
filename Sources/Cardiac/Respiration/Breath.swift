public import Signals

/// One breath in the signal of a respiration belt, of chest impedance or of airflow volume.
public struct Breath: Hashable, Codable, Sendable {
    /// Start of inspiration: the trough, in seconds from the recording's start.
    public var onset: Seconds
    /// End of inspiration: the peak, in seconds from the recording's start.
    public var peak: Seconds
    /// Height of the peak over the trough, in the signal's unit, smoothed.
    public var amplitude: Double
    /// Whether the previous breath's peak and this one's onset are not of one run of samples, or lie so far apart
    /// that breathing stopped, or more than a fifth of the interval between the onsets is missing. True for the first.
    public var followsBreak: Bool

    /// A breath from its `onset` to its `peak`.
    public init(onset: Seconds, peak: Seconds, amplitude: Double, followsBreak: Bool = false) {
        self.onset = onset
        self.peak = peak
        self.amplitude = amplitude
        self.followsBreak = followsBreak
    }
}

/// Finds breaths in the signal of a respiration belt, of chest impedance or of airflow volume.
///
/// The signal, which rises with inspiration, is brought to 10…20 Hz by means, smoothed with a Gaussian of 0.2 s, and
/// less its mean over 15 s. Troughs and peaks are its turning points that are followed by a swing of at least a third
/// of how far it usually swings in the 30 s around, so that neither the heartbeat nor small hesitations count, and by
/// more than noise alone does; a trough is then where the smoothed signal is lowest between its peaks, whatever the
/// mean. Both are placed between samples. Where breathing stopped, the next breath follows a break. Where samples are
/// missing for up to a second, a straight line takes their place; where this is more than a fifth of the interval
/// between the onsets of two breaths, which may hide a third, the second follows a break. A longer stretch without
/// samples ends the run, and nothing spans it. A stretch in which the value stands still for longer than quantisation
/// or a pause of breath explains, as where a device fills in zeros or holds the last value, is one without samples.
///
/// On counting turning points over a threshold taken from the signal: Schäfer & Kratky 2008, Ann Biomed Eng 36:476-485.
public struct BreathDetector: Stage {
    private var core: BreathCore

    /// The sample rates, in Hz, at which breaths are found: three samples in the fastest breath there is, one a second.
    public static let sampleRates = 3.0...1e6

    /// A detector for a signal of `sampleRate` Hz. Outside of `sampleRates` it finds nothing.
    public init(sampleRate: Double) {
        core = BreathCore(sampleRate: sampleRate)
    }

    /// 51 s.
    public var lookAhead: Seconds { BreathCore.lookAhead }

    /// A run begins; the breaths of the one before are finished.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Breath]) {
        core.begin(segment)
        hand(to: &outputs)
    }

    /// The next samples, in any unit; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Breath]) {
        core.push(chunk)
        hand(to: &outputs)
    }

    /// Nothing more comes.
    public mutating func finish(into outputs: inout [Breath]) {
        core.finish()
        hand(to: &outputs)
    }

    private mutating func hand(to outputs: inout [Breath]) {
        for news in core.news {
            for formed in news.breaths { outputs.append(formed.breath) }
        }
        core.news.removeAll(keepingCapacity: true)
        core.stills.removeAll(keepingCapacity: true)
    }
}
