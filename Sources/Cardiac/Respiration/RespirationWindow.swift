public import Signals

/// Respiration in one window, by one method.
public struct RespirationWindow: Hashable, Sendable {
    /// Where the window begins, in seconds from the recording's start.
    public var onset: Seconds
    /// How long it is, in seconds; longer than a window where a long gap is one.
    public var duration: Seconds
    /// What the rate is told from.
    public var method: RespirationMethod
    /// The share of the window with data, 0…1.
    public var coverage: Double
    /// Breaths per minute; nil where `missing` says why.
    public var rate: Double?
    /// How far the rate can be trusted, 0…1; 0 where there are too few data to tell.
    public var quality: Double
    /// Why there is no rate; nil where there is one.
    public var missing: RespirationMissing?

    /// A window with its rate and quality.
    public init(
        onset: Seconds, duration: Seconds, method: RespirationMethod, coverage: Double, rate: Double?,
        quality: Double, missing: RespirationMissing? = nil
    ) {
        self.onset = onset
        self.duration = duration
        self.method = method
        self.coverage = coverage
        self.rate = rate
        self.quality = quality
        self.missing = missing
    }

    init(_ place: WindowPlace, _ method: RespirationMethod, coverage: Double, _ result: RespirationResult) {
        self.init(
            onset: place.onset, duration: place.duration, method: method, coverage: coverage, rate: nil, quality: 0)
        switch result {
        case .rate(let rate, let quality): (self.rate, self.quality) = (rate, quality)
        case .missing(let reason, let quality): (missing, self.quality) = (reason, quality)
        }
    }
}

/// What an estimator finds in a window.
enum RespirationResult {
    case rate(Double, quality: Double)
    case missing(RespirationMissing, quality: Double = 0)
}

/// Why a window has no respiration rate.
public enum RespirationMissing: Error, Hashable, Sendable, CustomStringConvertible {
    /// Data cover too little of the window.
    case lowCoverage(Double, least: Double)
    /// The signal does not change in so much of the window, 0…1, that too little is covered by data.
    case flat(Double, coverage: Double, least: Double)
    /// There are too few beats.
    case tooFewBeats(Int, least: Int)
    /// There are too few breaths.
    case tooFewBreaths(Int, least: Int)
    /// There are too few intervals between breaths that follow each other, of so many breaths.
    case tooFewIntervals(Int, breaths: Int, least: Int)
    /// No rate stands out: the highest peak holds too little of the power.
    case noDominantPeak(Double, least: Double)
    /// The rate lies outside the range that is looked for; where it does, when that is known, in breaths per minute.
    case outOfRange(Double?)
    /// Intervals or the heights of pulses swing most at this rate in breaths per minute, where breathing and slow waves of
    /// blood pressure and vessels cannot be distinguished; of several methods together, where no other confirms such a rate.
    case slowWaves(Double)
    /// The share of intervals that differ from the one before by more than a fifth is too high: the rhythm hides what
    /// breathing does.
    case irregularRhythm(Double, greatest: Double)
    /// No two methods have a rate to confirm each other, and none stands out by itself.
    case tooFewEstimates(Int)
    /// The methods disagree: the standard deviation of their rates in breaths per minute.
    case disagreement(Double, greatest: Double)

    /// In words for the reader.
    public var description: String {
        func rounded(_ value: Double) -> String { roundedToHundredths(value) }
        switch self {
        case .lowCoverage(let found, let least):
            return "coverage \(Percentage(found, below: least)) is below \(Percentage(least))"
        case .flat(let share, let coverage, let least):
            return "flat line in \(Percentage(share)) of the window: coverage \(Percentage(coverage, below: least)) "
                + "is below \(Percentage(least))"
        case .tooFewBeats(let found, let least): return "\(found) beats; at least \(least) are needed"
        case .tooFewBreaths(let found, let least): return "\(found) breaths; at least \(least) are needed"
        case .tooFewIntervals(let found, let breaths, let least):
            return "\(found) intervals between successive breaths, of \(breaths) breaths in all; "
                + "at least \(least) intervals are needed"
        case .noDominantPeak(let found, let least):
            return "no rate stands out: share of power \(roundedDown(found)) is below \(rounded(least))"
        case .outOfRange(nil): return "no rate in the range that is looked for"
        case .outOfRange(let rate?): return "\(rounded(rate)) breaths per minute lie outside the range looked for"
        case .slowWaves(let rate):
            return "the strongest swing, at \(rounded(rate)) per minute, has the rate of slow waves of blood pressure "
                + "and vessels"
        case .irregularRhythm(let found, let greatest):
            return "irregular rhythm: share \(roundedUp(found)) of the intervals jump, above \(rounded(greatest))"
        case .tooFewEstimates(let found):
            return "\(found) methods have a rate; at least 2, or one that stands out, are needed"
        case .disagreement(let found, let greatest):
            return "rates differ by a standard deviation of \(roundedUp(found)) breaths per minute, above "
                + rounded(greatest)
        }
    }
}
