public import Brain
public import Cardiac
public import Electrodermal
public import Motion
public import Quality
public import Signals

/// Something computed while a recording goes on.
public enum LiveUpdate: Sendable {
    /// A beat was found.
    case beat(stream: Int, Beat)
    /// An interval between beats, before correction.
    case interval(stream: Int, IBI)
    /// The heart rate over the last intervals, per minute, at a moment of the recording.
    case heartRate(stream: Int, onset: Seconds, Double)
    /// A window of signal quality.
    case quality(stream: Int, QualityWindow)
    /// A window of heart rate variability.
    case hrv(stream: Int, HRVWindow)
    /// The rhythm changed.
    case rhythm(stream: Int, RhythmChange)
    /// A window of respiration.
    case respiration(stream: Int, RespirationWindow)
    /// The heart rate of a window, from pulse wave and acceleration.
    case pulseRate(stream: Int, PulseRateWindow)
    /// A skin conductance response.
    case skin(stream: Int, SkinConductanceResponse)
    /// An epoch of acceleration.
    case motion(stream: Int, MotionEpoch)
    /// A window of skin temperature.
    case temperature(stream: Int, TemperatureWindow)
    /// A battery's charge.
    case battery(stream: Int, BatteryEstimate)
    /// The features of an epoch of EEG.
    case eeg(stream: Int, ChannelValues)
    /// A blink or a saccade.
    case eyes(stream: Int, EyeEvent)
    /// A value of a prediction that was asked for.
    case prediction(stream: Int, PredictionValue)
    /// The predictions that were asked for cannot be told from the stream, and why.
    case predictionRefused(stream: Int, String)

    /// The stream it was computed from, by its place in the recording.
    public var stream: Int {
        switch self {
        case .beat(let stream, _), .interval(let stream, _), .heartRate(let stream, _, _), .quality(let stream, _),
            .hrv(let stream, _), .rhythm(let stream, _), .respiration(let stream, _), .pulseRate(let stream, _),
            .skin(let stream, _),
            .motion(let stream, _), .temperature(let stream, _), .battery(let stream, _), .eeg(let stream, _),
            .eyes(let stream, _), .prediction(let stream, _), .predictionRefused(let stream, _):
            stream
        }
    }
}

/// The same tracks as a recording's analysis, driven by what arrives: each step brings what became known by it. At the
/// end the results are those of the analysis of the recorded file, to the bit.
public struct LiveAnalysis {
    private let parameters: Parameters
    private let outputs: CardiacTrack.Outputs
    private let keepsResults: Bool
    private var tracks: [(track: CardiacTrack, told: Told)] = []
    private var belts: [(track: BeltTrack, told: Int)] = []
    private(set) var body: LiveBody
    private var predictions: LivePredictions
    private var brainTracks: [(track: BrainTrack, told: BrainTold)] = []
    private var header = RecordingHeader(format: "XDF")
    private var begun: Set<Int> = []

    /// The streams whose pulse was last told to wait.
    private var waiting: Set<Int> = []
    /// The streams that tracks of others listen to, and how they began.
    private var companions: Set<Int> = []
    private var early: [Int: EarlyPieces] = [:]
    /// The markers so far, where results are kept: responses of the skin to events are told of those before its first sample,
    /// too.
    private var markers: [RecordingEvent] = []

    /// How much of a track's results was handed out.
    private struct Told {
        var beats = 0
        var intervals = 0
        var quality = 0
        var windows = 0
        var changes = 0
        var respiration = 0
        var rates = 0
        /// True where the latest window of the pulse wave moves: then the heart rate is that of the window.
        var isMoving = false
    }

    private struct BrainTold {
        var epochs = 0
        var eyes = 0
        var quality = 0
    }

    /// An analysis of streams that are yet to be declared.
    /// - Parameters:
    ///   - predictions: what is told of the participant beside it.
    ///   - keepsResults: whether `results` and `brains` hold all that was told. If not, memory grows with the session by no
    ///     more than the gaps, and the intervals that devices measured, some megabytes a day: their quality is told at the
    ///     end.
    /// - Throws: `InvalidParameter`.
    public init(
        parameters: Parameters, computing outputs: CardiacTrack.Outputs = .all,
        predictions request: PredictionRequest = .none, keepsResults: Bool = true
    ) throws {
        (self.parameters, self.outputs, self.keepsResults) = (parameters, outputs, keepsResults)
        body = LiveBody(keepsResults: keepsResults)
        predictions = LivePredictions(
            request, parameters: parameters, hasPulseRates: outputs.contains(.heartRate) && parameters.wants(.heartRate)
        )
        // Parameters without meaning are found now, not when a stream appears.
        let probe = CardiacSource(
            kind: .ibi, stream: 0, name: "", channel: 0, label: Channel(label: "", unit: .seconds), sampleRate: 0)
        _ = try CardiacTrack(probe, parameters: parameters)
        try parameters.eda.validate()
        try parameters.motion.validate()
        try parameters.quality.check()
    }

