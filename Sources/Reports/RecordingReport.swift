public import Signals

/// Everything a reader should see of one analysed recording. Times are seconds from the recording's start.
///
/// A plain value: fill it, then ask for `html()`.
public struct RecordingReport: Sendable {
    /// The page's heading.
    public var title: String
    /// BIDS labels, without their prefixes, where known.
    public var subject: String?
    /// BIDS session label, where known.
    public var session: String?
    /// BIDS task label, where known.
    public var task: String?
    /// When the recording began; nil when the source does not say.
    public var start: Timestamp?
    /// Whether that is told with a time zone.
    public var hasTimeZone = true
    /// Seconds from the start to the end of the last sample, gaps included; nil where the recording has no times.
    public var duration: Seconds?
    /// The file that was analysed.
    public var source: RecordingSource
    /// Name and version of the software, such as `Marey 0.1.0`.
    public var software: String
    /// The streams the recording holds.
    public var streams: [StreamSummary]
    /// The beat series found in it, the most trusted first.
    public var series: [BeatSeries]
    /// Respiration from belts and their like.
    public var belts: [RespirationTrend]
    /// Skin conductance, a series per stream.
    public var skin: [SkinConductanceSeries] = []
    /// EEG, a series per stream.
    public var brains: [BrainSeries] = []
    /// Acceleration, skin temperature and batteries over time.
    public var motion: [MotionTrend] = []
    /// What potentiostats measured, one by one; empty where there was none.
    public var electrochemistry: [ElectrochemistrySection] = []
    /// What the session's predictions told; nil where none were asked for.
    public var predictions: PredictionSection?
    /// Tags and device markers, drawn into every figure over time.
    public var events = EventMarks.none
    /// Signal quality over time, a lane per stream.
    public var quality: [QualityLane]
    /// The quality of all streams in a line; nil where none was judged.
    public var verdict: String?
    /// The windows with the worst signal, worst first.
    public var worstStrips: [SignalStrip]
    /// What was left out, and why.
    public var notComputed: [NotComputed]
    /// Text for a methods section.
    public var methods: Methods
    /// Software, parameters, hashes: what it takes to do it again.
    public var provenance: [ProvenanceEntry]
    /// What a reader of this recording should know: repairs made, oddities found.
    public var notes: [String]

    /// A report with the parts at hand; parts left out are said to be missing on the page.
    public init(
        title: String, subject: String? = nil, session: String? = nil, task: String? = nil, start: Timestamp? = nil,
        duration: Seconds?, source: RecordingSource, software: String, streams: [StreamSummary] = [],
        series: [BeatSeries] = [], belts: [RespirationTrend] = [], quality: [QualityLane] = [],
        worstStrips: [SignalStrip] = [],
        notComputed: [NotComputed] = [], methods: Methods = Methods(), provenance: [ProvenanceEntry] = [],
        notes: [String] = []
    ) {
        self.title = title
        self.subject = subject
        self.session = session
        self.task = task
        self.start = start
        self.duration = duration
        self.source = source
        self.software = software
        self.streams = streams
        self.series = series
        self.belts = belts
        self.quality = quality
        self.worstStrips = worstStrips
        self.notComputed = notComputed
        self.methods = methods
        self.provenance = provenance
        self.notes = notes
    }
}

/// The file a recording was read from.
public struct RecordingSource: Hashable, Sendable {
    /// The file's name, without its folder.
    public var fileName: String
    /// SHA-256 of its bytes in hexadecimal; nil where it was not hashed.
    public var sha256: String?
    /// The file format, such as `WFDB` or `EDF+D`.
    public var format: String

    /// The file `fileName`.
    public init(fileName: String, sha256: String? = nil, format: String) {
        self.fileName = fileName
        self.sha256 = sha256
        self.format = format
    }
}

/// One stream of the recording and what is missing from it.
public struct StreamSummary: Hashable, Sendable {
    /// Name, kind, channels with their units, sample rate.
    public var header: StreamHeader
    /// The stretches without samples.
    public var gaps: [Gap]
    /// Share of the recording's duration with valid samples, 0…1; nil when unknown.
    public var coverage: Double?

    /// A stream with these gaps.
    public init(header: StreamHeader, gaps: [Gap] = [], coverage: Double? = nil) {
        self.header = header
        self.gaps = gaps
        self.coverage = coverage
    }
}

/// A stretch for which there is nothing to show, and why.
public struct MissingSpan: Hashable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Seconds it lasts.
    public var duration: Seconds
    /// Why; a name in lower camel case such as `deviceLost` is shown as words.
    public var reason: String

    /// Nothing for `duration` seconds from `onset` on.
    public init(onset: Seconds, duration: Seconds, reason: String) {
        self.onset = onset
        self.duration = duration
        self.reason = reason
    }

    /// A gap in a stream.
    public init(_ gap: Gap) {
        self.init(onset: gap.onset, duration: gap.duration, reason: gap.reason.rawValue)
    }
}

/// Something the reader may look for in vain.
public struct NotComputed: Hashable, Sendable {
    /// What is not there.
    public var what: String
    /// Why not, and what it would take.
    public var why: String

    /// `what` is missing because of `why`.
    public init(what: String, why: String) {
        self.what = what
        self.why = why
    }

    /// Names that are missing for the same reason share an entry, in the order of their first.
    static func grouped(_ missing: [(name: String, reason: String?)], of whole: String) -> [NotComputed] {
        var groups: [(reason: String, names: [String])] = []
        for (name, reason) in missing {
            let reason = reason ?? "no data"
            if let known = groups.firstIndex(where: { $0.reason == reason }) {
                groups[known].names.append(name)
            } else {
                groups.append((reason, [name]))
            }
        }
        return groups.map { NotComputed(what: "\(whole): \($0.names.joined(separator: ", "))", why: $0.reason) }
    }
}

/// Text for a methods section, ready to paste.
public struct Methods: Hashable, Sendable {
    /// The paragraph; empty when there is none.
    public var paragraph: String
    /// What it cites, in order.
    public var references: [Reference]

    /// A paragraph and what it cites.
    public init(paragraph: String = "", references: [Reference] = []) {
        self.paragraph = paragraph
        self.references = references
    }

    /// A cited work.
    public struct Reference: Hashable, Sendable {
        /// Authors, year, title, journal.
        public var text: String
        /// The bare DOI, such as `10.1161/01.CIR.93.5.1043`; nil where there is none.
        public var doi: String?

        /// A work with its DOI.
        public init(_ text: String, doi: String? = nil) {
            self.text = text
            self.doi = doi
        }
    }
}

/// One line of provenance.
public struct ProvenanceEntry: Hashable, Sendable {
    /// What it is, such as `parametersSHA256`.
    public var key: String
    /// Its value.
    public var value: String

    /// `key` has this value.
    public init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }
}
