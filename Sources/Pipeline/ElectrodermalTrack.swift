import Brain
public import Electrodermal
import Formats
public import Quality
public import Signals

/// All that was computed from one stream of skin conductance.
public struct ElectrodermalResult: Sendable {
    /// Where it comes from.
    public let source: BodySource
    /// Samples at the working rate, in order of time.
    public internal(set) var samples: [ElectrodermalSample] = []
    /// Skin conductance responses, in order of time.
    public internal(set) var responses: [SkinConductanceResponse] = []
    /// Windows of signal quality, in order of time.
    public internal(set) var quality: [QualityWindow] = []
    /// Level and responses by window, known at the end.
    public internal(set) var windows: [ElectrodermalWindow] = []
    /// What followed each event of the recording, known at the end.
    public internal(set) var events: [EventResponse] = []
    /// What lies between the contiguous runs.
    public internal(set) var gaps: [Gap] = []
    /// What a user should know of the choice of its channel.
    public internal(set) var notes: [String] = []

    /// The working rate in Hz.
    public var sampleRate: Double { source.sampleRate / Double(max(1, Int(source.sampleRate / 4))) }
}

/// The stages for one stream of skin conductance. Live or from a file, in whatever pieces the samples come, the results
/// are the same to the bit.
public struct ElectrodermalTrack {
    /// What was computed so far.
    public internal(set) var result: ElectrodermalResult
    private let parameters: ElectrodermalParameters
    private var run = ContinuedRun()
    private var stage: ElectrodermalStage?
    private var assessor: BodySignalAssessor
    private let tellsQuality: Bool
    private var judged: [QualityWindow] = []
    /// What quality finds unusable is an artefact: samples and responses wait until it has judged their time.
    private var drops: QualityDrops
    private var heldSamples = UnjudgedRows<ElectrodermalSample>()
    private var heldResponses = UnjudgedRows<SkinConductanceResponse>()
    var markers: [Marker] = []
    /// What tells motion from skin; nil where nothing does.
    let acceleration: AccelerationSource?
    private var motion: HeadMotion?
    private var moved: [HeadMotion.Second] = []
    private var coupling: MotionCoupling
    private var found: [ElectrodermalOutput] = []
    private var certain: [ElectrodermalOutput] = []

    /// A track for `source` of the recording that `header` describes: an accelerometer of the same device tells which
    /// steps are motion's.
    /// - Parameters:
    ///   - outputs: nil for the quality alone.
    ///   - tellingQuality: whether the windows of quality are told, too; what they find unusable is marked either way.
    /// - Throws: `ElectrodermalError` when a parameter has no meaning.
    public init(
        _ source: BodySource, in header: RecordingHeader, parameters: Parameters,
        computing outputs: ElectrodermalStage.Outputs? = .all,
        tellingQuality: Bool = true
    ) throws(ElectrodermalError) {
        result = ElectrodermalResult(source: source)
        self.parameters = parameters.eda
        acceleration = outputs == nil ? nil : AccelerationSource(in: header, beside: source.name)
        motion = acceleration.map {
            HeadMotion(channels: header.streams[$0.stream].channels, sampleRate: header.streams[$0.stream].sampleRate)
        }
        coupling = MotionCoupling(parameters.eda.artefacts, hasMotion: motion != nil)
        tellsQuality = tellingQuality
        assessor = BodySignalAssessor(.eda, parameters: parameters.quality)
        drops = QualityDrops(parameters.quality)
        if let outputs {
            stage = try ElectrodermalStage(
                sampleRate: source.sampleRate, parameters: parameters.eda, computing: outputs)
        }
    }

