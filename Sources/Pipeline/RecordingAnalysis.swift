import Cardiac
import Electrochemistry
public import Quality
public import Signals

/// Everything that was computed from one recording.
public struct RecordingAnalysis: Sendable {
    /// What the file says it holds.
    public let header: RecordingHeader
    /// What it really holds.
    public let inventory: RecordingInventory
    /// The results, one per source of heart beats, ECG first.
    public let results: [CardiacResult]
    /// The results of respiration belts and their like, one per channel.
    public let belts: [BeltResult]
    /// The results of skin conductance, one per stream.
    public let electrodermal: [ElectrodermalResult]
    /// The results of acceleration, skin temperature and batteries, one per stream.
    public let motion: [MotionResult]
    /// The results of EEG, one per stream.
    public let brains: [BrainResult]
    /// What potentiostats measured, one result per instrument, or per channel that its packages tell apart.
    public let electrochemistry: [ElectrochemicalResult]
    /// What the quality windows of all streams say together.
    public let verdict: SessionVerdict
    /// The EEG that does not suit the parameters, such as a sample rate too low for them: which, and why.
    public let refused: [LeftOut]
    /// The streams from which nothing was computed, and why.
    public let skipped: [SkippedStream]
    /// What was asked for and could not be done: what, and why.
    public let notComputed: [LeftOut]
    /// The parameters it was computed with.
    public let parameters: Parameters

    /// Reads a recording from end to end and computes all that its streams allow.
    /// - Parameters:
    ///   - request: which sources; without a wish, all leads of every ECG stream and the first channel of every BVP
    ///     and interval stream.
    ///   - edits: what a person changed in the beats.
    ///   - file: the recording's name, for messages.
    ///   - forReport: whether spectra of the whole recording are computed, which reports alone draw.
    ///   - progress: called with the share of the recording that has been read, 0…1.
    /// - Throws: what the reader throws, or `PipelineError` when the request does not fit the recording.
    public init(
        _ reader: any RecordingReader, _ request: SourceRequest = SourceRequest(), parameters: Parameters,
        edits: BeatEdits? = nil, file: String, forReport: Bool = true, progress: (Double) -> Void = { _ in }
    ) throws {
        var tracks = try RecordingTracks(
            reader.header, request, parameters: parameters, edits: edits, file: file, forReport: forReport)
        var inventory = RecordingInventory(reader.header)
        var clock = ReadingClock(reader.header)
        let ordered = TimeOrderedReader(reader, streams: tracks.coupled)
        while let event = try ordered.next() {
            inventory.take(event)
            tracks.take(event)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        tracks.finish()
        try edits?.demandMade(tracks.cardiac.flatMap(\.result.edits))
        // What a reader finds out while reading is in its header by now.
        header = ordered.header
        self.inventory = inventory
        self.parameters = parameters
        results = tracks.cardiac.map(\.result)
        belts = tracks.belts.map(\.result)
        electrodermal = tracks.body.electrodermal.map(\.result)
        motion = tracks.body.motion.map(\.result)
        electrochemistry = ElectrochemicalTrack.results(of: tracks.electrochemistry)
        brains = tracks.brains.map(\.result)
        let judged =
            results.filter { $0.source.kind != .ibi }.map { ($0.source.name, $0.quality) }
            + electrodermal.map { ($0.source.name, $0.quality) } + motion.map { ($0.source.name, $0.quality) }
            + brains.map { ($0.source.name, $0.quality) }
        refused = tracks.refused
        verdict = SessionVerdict(judged, parameters.quality)
        let others = brains.map(\.source).filter { !$0.others.isEmpty }.map {
            LeftOut(
                "channels \($0.others.joined(separator: ", ")) of \($0.name)", "by type, label or unit they are no EEG")
        }
        let parametersLeaveOut = AnalysisOutput.allCases.filter { !parameters.wants($0) }.map {
            LeftOut($0.rawValue, "the parameters leave it out")
        }
        let doubts = brains.compactMap { brain in brain.doubt.map { LeftOut("EEG of \(brain.source.name)", $0) } }
        let unscored = motion.compactMap { motion in
            motion.sleepUnscored.map { LeftOut("sleep of \(motion.source.name)", $0) }
        }
        let unusable = brains.flatMap { UnusableChannels.leftOut(of: $0, parameters) }.map { LeftOut($0.what, $0.why) }
        let channels = Self.channelsLeftOut(electrodermal.map(\.source) + motion.map(\.source), of: header)
            .map { LeftOut("channels \($0.channels) of \($0.stream)", "channel \($0.used) alone was used") }
        let unused = Self.unused(inventory, used: tracks.streams.union(electrochemistry.flatMap(\.streams)))
        skipped = Self.skipped(inventory, unused: unused, isSpecific: request != SourceRequest())
        let streams = Self.leftOut(
            inventory, results, unused: unused, skipped, wantsHRV: parameters.wants(.hrv))
        notComputed = parametersLeaveOut + tracks.refused + doubts + unscored + unusable + others + channels + streams
    }

    /// Whether nothing could be computed.
    public var isEmpty: Bool {
        results.isEmpty && belts.isEmpty && electrodermal.isEmpty && motion.isEmpty
            && brains.allSatisfy { $0.doubt != nil } && electrochemistry.isEmpty
    }

    /// Seconds from the recording's start to the end of its last sample; nil where it has no times.
    public var duration: Seconds? { inventory.duration(by: header) }
}
