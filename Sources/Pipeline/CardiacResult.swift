public import Brain
public import Cardiac
public import Quality
public import Signals

/// All that was computed from one source of heart beats.
public struct CardiacResult: Sendable {
    /// Where the beats come from.
    public let source: CardiacSource
    /// The contiguous runs of samples, as seconds from the recording's start.
    public internal(set) var runs: [Range<Seconds>] = []
    /// What lies between them.
    public internal(set) var gaps: [Gap] = []
    /// The beats, in order of time; empty where the recording holds only intervals.
    public internal(set) var beats: [Beat] = []
    /// What a person changed in the beats.
    public internal(set) var edits: [BeatEditResult] = []
    /// Windows of signal quality, in order of time; empty where the recording holds only intervals.
    public internal(set) var quality: [QualityWindow] = []
    /// The same, also where only something else that rests on it was asked for.
    var signalQuality: [QualityWindow] = []
    /// What the windows of signal quality were made with.
    var qualityParameters = QualityParameters()
    /// Whether intervals were taken and corrected: not where nothing that rests on them was asked for.
    public internal(set) var takesIntervals = true
    /// Whether intervals in signal of low quality were left out: not where a device measured them, or a person looked at the
    /// beats.
    public internal(set) var judgesIntervals = false
    /// The intervals between beats, as found.
    public internal(set) var intervals: [IBI] = []
    /// How many of them do not count, because quality drops the signal there.
    public internal(set) var droppedIntervals = 0
    /// For what those of them are dropped that lie in a window that may be used, but reach into a stretch that may not.
    var spoiltIntervals: [QualityReason: Int] = [:]
    /// The intervals after correction.
    public internal(set) var nn: [NN] = []
    /// What correction did.
    public internal(set) var corrections: [CorrectionRow] = []
    /// The doubt in the polarity of the pulses; nil where there is none.
    public internal(set) var pulseDoubt: PulseDoubt?
    /// Heart-rate variability by window.
    public internal(set) var windows: [HRVWindow] = []
    /// Stretches of one rhythm, one after the other; a description of the recording, no diagnosis.
    public internal(set) var rhythm: [RhythmSegment] = []
    /// Each change of the rhythm, once.
    public internal(set) var rhythmChanges: [RhythmChange] = []
    /// Windows of respiration by several methods, and by these together.
    public internal(set) var respiration: [RespirationWindow] = []
    /// Heart rates of windows from pulse wave and acceleration, in order of time; empty for other sources than BVP.
    public internal(set) var pulseRates: [PulseRateWindow] = []
    /// Sleep and wake by the heart rate; empty where it was not asked for, or an EEG or acceleration tells it.
    public internal(set) var sleep: [SleepEpoch] = []

    /// What was odd about the recording, and what of it was left out.
    public internal(set) var notes: [String] = []

    init(source: CardiacSource) {
        self.source = source
    }

    /// From the start of the signal to its end; nil for intervals, which know nothing of time without beats.
    public var extent: Range<Seconds>? {
        guard let first = runs.first, let last = runs.last else { return nil }
        return first.lowerBound..<last.upperBound
    }

    /// Lets the beat at `end` follow a break: the interval that it ends lies where the signal may not be used.
    mutating func dropInterval(endingAt end: Seconds, because reason: QualityReason?) {
        droppedIntervals += 1
        if let reason { spoiltIntervals[reason, default: 0] += 1 }
        let place = beats.partitioningIndex { $0.onset >= end - 1e-6 }
        if place < beats.count, beats[place].onset <= end + 1e-6 { beats[place].followsBreak = true }
    }

    /// A note that names the parameter `bvp.polarity` where the polarity of the pulses is in doubt and they have beats; nil
    /// elsewhere.
    public var polarityRemark: String? {
        guard let pulseDoubt, !beats.isEmpty else { return nil }
        let other: BVPParameters.Polarity = pulseDoubt.polarity == .upright ? .inverted : .upright
        if let onset = pulseDoubt.onset {
            let time = Int(onset.rounded())
            return """
                pulses were found as \(other.rawValue) up to \(time) s and as \(pulseDoubt.polarity.rawValue) after that; beats \
                before \(time) s may be at troughs: if so, set bvp.polarity to \(pulseDoubt.polarity.rawValue)
                """
        }
        return """
            the shape of the pulses does not show whether they are upright or inverted; they were found as \
            \(pulseDoubt.polarity.rawValue): if the beats are at troughs, set bvp.polarity to \(other.rawValue)
            """
    }

    /// The heart rates, in beats a minute, that beats are found at.
    public static let heartRates = 25...220

    /// The advice for hearts outside `heartRates`, as those of small animals.
    static let otherHeartRates = """
        beats are found at \(heartRates.lowerBound) to \(heartRates.upperBound) a minute; for faster hearts, as of small \
        animals, state a sample rate that is lower by a factor and divide the times in the results by it (docs/recordings.md)
        """

    /// A note where the median rate is above the supported ones, so that the heart may be faster still; nil elsewhere.
    public var rateRemark: String? {
        guard source.kind != .ibi, beats.count > 20 else { return nil }
        let intervals = zip(beats, beats.dropFirst()).filter { !$1.followsBreak }.map { $1.onset - $0.onset }.sorted()
        guard intervals.count > 10, intervals[intervals.count / 2] < 60 / Double(Self.heartRates.upperBound) else {
            return nil
        }
        let rate = Int((60 / intervals[intervals.count / 2]).rounded())
        return "the median rate is \(rate) a minute, and the heart may be faster: \(Self.otherHeartRates)"
    }

    /// What whoever uses the variability should know, in sentences.
    public var remarks: [String] {
        [correctionRemark, replacedRemark, doubledRemark, droppedRemark].compactMap(\.self)
    }

    /// What is to be said where more than a twentieth of the intervals do not count; nil elsewhere.
    public var droppedRemark: String? {
        guard droppedIntervals * 20 > intervals.count else { return nil }
        let why = mostFrequentDoubt.map { ", most often for \($0.rawValue)," } ?? ""
        return """
            \(droppedIntervals) of \(intervals.count) intervals lie where quality drops the signal\(why) and do not count \
            (see marey quality; --edits with beats that a person looked at counts them all, the parameter quality.tolerated \
            those dropped for reasons that you accept)
            """
    }

    /// What speaks most often against the windows that are not good or, where they drop less than half of the intervals,
    /// against the stretches that drop the others; the first of several as frequent.
    private var mostFrequentDoubt: QualityReason? {
        var counts = spoiltIntervals
        if counts.values.reduce(0, +) * 2 <= droppedIntervals {
            counts = [:]
            for window in signalQuality where !window.isGood {
                for reason in window.reasons { counts[reason, default: 0] += 1 }
            }
        }
        return QualityReason.allCases.max { counts[$0, default: 0] < counts[$1, default: 0] }
            .flatMap { counts[$0] == nil ? nil : $0 }
    }

    /// The quality of the signal in each HRV window: the mean of the quality windows whose middle lies in it; nil where
    /// there is none.
    public var windowQuality: [Double?] {
        let means = QualityMeans(signalQuality, qualityParameters)
        return windows.map { means.mean(after: $0.onset - 1e-6, before: $0.onset + $0.duration + 1e-6) }
    }
}
