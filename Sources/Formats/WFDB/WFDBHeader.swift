import Foundation
public import Signals

/// A WFDB header: what a record holds and where its samples are (WFDB Applications Guide, header(5)).
public struct WFDBHeader: Hashable, Sendable {
    /// The record's name, as the record line gives it.
    public var name: String
    /// Frames per second; a frame holds at least one sample of every signal.
    public var sampleRate: Double
    /// Ticks of the counter per second, where the header gives it.
    public var counterFrequency: Double?
    /// The counter's value at frame 0, where the header gives it.
    public var baseCounter: Double?
    /// Frames in the record, gaps of multi-segment records counted; nil when the header does not say.
    public var frameCount: Int?
    /// Time of day of frame 0, in seconds since midnight, where the header gives it.
    public var baseTime: Seconds?
    /// Date of frame 0, where the header gives it.
    public var baseDate: WFDBDate?
    /// The signals; empty in the header of a multi-segment record.
    public var signals: [WFDBSignal]
    /// The segments of a multi-segment record; empty in others.
    public var segments: [WFDBSegment]
    /// The comment lines, without `#`.
    public var comments: [String]
    /// Where the header leaves something open and what was assumed.
    public var notes: [String]

    /// When frame 0 was, if date and time are given. The header has no time zone; it is taken as UTC.
    public var start: Timestamp? {
        guard let baseDate, let baseTime else { return nil }
        let midnight = Timestamp(year: baseDate.year, month: baseDate.month, day: baseDate.day)
        return Plausible.moment(midnight.secondsSince1970 + baseTime)
    }

    /// Whether a multi-segment record has a layout segment first, of length 0, that lists all its signals.
    public var hasLayout: Bool { segments.first?.frameCount == 0 && segments.first?.name != nil }

    /// Samples of all signals in one frame, signals without a file left out.
    var slotCount: Int { signals.reduce(0) { $0 + $1.samplesPerFrame } }
}

/// A date as a WFDB header writes it.
public struct WFDBDate: Hashable, Sendable {
    /// The year.
    public var year: Int
    /// The month, 1…12.
    public var month: Int
    /// The day of the month, 1…31.
    public var day: Int

    /// A date.
    public init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}

/// One segment line of a multi-segment header.
public struct WFDBSegment: Hashable, Sendable {
    /// The segment's record name; nil for `~`, a stretch without samples.
    public var name: String?
    /// Its length in frames.
    public var frameCount: Int

    /// A segment, or a gap when `name` is nil.
    public init(name: String?, frameCount: Int) {
        self.name = name
        self.frameCount = frameCount
    }
}

/// One signal line of a header.
public struct WFDBSignal: Hashable, Sendable {
    /// The file with the samples, in the header's folder; nil for `~`, a signal without samples.
    public var file: String?
    /// How samples are stored; nil for a signal without samples.
    public var format: WFDBSignalFormat?
    /// Samples in each frame.
    public var samplesPerFrame = 1
    /// Frames by which the stored signal lags behind the others.
    public var skew = 0
    /// Bytes before the first sample in the file.
    public var byteOffset = 0
    /// ADC units per physical unit. Never 0.
    public var gain = 200.0
    /// Whether the header gives no gain or 0, so that 200 was assumed.
    public var isUncalibrated = true
    /// The sample value that corresponds to 0 physical units.
    public var baseline = 0
    /// The physical unit.
    public var unit = Unit.millivolts
    /// Bits of the ADC, where given.
    public var adcResolution: Int?
    /// The middle of the ADC's range.
    public var adcZero = 0
    /// The first sample; the start of the sums of format 8.
    public var initialValue = 0
    /// The 16-bit sum of all samples; nil when not given. Many writers put 0 instead of leaving it out.
    public var checksum: Int?
    /// Block size of special files; 0 for ordinary ones.
    public var blockSize = 0
    /// What the signal is, such as `MLII`.
    public var description = ""

    /// An ordinary signal without a file.
    public init() {}

    /// What the signal measures, told from its description and unit.
    public var kind: StreamKind { SignalKind.kind(label: description, transducer: "", unit: unit) }
}