    /// Takes the next piece of the recording; pieces of other streams are passed over.
    public mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start) where stream == result.source.stream:
            begin(start)
        case .samples(let stream, let block) where stream == result.source.stream:
            push(result.source.samples(of: block, channel: result.source.channel))
        case .segment(let stream, let start) where stream == acceleration?.stream: motion?.begin(start, into: &moved)
        case .samples(let stream, let block) where stream == acceleration?.stream: motion?.push(block, into: &moved)
        case .marker(let marker): markers.append(marker)
        default: return
        }
        sort()
    }

    /// What is lost within a second is missing samples, as which other formats have it.
    private mutating func begin(_ start: SegmentStart) {
        if let gap = start.gap { result.gaps.append(gap) }
        if let lost = run.begin(start) { return push(Array(repeating: .nan, count: lost)) }
        stage?.begin(start, into: &found)
        coupling.begin(start)
        assessor.begin(start, into: &judged)
    }

    private mutating func push(_ samples: [Float]) {
        run.take(samples.count)
        stage?.push(samples.span, into: &found)
        coupling.push(samples.span)
        assessor.push(samples.span, into: &judged)
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish() {
        stage?.finish(into: &found)
        assessor.finish(into: &judged)
        motion?.finish(into: &moved)
        sort(isEnd: true)
        guard !result.samples.isEmpty else { return }
        result.windows = ElectrodermalWindow.windows(
            result.samples, result.responses, length: parameters.window, rate: result.sampleRate)
        result.events = EventResponse.responses(
            to: markers.sorted { $0.onset < $1.onset }, result.samples, result.responses,
            latency: parameters.responseLatency, rate: result.sampleRate)
    }

    private mutating func sort(isEnd: Bool = false) {
        for second in moved { coupling.take(second: second.onset, movement: second.movement) }
        moved.removeAll(keepingCapacity: true)
        for output in found { coupling.hold(output) }
        found.removeAll(keepingCapacity: true)
        coupling.release(isEnd: isEnd, into: &certain)
        for output in certain {
            switch output {
            case .sample(let sample): heldSamples.hold(sample)
            case .response(let response): heldResponses.hold(response)
            }
        }
        certain.removeAll(keepingCapacity: true)
        tellJudged(isEnd: isEnd)
    }

    private mutating func tellJudged(isEnd: Bool) {
        drops.take(judged)
        if tellsQuality { result.quality += judged }
        judged.removeAll(keepingCapacity: true)
        for var sample in heldSamples.judged(by: drops, isEnd: isEnd, until: \.onset) {
            if drops.drops(sample.onset) { sample.markArtefact() }
            result.samples.append(sample)
        }
        for var response in heldResponses.judged(by: drops, isEnd: isEnd, until: \.peak) {
            if drops.drops(anyOf: response.onset...max(response.onset, response.peak)) { response.isDoubtful = true }
            result.responses.append(response)
        }
        drops.forget()
    }
}

/// The table of skin conductance and its components, a row per sample at the working rate.
public struct ElectrodermalRows: TableContent {
    private let samples: [ElectrodermalSample]
    private let parameters: ElectrodermalParameters

    /// The table of these samples, which were taken apart as `parameters` say.
    public init(_ samples: [ElectrodermalSample], parameters: ElectrodermalParameters) {
        (self.samples, self.parameters) = (samples, parameters)
    }

    /// How the components were told apart, and who says so.
    private var separation: (words: String, reference: String?) {
        switch parameters.separation {
        case .convex:
            ("by convex decomposition", "Greco et al., cvxEDA, IEEE Trans Biomed Eng 63(4):797–804, 2016")
        case .highPass: ("by a symmetric low-pass filter at 0.05 Hz", nil)
        case .median: ("by a running median of \(parameters.medianWindow) s", nil)
        }
    }

    /// The declarations of the columns.
    public var columns: [Column] {
        let (words, reference) = separation
        return [
            Column("onset", unit: .seconds, "Time of the sample from the recording's start"),
            Column("raw", unit: .microsiemens, "Skin conductance as recorded, averaged to the working rate"),
            Column("conductance", unit: .microsiemens, "The same, smoothed over a quarter of a second"),
            Column(
                "tonic", unit: .microsiemens, "The slow component, \(words); n/a in artefacts", reference: reference),
            Column(
                "phasic", unit: .microsiemens,
                "The fast component, which is the responses, \(words); n/a in artefacts", reference: reference),
            Column(
                "artefact", unit: .dimensionless,
                "1 where it cannot be skin conductance, where it stepped as the sensor moved, next to these, and where "
                    + "signal quality is below 0.5",
                reference: "Kleckner et al., IEEE Trans Biomed Eng 65(7):1460–1467, 2018"),
        ]
    }

    /// One row per sample.
    public var rowCount: Int { samples.count }

    /// Tells some of the rows.
    @specialized(where Sink == TSVText)
    public func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        for sample in samples[rows] {
            sink.onset(sample.onset)
            let numbers: InlineArray = [
                Double(sample.raw), Double(sample.conductance), Double(sample.tonic), Double(sample.phasic),
            ]
            sink.numbers(numbers.span)
            sink.integer(sample.isArtefact ? 1 : 0)
            sink.endRow()
        }
    }
}
