public import Signals

/// One heart beat as seen in one channel: an R peak in ECG, a systolic peak in BVP.
public struct Beat: Hashable, Codable, Sendable {
    /// Seconds from the recording's start, refined between samples where the signal allows it, on a grid of 0.1 ms so
    /// that a beats table gives back exactly this number.
    public var onset: Seconds
    /// Index of the sample nearest to the beat, 0-based, in its stream.
    public var sample: Int
    /// What kind of beat it is.
    public var kind: BeatKind
    /// How sure the detector is, 0…1.
    public var confidence: Float
    /// Whether something lies between the previous beat and this one that an interval may not span: a gap, or a
    /// stretch where no beat could have been seen. True for the first beat of a recording.
    public var followsBreak: Bool
    /// Where the pulse of a beat seen in BVP begins, in seconds from the recording's start, on the same grid; nil in ECG.
    public var foot: Seconds?
    /// Which of several leads gave the time, 0 for the first; nil where only one was looked at. `sample` counts in that
    /// lead's stream.
    public var lead: Int?

    /// A beat at `onset` seconds from the recording's start; rounded to the grid of 0.1 ms.
    public init(
        onset: Seconds, sample: Int, kind: BeatKind = .beat, confidence: Float = 1, followsBreak: Bool = false,
        foot: Seconds? = nil, lead: Int? = nil
    ) {
        self.onset = Self.onGrid(onset)
        self.sample = sample
        self.kind = kind
        self.confidence = confidence
        self.followsBreak = followsBreak
        self.foot = foot.map(Self.onGrid)
        self.lead = lead
    }

    /// The nearest multiple of 0.1 ms.
    public static func onGrid(_ onset: Seconds) -> Seconds {
        (onset * 10_000).rounded() / 10_000
    }
}

/// Classes of beats after ANSI/AAMI EC57, and `beat` where nobody has classified it.
public enum BeatKind: String, Codable, CaseIterable, Sendable {
    case beat, normal, supraventricular, ventricular, fusion, paced
}

/// A streaming beat detector for one channel.
public protocol BeatDetector: Stage where Element == Float, Output == Beat {
    /// Whether the pulses that the beats stand for are kept until `takePulses`. Only a detector of pulses has any.
    var keepsPulses: Bool { get set }
    /// The pulses of the beats since the last time, where they are kept.
    mutating func takePulses() -> [Pulse]

    /// The doubt in the polarity of the pulses so far; nil where there is none. Only a detector of pulses has any.
    var pulseDoubt: PulseDoubt? { get }

    /// How many seconds acceleration must be ahead of the signal. Only a detector of pulses listens to it.
    var accelerationLead: Seconds { get }
    /// A run of acceleration, of a sensor worn beside this one, begins.
    ///
    /// Before a sample of the signal is pushed, the acceleration up to `accelerationLead` seconds after it must have
    /// been. What comes later is not heard; what never comes counts as rest.
    mutating func beginAcceleration(_ segment: SegmentStart)
    /// The next acceleration: up to three axes, each times `factor` in g, with gravity or without.
    mutating func pushAcceleration(_ block: SampleBlock, factor: Float)
    /// The run of acceleration ends.
    mutating func endAcceleration()
}

extension BeatDetector {
    /// False: there are no pulses.
    public var keepsPulses: Bool {
        get { false }
        set {}
    }

    /// None.
    public mutating func takePulses() -> [Pulse] { [] }

    /// Nil: there are no pulses.
    public var pulseDoubt: PulseDoubt? { nil }

    /// 0: nothing is heard.
    public var accelerationLead: Seconds { 0 }
    /// Nothing is heard.
    public mutating func beginAcceleration(_ segment: SegmentStart) {}
    /// Nothing is heard.
    public mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {}
    /// Nothing is heard.
    public mutating func endAcceleration() {}
}