    /// Whether heart beats or EEG are taken from a stream: only its quality decides whether a device's signal will do.
    public func decides(_ stream: Int) -> Bool {
        tracks.contains { $0.track.result.source.stream == stream }
            || brainTracks.contains { $0.track.result.source.stream == stream }
    }

    /// The streams of headbands that were found off the head since this was asked last. Windows of quality tell it, too,
    /// but these are longer than somebody waits who puts one on.
    public mutating func takeOffHead() -> [Int] {
        brainTracks.indices.compactMap { index in
            brainTracks[index].track.takeOffHead() ? brainTracks[index].track.result.source.stream : nil
        }
    }

    /// The pulses that began, since this was asked last, to wait for their acceleration longer than is usual, or ceased to.
    public mutating func takeWaits() -> [PulseWait] {
        tracks.indices.compactMap { index in
            let track = tracks[index].track
            let (source, isLong) = (track.result.source, track.wait?.isLong ?? false)
            guard let acceleration = source.acceleration?.name, isLong != waiting.contains(source.stream) else {
                return nil
            }
            if isLong { waiting.insert(source.stream) } else { waiting.remove(source.stream) }
            return PulseWait(
                stream: source.stream, name: source.name, acceleration: acceleration, isWaiting: isLong)
        }
    }

    /// The number of values of predictions that came too late to be reported in order of time. The recording's tables
    /// have them.
    public var latePredictions: Int { predictions.lateCount }

    /// The results so far, one per source of heart beats.
    public var results: [CardiacResult] { tracks.map(\.track.result) }
    /// The results so far, one per EEG stream.
    public var brains: [BrainResult] { brainTracks.map(\.track.result) }

    /// The results so far, one per respiration channel.
    var beltResults: [BeltResult] { belts.map(\.track.result) }

    /// Takes note of what the recording holds by now.
    public mutating func declare(_ header: RecordingHeader) {
        self.header = header
        let brains = BrainSource.all(in: header)
        companions = Set(header.streams.indices.filter { header.streams[$0].kind == .acceleration })
            .union(brains.flatMap(\.heard)).union(
                [MuscleSource(in: header)?.stream, EyeSource(in: header)?.stream].compactMap(\.self))
    }

    /// A stream's tracks are made when the first piece comes of it or of a stream that they listen to: by then its device
    /// has declared all its streams, so that those which belong together find each other as they will in the file. They are
    /// given what came of those before.
    private mutating func begin(_ stream: Int) {
        guard begun.insert(stream).inserted else { return }
        for source in SourceRequest.all(in: header)
        where source.stream == stream || source.beside.contains(stream) {
            // The parameters were found right at the beginning; nothing else can fail.
            guard !tracks.contains(where: { $0.track.result.source.stream == source.stream }),
                var track = try? CardiacTrack(source, parameters: parameters, computing: outputs)
            else { continue }
            for companion in source.beside { for event in early[companion]?.replay ?? [] { track.take(event) } }
            tracks.append((track, Told()))
        }
        for source in BeltSource.all(in: header) where source.stream == stream {
            if let track = try? BeltTrack(source, parameters: parameters) { belts.append((track, 0)) }
        }
        for source in BodySource.all(in: header) {
            let acceleration = source.kind == .eda ? AccelerationSource(in: header, beside: source.name)?.stream : nil
            guard source.stream == stream || acceleration == stream, !body.has(source.stream) else { continue }
            body.begin(
                source, in: header, parameters, after: markers + (acceleration.flatMap { early[$0]?.replay } ?? []))
        }
        for source in BrainSource.all(in: header) where source.stream == stream || source.besides.contains(stream) {
            // A stream whose sample rate the parameters do not suit is recorded without being analyzed.
            guard !brainTracks.contains(where: { $0.track.result.source.stream == source.stream }),
                var track = try? BrainTrack(source, in: header, parameters: parameters)
            else { continue }
            track.watchOffHead()
            for companion in source.heard { for event in early[companion]?.replay ?? [] { track.take(event) } }
            brainTracks.append((track, BrainTold()))
        }
    }

