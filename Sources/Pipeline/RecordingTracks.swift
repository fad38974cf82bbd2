import Brain
import Signals

/// The tracks of all that is computed from one recording.
struct RecordingTracks {
    private(set) var cardiac: [CardiacTrack]
    private(set) var belts: [BeltTrack]
    private(set) var body: BodyTracks
    private(set) var brains: [BrainTrack] = []
    private(set) var electrochemistry: [ElectrochemicalTrack]
    /// The EEG that cannot be computed, and why.
    private(set) var refused: [LeftOut] = []
    /// Which streams are looked at side by side.
    let coupled: Set<Int>
    /// The streams that something is computed from, or would be if the parameters did not leave it out.
    let streams: Set<Int>

    /// Tracks for what a request asks of a recording; without a wish, for everything.
    /// - Throws: `PipelineError` when the request does not fit the recording, or what a parameter without meaning makes
    ///   its stage throw.
    init(
        _ header: RecordingHeader, _ request: SourceRequest, parameters: Parameters, edits: BeatEdits?, file: String,
        forReport: Bool
    ) throws {
        let isSpecific = request != SourceRequest()
        let sources = isSpecific ? [try request.source(in: header, file: file)] : SourceRequest.all(in: header)
        cardiac = try sources.map {
            try CardiacTrack(
                $0, parameters: parameters, computing: parameters.cardiacOutputs(in: header),
                edits: edits?.edits(for: $0, in: header) ?? [])
        }
        let beltSources = isSpecific ? [] : BeltSource.all(in: header)
        belts = try (parameters.wants(.respiration) ? beltSources : []).map {
            try BeltTrack($0, parameters: parameters)
        }
        let bodies = isSpecific ? [] : BodySource.all(in: header)
        body = try BodyTracks(
            bodies.filter { parameters.wants($0.kind == .eda ? .eda : .motion) }, in: header, parameters: parameters)
        let eegs = isSpecific ? [] : BrainSource.all(in: header)
        let outputs = forReport ? parameters.brainOutputs : parameters.brainOutputs.subtracting(.overview)
        for source in eegs where !outputs.isEmpty {
            do {
                brains.append(try BrainTrack(source, in: header, parameters: parameters, computing: outputs))
            } catch {
                refused.append(LeftOut("EEG of \(source.name)", "\(error)"))
            }
        }
        electrochemistry = isSpecific ? [] : ElectrochemicalTrack.all(in: header)
        coupled = CoupledStreams.of(
            sources.map { ($0.stream, $0.beside) }, eegs.map { ($0.stream, $0.besides) },
            body.electrodermal.map { ($0.result.source.stream, $0.acceleration.streams) })
        let beside = parameters.wants(.sleep) ? eegs.flatMap { [$0.muscle?.stream, $0.eyes?.stream] } : []
        streams = Set(
            cardiac.map(\.result.source).flatMap { [$0.stream] + $0.beside } + beltSources.map(\.stream)
                + bodies.map(\.stream) + eegs.flatMap { [$0.stream] + $0.besides } + beside.compactMap(\.self))
    }

    mutating func take(_ event: RecordingEvent) {
        for index in cardiac.indices { cardiac[index].take(event) }
        for index in belts.indices { belts[index].take(event) }
        body.take(event)
        for index in brains.indices { brains[index].take(event) }
        for index in electrochemistry.indices { electrochemistry[index].take(event) }
    }

    mutating func finish() {
        for index in cardiac.indices { cardiac[index].finish() }
        for index in belts.indices { belts[index].finish() }
        body.finish()
        for index in brains.indices { brains[index].finish() }
    }
}
