public import Signals

/// The beats of one signal and all that was computed from them.
public struct BeatSeries: Sendable {
    /// What the beats were found in, such as `ECG` or `BVP (wrist)`.
    public var name: String
    /// Share of the analysed time covered by accepted intervals, 0…1; nil when unknown.
    public var coverage: Double?
    /// Number of beats found; nil when only intervals are known.
    public var beatCount: Int?
    /// The intervals in order of time.
    public var intervals: [TachogramInterval]
    /// Stretches no interval spans.
    public var gaps: [MissingSpan]
    /// Every interval that was changed or removed.
    public var corrections: [CorrectionRow]
    /// Pairs of successive intervals for the Poincaré plot.
    public var pairs: [NNPair]
    /// All indices of the series, with definitions.
    public var indices: [IndexValue]
    /// Power spectra, the preferred estimator first.
    public var spectra: [Spectrum]
    /// Beats laid over one another.
    public var overlay: BeatOverlay?
    /// Indices per window (columns `onset`, `duration`, then indices); trends are drawn from two windows on.
    public var windows: Table?
    /// The rhythm over time.
    public var rhythm: RhythmLane?
    /// Respiration as it shows in the beats.
    public var respiration: RespirationTrend?
    /// The heart rate from pulse wave and acceleration; nil where the beats come from no pulse wave.
    public var pulseRate: PulseRateTrend?
    /// A few clean seconds of the signal with its beats; nil where there are none, or only intervals were recorded.
    public var typicalStrip: SignalStrip?
    /// Whether intervals were not computed, because the parameters ask for nothing that rests on them.
    public var leavesOutIntervals = false
    /// Intervals that were found and do not count, as the signal there is not good enough.
    public var droppedIntervals = 0
    /// The coverage, 0…1, below which no index is computed; nil where that is not known.
    public var leastCoverage: Double?

    /// A series with the parts at hand. `pairs` left out are the contiguous kept or corrected intervals.
    public init(
        name: String, coverage: Double? = nil, beatCount: Int? = nil, intervals: [TachogramInterval] = [],
        gaps: [MissingSpan] = [], corrections: [CorrectionRow] = [], pairs: [NNPair]? = nil,
        indices: [IndexValue] = [], spectra: [Spectrum] = [], overlay: BeatOverlay? = nil, windows: Table? = nil,
        rhythm: RhythmLane? = nil, respiration: RespirationTrend? = nil
    ) {
        self.name = name
        self.coverage = coverage
        self.beatCount = beatCount
        self.intervals = intervals
        self.gaps = gaps
        self.corrections = corrections
        self.pairs = pairs ?? NNPair.pairs(of: intervals)
        self.indices = indices
        self.spectra = spectra
        self.overlay = overlay
        self.windows = windows
        self.rhythm = rhythm
        self.respiration = respiration
    }
}

extension BeatSeries {
    /// Why it has no intervals, where it has none.
    var absence: String {
        if leavesOutIntervals { return "they were not computed, because the parameter outputs leaves hrv out" }
        if droppedIntervals > 0 {
            return droppedIntervals == 1
                ? "the only one lies where the signal is not good enough"
                : "all \(NumberText.count(droppedIntervals)) lie where the signal is not good enough"
        }
        return gaps.isEmpty
            ? "no two beats follow one another" : TachogramFigure.distinct(gaps.map { Words.of($0.reason) })
    }
}

/// One inter-beat interval of a tachogram.
public struct TachogramInterval: Hashable, Sendable {
    /// When the later of its two beats was, in seconds from the recording's start.
    public var onset: Seconds
    /// Its length in seconds: after correction where it was corrected, as found where it was removed.
    public var duration: Seconds
    /// What became of it.
    public var status: Status
    /// Whether the interval before it ends where this one begins.
    public var isContiguous: Bool

    /// The interval of `duration` seconds that ends at `onset`.
    public init(onset: Seconds, duration: Seconds, status: Status = .kept, isContiguous: Bool = true) {
        self.onset = onset
        self.duration = duration
        self.status = status
        self.isContiguous = isContiguous
    }

    /// What became of an interval.
    public enum Status: String, CaseIterable, Sendable {
        /// Used as found.
        case kept
        /// Used with a new value.
        case corrected
        /// Not used.
        case removed
    }
}