    /// Takes the next piece of the recording and appends what it brought.
    public mutating func take(_ event: RecordingEvent, into updates: inout [LiveUpdate]) {
        switch event {
        case .segment(let stream, _), .samples(let stream, _), .values(let stream, _):
            predictions.begin(stream, with: event, in: header) { early[$0]?.replay ?? [] }
            begin(stream)
        case .marker: break
        }
        for index in tracks.indices {
            tracks[index].track.take(event)
            tell(index, &updates)
        }
        for index in belts.indices {
            belts[index].track.take(event)
            tellBelt(index, &updates)
        }
        body.take(event, into: &updates)
        predictions.take(event, into: &updates)
        for index in brainTracks.indices {
            brainTracks[index].track.take(event)
            tellBrain(index, &updates)
        }
        switch event {
        case .segment(let stream, _), .samples(let stream, _):
            if companions.contains(stream) { early[stream, default: EarlyPieces(stream: stream)].take(event) }
        case .marker: if keepsResults { markers.append(event) }
        case .values: break
        }
    }

    /// Nothing more will come: appends what was held back.
    public mutating func finish(into updates: inout [LiveUpdate]) {
        for index in tracks.indices {
            tracks[index].track.finish()
            tell(index, &updates)
        }
        for index in belts.indices {
            belts[index].track.finish()
            tellBelt(index, &updates)
        }
        body.finish(into: &updates)
        predictions.finish(into: &updates)
        for index in brainTracks.indices {
            brainTracks[index].track.finish()
            tellBrain(index, &updates)
        }
    }

    private mutating func tell(_ index: Int, _ updates: inout [LiveUpdate]) {
        tellResults(index, &updates)
        guard !keepsResults else { return }
        tracks[index].track.forgetResults()
        tracks[index].told = Told(
            intervals: tracks[index].track.result.intervals.count, isMoving: tracks[index].told.isMoving)
    }

    private mutating func tellResults(_ index: Int, _ updates: inout [LiveUpdate]) {
        let result = tracks[index].track.result
        let stream = result.source.stream
        var told = tracks[index].told
        for window in result.pulseRates[told.rates...] {
            updates.append(.pulseRate(stream: stream, window))
            predictions.take(window, of: stream, into: &updates)
            told.isMoving = window.isMoving
            guard window.isMoving, let rate = window.rate else { continue }
            updates.append(.heartRate(stream: stream, onset: window.end, rate))
        }
        for beat in result.beats[told.beats...] { updates.append(.beat(stream: stream, beat)) }
        for interval in result.intervals[told.intervals...] {
            updates.append(.interval(stream: stream, interval))
            predictions.take(interval, of: stream, into: &updates)
        }
        if result.intervals.count > told.intervals, !told.isMoving, let rate = RecentHeart.rate(result.intervals),
            let last = result.intervals.last
        {
            updates.append(.heartRate(stream: stream, onset: last.onset, rate))
        }
        for window in result.quality[Swift.min(told.quality, result.quality.count)...] {
            updates.append(.quality(stream: stream, window))
        }
        for window in result.windows[told.windows...] { updates.append(.hrv(stream: stream, window)) }
        for change in result.rhythmChanges[told.changes...] { updates.append(.rhythm(stream: stream, change)) }
        for window in result.respiration[Swift.min(told.respiration, result.respiration.count)...] {
            updates.append(.respiration(stream: stream, window))
        }
        told = Told(
            beats: result.beats.count, intervals: result.intervals.count, quality: result.quality.count,
            windows: result.windows.count, changes: result.rhythmChanges.count, respiration: result.respiration.count,
            rates: result.pulseRates.count, isMoving: told.isMoving)
        tracks[index].told = told
    }

    private mutating func tellBelt(_ index: Int, _ updates: inout [LiveUpdate]) {
        let result = belts[index].track.result
        for window in result.windows[belts[index].told...] {
            updates.append(.respiration(stream: result.source.stream, window))
        }
        belts[index].told = result.windows.count
        guard !keepsResults else { return }
        belts[index].track.forgetResults()
        belts[index].told = 0
    }

    private mutating func tellBrain(_ index: Int, _ updates: inout [LiveUpdate]) {
        let result = brainTracks[index].track.result
        let (stream, told) = (result.source.stream, brainTracks[index].told)
        for window in result.quality[told.quality...] { updates.append(.quality(stream: stream, window)) }
        for event in result.eyes[told.eyes...] {
            updates.append(.eyes(stream: stream, event))
            predictions.take(event, of: stream, into: &updates)
        }
        for epoch in result.epochs[told.epochs...] { updates.append(.eeg(stream: stream, epoch)) }
        brainTracks[index].told = BrainTold(
            epochs: result.epochs.count, eyes: result.eyes.count, quality: result.quality.count)
        guard !keepsResults else { return }
        brainTracks[index].track.forgetResults()
        brainTracks[index].told = BrainTold(epochs: brainTracks[index].track.result.epochs.count)
    }
}
