/// One column of a stream: what it is called and in which unit its numbers are.
public struct Channel: Hashable, Codable, Sendable {
    /// The channel's name as the source spells it, such as `MLII` or `EEG Fp1`.
    public var label: String
    /// The unit of its samples.
    public var unit: Unit
    /// What its source says that it measures, where that is something else than its stream; nil where it is the same.
    public var kind: StreamKind?
    /// What somebody who looked at it found wrong with it, as its data set tells; nil where that says nothing. Such channels
    /// are set apart in streams of kind `other`, and nothing is computed of them.
    public var fault: String?

    /// A channel with this name and unit.
    public init(label: String, unit: Unit, kind: StreamKind? = nil, fault: String? = nil) {
        self.label = label
        self.unit = unit
        self.kind = kind
        self.fault = fault
    }
}

/// What is known of a stream before its samples are read.
public struct StreamHeader: Hashable, Codable, Sendable {
    /// A name unique in its recording.
    public var name: String
    /// What the stream measures.
    public var kind: StreamKind
    /// Its channels, sampled together.
    public var channels: [Channel]
    /// Nominal sample rate in Hz; 0 for irregular streams, whose values carry their own times.
    public var sampleRate: Double
    /// How many frames (one sample of every channel) the source says it holds, gaps not counted; nil when unknown.
    public var frameCount: Int?

    /// A stream as described by its source.
    public init(
        name: String, kind: StreamKind, channels: [Channel], sampleRate: Double, frameCount: Int? = nil
    ) {
        self.name = name
        self.kind = kind
        self.channels = channels
        self.sampleRate = sampleRate
        self.frameCount = frameCount
    }
}

/// A stream with all its samples in memory.
public struct Stream: Sendable {
    /// What the stream is.
    public var header: StreamHeader
    /// Its contiguous runs in order of time; what lies between two of them is a gap. Empty for irregular streams.
    public var segments: [Segment]
    /// The values of an irregular stream in order of time; empty for regular ones.
    public var values: [TimedValue]

    /// A stream made of these runs, or of these irregular values.
    public init(header: StreamHeader, segments: [Segment] = [], values: [TimedValue] = []) {
        self.header = header
        self.segments = segments
        self.values = values
    }

    /// The gaps between this stream's segments.
    public var gaps: [Gap] { segments.compactMap(\.start.gap) }
}

/// One value of an irregular stream, such as one inter-beat interval.
public struct TimedValue: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// One number per channel, in full precision: intervals are exact to the last digit of their file.
    public var values: [Double]
    /// What the recording calls the moment, such as the symbol of an annotated beat; nil where it says nothing.
    public var label: String?

    /// Numbers measured at `onset` seconds from the recording's start.
    public init(onset: Seconds, values: [Double], label: String? = nil) {
        self.onset = onset
        self.values = values
        self.label = label
    }
}
