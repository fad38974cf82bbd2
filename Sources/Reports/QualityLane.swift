import Quality
public import Signals

/// The quality of one stream over time.
public struct QualityLane: Sendable {
    /// The stream's name.
    public var stream: String
    /// Windows in order of onset; they may overlap.
    public var windows: [Window]
    /// Stretches without samples.
    public var gaps: [MissingSpan]

    /// The windows of a stream.
    public init(stream: String, windows: [Window], gaps: [MissingSpan] = []) {
        self.stream = stream
        self.windows = windows
        self.gaps = gaps
    }

    /// How much of the time each window stands for.
    var places: WindowPlaces { WindowPlaces(onsets: windows.map(\.onset), durations: windows.map(\.duration)) }

    /// The share of the time in windows that may be used, 0…1.
    var usableShare: Double { places.share { (windows[$0].quality ?? 0) >= LaneFigure.usable } }

    /// One judged window.
    public struct Window: Hashable, Sendable {
        /// Seconds from the recording's start.
        public var onset: Seconds
        /// Its length in seconds.
        public var duration: Seconds
        /// 0 (useless) … 1 (clean); nil or NaN where it could not be judged.
        public var quality: Double?
        /// Share of the window with valid samples, 0…1.
        public var coverage: Double
        /// What lowered the quality; names in lower camel case are shown as words.
        public var reasons: [String]

        /// A judged window.
        public init(onset: Seconds, duration: Seconds, quality: Double?, coverage: Double, reasons: [String] = []) {
            self.onset = onset
            self.duration = duration
            self.quality = quality
            self.coverage = coverage
            self.reasons = reasons
        }
    }
}

/// A short stretch of one channel, to be looked at.
public struct SignalStrip: Sendable {
    /// The stream's name, with the channel's where it has several.
    public var stream: String
    /// Seconds from the recording's start to the first sample.
    public var onset: Seconds
    /// The samples; missing ones are NaN.
    public var samples: [Float]
    /// Samples per second.
    public var sampleRate: Double
    /// Unit of the samples.
    public var unit: Unit
    /// Beats found in it, in seconds from the recording's start.
    public var beats: [Seconds]
    /// 0…1; nil where it could not be judged.
    public var quality: Double?
    /// Share of valid samples, 0…1.
    public var coverage: Double
    /// What is wrong with it.
    public var reasons: [String]

    /// A stretch of a channel.
    public init(
        stream: String, onset: Seconds, samples: [Float], sampleRate: Double, unit: Unit, beats: [Seconds] = [],
        quality: Double?, coverage: Double, reasons: [String] = []
    ) {
        self.stream = stream
        self.onset = onset
        self.samples = samples
        self.sampleRate = sampleRate
        self.unit = unit
        self.beats = beats
        self.quality = quality
        self.coverage = coverage
        self.reasons = reasons
    }
}
