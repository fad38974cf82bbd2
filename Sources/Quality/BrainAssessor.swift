public import Brain
public import Signals

/// Judges the quality of an EEG in windows, from its raw samples and, on a headband, from the accelerometer.
///
/// Windows lie on the grid of multiples of the step from the recording's start. The last window is the last one that
/// ends with the signal; a recording shorter than a window has one window, as long as it is. A gap that is as long as
/// a window or longer is one window, with a coverage of 0.
///
/// With one or two channels nothing tells noise of an EEG's spectrum from an EEG: pink or brown noise, slow waves of a
/// moving cable. An EEG need have no rhythm that stands out, no blink and no burst within a window, and then it is such a
/// noise to every measure; that noise is in each channel another is what gives it away, and from three channels on they are
/// compared. The quality of one or two channels is therefore 0.75 at most, however clean they look; so is that of bipolar
/// channels, of which clean ones need have nothing in common either.
public struct BrainAssessor: BlockStage, Sendable {
    /// Up to how many seconds acceleration and contact may be late; what comes later is not heard.
    public static let patience: Seconds = 30

    private let parameters: QualityParameters
    private let channels: Int
    private let hasMotion: Bool
    private let hasContact: Bool
    private var seconds: EEGSeconds
    private var eyes: EyeEventDetector?
    private var measured: [EEGSecond] = []
    private var events: [EyeEvent] = []
    private var kept: (events: [EyeEvent], seconds: [EEGSecond]) = ([], [])
    private var ledger: BrainLedger
    private var offHead: Seconds?
    private var motionKnown = -Seconds.infinity
    private var contactKnown = -Seconds.infinity
    private var runIsOpen = false

    /// An assessor of `channels` at `sampleRate` Hz.
    /// - Parameters:
    ///   - hasMotion: whether an accelerometer goes with them, whose seconds will be handed to `take`.
    ///   - hasContact: whether the headband says if it is on the head, whose seconds will be handed to `take`.
    public init(
        channels: [Channel], sampleRate: Double, hasMotion: Bool = false, hasContact: Bool = false,
        parameters: QualityParameters = QualityParameters()
    ) {
        self.parameters = parameters
        self.channels = channels.count
        self.hasMotion = hasMotion
        self.hasContact = hasContact
        seconds = EEGSeconds(channels: channels, sampleRate: sampleRate)
        eyes = EyeEventDetector(channels: channels, sampleRate: sampleRate)
        ledger = BrainLedger(
            comparable: ElectrodePair.areComparable(channels.map(\.label)), parameters: parameters)
    }

    /// Seconds of signal between a frame and the last output that depends on it, where acceleration is not late.
    public var lookAhead: Seconds { parameters.window + max(eyes?.lookAhead ?? 0, 1) + 1 }

    /// The channels that blinks are seen in; none where no electrode shows them.
    public var blinkChannels: [Int] { eyes?.blinkChannels ?? [] }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [BrainWindow]) {
        seconds.begin(segment, into: &measured)
        eyes?.begin(segment, into: &events)
        runIsOpen = true
        passOn(into: &outputs)
    }

    /// The next frames of the run, in the stream's unit; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [BrainWindow]) {
        guard block.channelCount == channels else { return }
        seconds.push(block, into: &measured)
        eyes?.push(block, into: &events)
        passOn(into: &outputs)
    }

    /// What the accelerometer says of a second; seconds come in order.
    public mutating func take(_ second: HeadMotion.Second, into outputs: inout [BrainWindow]) {
        ledger.take(second)
        motionKnown = second.onset + 1
        passOn(into: &outputs)
    }

    /// Whether the headband says that it is off the head in a second, or electrodes without contact, which are in the order
    /// of the channels; seconds come in order.
    public mutating func take(_ second: HeadContact.Second, into outputs: inout [BrainWindow]) {
        ledger.take(second)
        contactKnown = second.onset + 1
        passOn(into: &outputs)
    }

    /// Whether seconds are looked at for `takeOffHead` as they come, which takes as long as their windows do.
    public var watchesOffHead = false

    /// Whether what is found on the way is kept for `takeEyeEvents` and `takeSeconds`: who wants it as well need not look
    /// for it again.
    public var keepsFindings = false

    /// The blinks and saccades that were found since they were taken last.
    public mutating func takeEyeEvents() -> [EyeEvent] {
        defer { kept.events.removeAll(keepingCapacity: true) }
        return kept.events
    }

    /// The seconds that were measured since they were taken last.
    public mutating func takeSeconds() -> [EEGSecond] {
        defer { kept.seconds.removeAll(keepingCapacity: true) }
        return kept.seconds
    }

    /// The end of the latest second, of those measured since this was asked last, by which the headband has been off the
    /// head for two seconds, as far as these alone tell; nil where there is none, or where `watchesOffHead` is not set.
    /// Windows tell it seconds later, and for good.
    public mutating func takeOffHead() -> Seconds? {
        defer { offHead = nil }
        return offHead
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [BrainWindow]) {
        seconds.finish(into: &measured)
        eyes?.finish(into: &events)
        runIsOpen = false
        passOn(into: &outputs)
        ledger.finish(into: &outputs)
    }

    private mutating func passOn(into outputs: inout [BrainWindow]) {
        for second in measured {
            ledger.take(second)
            if watchesOffHead, ledger.saysOffHead { offHead = second.onset + 1 }
        }
        for event in events where event.kind == .blink { ledger.take(event) }
        if keepsFindings {
            kept.events += events
            kept.seconds += measured
        }
        measured.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
        var known = ledger.known
        if runIsOpen, let eyes { known = min(known, max(eyes.settledUntil, ledger.runStart)) }
        let late = known - Self.patience
        if hasMotion { known = min(known, max(motionKnown, late)) }
        if hasContact { known = min(known, max(contactKnown, late)) }
        ledger.give(until: known, into: &outputs)
    }
}
