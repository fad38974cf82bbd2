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
    /// What a potentiostat measured; nil where the recording has none.
    public let electrochemistry: ElectrochemicalResult?
    /// What the quality windows of all streams say together.
    public let verdict: SessionVerdict
    /// What was asked for and could not be done: what, and why.
    public let notComputed: [(what: String, why: String)]
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
        let header = reader.header
        let isSpecific = request != SourceRequest()
        let sources = isSpecific ? [try request.source(in: header, file: file)] : SourceRequest.all(in: header)
        var tracks = try sources.map {
            try CardiacTrack(
                $0, parameters: parameters, computing: parameters.cardiacOutputs(in: header),
                edits: edits?.edits(for: $0, in: header) ?? [])
        }
        let beltSources = isSpecific ? [] : BeltSource.all(in: header)
        var belts = try (parameters.wants(.respiration) ? beltSources : []).map {
            try BeltTrack($0, parameters: parameters)
        }
        let bodies = isSpecific ? [] : BodySource.all(in: header)
        var body = try BodyTracks(
            bodies.filter { parameters.wants($0.kind == .eda ? .eda : .motion) }, in: header, parameters: parameters)
        let eegs = isSpecific ? [] : BrainSource.all(in: header)
        var brains: [BrainTrack] = []
        var refused: [(what: String, why: String)] = []
        let outputs = forReport ? parameters.brainOutputs : parameters.brainOutputs.subtracting(.overview)
        for source in eegs where !outputs.isEmpty {
            do {
                brains.append(try BrainTrack(source, in: header, parameters: parameters, computing: outputs))
            } catch {
                refused.append(("EEG of \(source.name)", "\(error)"))
            }
        }
        var electrochemistry = isSpecific ? nil : ElectrochemicalTrack(header)
        var inventory = RecordingInventory(header)
        var clock = ReadingClock(header)
        let coupled = CoupledStreams.of(
            sources.map { ($0.stream, $0.acceleration.streams) }, eegs.map { ($0.stream, $0.besides) },
            body.electrodermal.map { ($0.result.source.stream, $0.acceleration.streams) })
        let ordered = TimeOrderedReader(reader, streams: coupled)
        while let event = try ordered.next() {
            inventory.take(event)
            for index in tracks.indices { tracks[index].take(event) }
            for index in belts.indices { belts[index].take(event) }
            body.take(event)
            for index in brains.indices { brains[index].take(event) }
            electrochemistry?.take(event)
            if let fraction = clock.fraction(after: event) { progress(fraction) }
        }
        for index in tracks.indices { tracks[index].finish() }
        for index in belts.indices { belts[index].finish() }
        body.finish()
        for index in brains.indices { brains[index].finish() }
        try edits?.demandMade(tracks.flatMap(\.result.edits))
        // What a reader finds out while reading is in its header by now.
        self.header = ordered.header
        self.inventory = inventory
        self.parameters = parameters
        results = tracks.map(\.result)
        self.belts = belts.map(\.result)
        electrodermal = body.electrodermal.map(\.result)
        motion = body.motion.map(\.result)
        self.electrochemistry = electrochemistry?.result()
        self.brains = brains.map(\.result)
        let judged =
            results.filter { $0.source.kind != .ibi }.map { ($0.source.name, $0.quality) }
            + electrodermal.map { ($0.source.name, $0.quality) } + motion.map { ($0.source.name, $0.quality) }
            + self.brains.map { ($0.source.name, $0.quality) }
        verdict = SessionVerdict(judged, parameters.quality)
        let used = Set(results.map(\.source.stream) + results.compactMap(\.source.acceleration?.stream))
            .union(beltSources.map(\.stream)).union(bodies.map(\.stream))
            .union(eegs.map(\.stream)).union(eegs.flatMap(\.besides))
            .union(
                parameters.wants(.sleep)
                    ? eegs.flatMap { [$0.muscle?.stream, $0.eyes?.stream].compactMap(\.self) } : []
            )
            .union(self.electrochemistry?.streams ?? [])
        let others: [(what: String, why: String)] = self.brains.map(\.source).filter { !$0.others.isEmpty }.map {
            ("channels \($0.others.joined(separator: ", ")) of \($0.name)", "by type, label or unit they are no EEG")
        }
        notComputed =
            AnalysisOutput.allCases.filter { !parameters.wants($0) }.map {
                ($0.rawValue, "the parameters leave it out")
            } + refused + self.brains.compactMap { brain in brain.doubt.map { ("EEG of \(brain.source.name)", $0) } }
            + others
            + Self.channelsLeftOut(electrodermal.map(\.source) + motion.map(\.source), of: self.header)
            .map { ("channels \($0.channels) of \($0.stream)", "channel \($0.used) alone was used") }
            + Self.leftOut(inventory, results, used: used, isSpecific: isSpecific, wantsHRV: parameters.wants(.hrv))
    }

    /// Whether nothing could be computed.
    public var isEmpty: Bool {
        results.isEmpty && belts.isEmpty && electrodermal.isEmpty && motion.isEmpty
            && brains.allSatisfy { $0.doubt != nil } && electrochemistry == nil
    }

    /// Seconds from the recording's start to the end of its last sample; nil where it has no times.
    public var duration: Seconds? { inventory.duration(by: header) }

    private static func leftOut(
        _ inventory: RecordingInventory, _ results: [CardiacResult], used: Set<Int>, isSpecific: Bool,
        wantsHRV: Bool
    ) -> [(what: String, why: String)] {
        var list: [(what: String, why: String)] = []
        for (index, stream) in inventory.streams.enumerated() where !used.contains(index) {
            let kind = stream.header.kind
            let why: String
            if isSpecific {
                why = "it was not asked for"
            } else if [.ecg, .bvp].contains(kind), stream.header.sampleRate == 0 {
                why = "its values have times of their own, and beats need even samples"
            } else if let kind = CardiacSource.Kind(rawValue: kind.rawValue),
                let needed = SourceRequest.unfitness(of: stream.header.sampleRate, for: kind)
            {
                why = "it has \(stream.header.sampleRate) Hz, and beats need \(needed)"
            } else if [.potential, .current, .impedance].contains(kind),
                ElectrochemicalPoint.isRepeated(stream.header)
            {
                why = "the first \(stream.header.channels.first?.label ?? "") of each package was taken"
            } else if kind == .respiration {
                let rates = BreathDetector.sampleRates
                why =
                    stream.header.sampleRate < rates.lowerBound
                    ? "\(stream.header.sampleRate) Hz is below the \(rates.lowerBound) Hz that breaths need"
                    : "\(stream.header.sampleRate) Hz is above the \(rates.upperBound) Hz that breaths are looked for at"
            } else if BodySource.units[kind] != nil,
                case .failure(let error) = BodySource.source(index, in: inventory.header)
            {
                why = error.problem
            } else if kind == .eeg, stream.header.sampleRate >= BrainSource.lowestSampleRate {
                why = "by type, label or unit none of its channels is EEG"
            } else if kind == .eeg {
                why = "\(stream.header.sampleRate) Hz is below the \(BrainSource.lowestSampleRate) Hz that EEG needs"
            } else {
                why = "nothing is computed from \(kind.rawValue) signals"
            }
            list.append((name(of: stream.header), why))
        }
        for result in results {
            let name = result.source.name
            let channels = inventory.streams[result.source.stream].header.channels
            if channels.count > result.source.channels.count {
                let others = channels.indices.filter { !result.source.channels.contains($0) }
                    .map { channels[$0].label }.joined(separator: ", ")
                list.append(
                    ("channels \(others) of \(name)", "beats were taken from channel \(result.source.channelNames)"))
            }
            if result.source.kind != .ibi, result.beats.isEmpty {
                list.append(("beats of \(name)", "no beat was found"))
            } else if result.windows.isEmpty, wantsHRV {
                list.append(("HRV of \(name)", "there are too few intervals"))
            }
        }
        return list
    }
}