/// Two successive intervals.
public struct NNPair: Hashable, Sendable {
    /// The earlier one, in seconds.
    public var first: Seconds
    /// The later one, in seconds.
    public var second: Seconds

    /// `first` followed by `second`.
    public init(first: Seconds, second: Seconds) {
        self.first = first
        self.second = second
    }

    /// The pairs of a series: none spans a gap or a removed interval.
    public static func pairs(of intervals: [TachogramInterval]) -> [NNPair] {
        zip(intervals, intervals.dropFirst()).compactMap { earlier, later in
            guard later.isContiguous, earlier.status != .removed, later.status != .removed else { return nil }
            return NNPair(first: earlier.duration, second: later.duration)
        }
    }
}

/// One row of the corrections audit.
public struct CorrectionRow: Hashable, Sendable {
    /// When, in seconds from the recording's start.
    public var onset: Seconds
    /// Index of the interval in the series as found, 0-based.
    public var index: Int
    /// The class, such as `ectopic`, `missed`, `extra`, `longShort`.
    public var kind: String
    /// The interval as found, in seconds; nil where there was none.
    public var old: Seconds?
    /// The interval in its place, in seconds; nil where it was removed.
    public var new: Seconds?
    /// Why.
    public var reason: String

    /// A change from `old` to `new`.
    public init(onset: Seconds, index: Int, kind: String, old: Seconds?, new: Seconds?, reason: String) {
        self.onset = onset
        self.index = index
        self.kind = kind
        self.old = old
        self.new = new
        self.reason = reason
    }
}

/// The value of one declared index.
public struct IndexValue: Hashable, Sendable {
    /// Its name, unit, definition and reference.
    public var column: Column
    /// Its value in the column's unit; nil when it could not be computed.
    public var value: Double?
    /// Why there is no value.
    public var reason: String?

    /// A value, or the reason why there is none.
    public init(_ column: Column, _ value: Double?, reason: String? = nil) {
        self.column = column
        self.value = value.flatMap { $0.isFinite ? $0 : nil }
        self.reason = reason
    }
}

/// A power spectrum of the intervals.
public struct Spectrum: Sendable {
    /// The estimator and its parameters in a few words, such as `Welch, 4 Hz, 256 s Hann, 50 % overlap`.
    public var method: String
    /// Frequencies in Hz, rising.
    public var frequencies: [Double]
    /// Power density in ms²/Hz, one per frequency.
    public var density: [Double]
    /// The bands to fill, in order.
    public var bands: [Band]

    /// A spectrum and its bands.
    public init(method: String, frequencies: [Double], density: [Double], bands: [Band]) {
        self.method = method
        self.frequencies = frequencies
        self.density = density
        self.bands = bands
    }

    /// A frequency band.
    public struct Band: Hashable, Sendable {
        /// `VLF`, `LF`, `HF`, …
        public var name: String
        /// Its lower edge in Hz.
        public var lower: Double
        /// Its upper edge in Hz.
        public var upper: Double
        /// Its power in ms²; nil when not computed.
        public var power: Double?

        /// The band from `lower` to `upper` Hz.
        public init(name: String, lower: Double, upper: Double, power: Double?) {
            self.name = name
            self.lower = lower
            self.upper = upper
            self.power = power
        }
    }
}

/// Beats of one channel cut around their peaks, all of one length.
public struct BeatOverlay: Sendable {
    /// The cut-outs, in order of time; shorter ones end early, missing samples are NaN.
    public var waveforms: [[Float]]
    /// Their mean over all beats; nil: the mean of `waveforms`.
    public var mean: [Float]?
    /// Index of the sample the beats are aligned at.
    public var alignment: Int
    /// Samples per second.
    public var sampleRate: Double
    /// Unit of the samples.
    public var unit: Unit
    /// How many beats there were to choose from.
    public var beatCount: Int

    /// Cut-outs aligned at sample `alignment`.
    public init(
        waveforms: [[Float]], mean: [Float]? = nil, alignment: Int, sampleRate: Double, unit: Unit,
        beatCount: Int? = nil
    ) {
        self.waveforms = waveforms
        self.mean = mean
        self.alignment = alignment
        self.sampleRate = sampleRate
        self.unit = unit
        self.beatCount = beatCount ?? waveforms.count
    }
}
