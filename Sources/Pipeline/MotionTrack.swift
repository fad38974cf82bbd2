public import Brain
public import Motion
public import Quality
public import Signals

/// All that was computed from one stream of acceleration, temperature or battery charge.
public struct MotionResult: Sendable {
    /// Where it comes from.
    public let source: BodySource
    /// Epochs of acceleration, in order of time.
    public internal(set) var epochs: [MotionEpoch] = []
    /// Windows of skin temperature, in order of time.
    public internal(set) var temperature: [TemperatureWindow] = []
    /// A battery's charge and where it goes, in order of time.
    public internal(set) var battery: [BatteryEstimate] = []
    /// Sleep and wake by sustained inactivity, in order of time; none but for acceleration.
    public internal(set) var sleep: [SleepEpoch] = []
    /// The source of the sleep epochs: acceleration where enough of the recording is in the night or scoring was requested,
    /// else inactivity.
    public var sleepSource: SleepEpoch.Source {
        scoring == .always || nightTime >= minimumNight ? .acceleration : .inactivity
    }
    /// The reason why sleep is not scored; nil where it is, or there is nothing to score.
    public var sleepUnscored: String? {
        guard sleepSource == .inactivity, !sleep.isEmpty else { return nil }
        let needed = "sleep is scored from \(Self.hours(minimumNight)) h between 21:00 and 09:00 local time on"
        let worn = Double(sleep.count { $0.asleep != nil }) * SleepEpoch.length
        if worn < minimumNight { return "it was worn for \(Self.hours(worn)) h, and \(needed)" }
        return localStart == nil
            ? "the local time of the recording is not known, and \(needed); set motion.utcOffset"
            : "\(Self.hours(nightTime)) h are in the night, and \(needed)"
    }
    private var scoring = MotionParameters.SleepScoring.nights
    private var minimumNight: Seconds = 0
    private var localStart: Timestamp?
    private var nightTime: Seconds { NightTime.duration(of: sleep, localStart: localStart) }
    /// Windows of signal quality, in order of time; none for batteries.
    public internal(set) var quality: [QualityWindow] = []
    /// What lies between the contiguous runs.
    public internal(set) var gaps: [Gap] = []

    init(_ source: BodySource, _ parameters: MotionParameters = MotionParameters(), in header: RecordingHeader? = nil) {
        self.source = source
        scoring = parameters.sleepScoring
        minimumNight = 3_600 * parameters.minimumNight
        localStart = header?.localStart(utcOffset: parameters.utcOffset.map { 3_600 * $0 })
    }

    private static func hours(_ seconds: Seconds) -> String {
        let tenths = (seconds / 360).rounded(.down) / 10
        return tenths == tenths.rounded() ? String(Int(tenths)) : String(tenths)
    }

    /// The table of what the stream is about.
    public var table: Table {
        switch source.kind {
        case .temperature: TemperatureWindow.table(temperature)
        case .battery: BatteryEstimate.table(battery)
        default: MotionEpoch.table(epochs)
        }
    }
}

/// The stages for one stream of acceleration, temperature or battery charge. Live or from a file, in whatever pieces the
/// samples come, the results are the same to the bit.
public struct MotionTrack {
    private struct Acceleration {
        var stage: MotionStage
        var assessor: AccelerationAssessor
        var sleep: InactivitySleep
    }

    private struct Temperature {
        var stage: TemperatureStage
        var assessor: BodySignalAssessor
    }

    /// What was computed so far.
    public internal(set) var result: MotionResult
    // One of these is there. Not the cases of one value: to take those out and put them back copies what they hold.
    private var acceleration: Acceleration?
    private var temperature: Temperature?
    private var battery: BatteryStage?
    private var run: (start: SegmentStart, taken: Int)?
    private var continued = ContinuedRun()
    /// Rows wait until the quality of their time is known, but not for flat lines to be told: these take a minute.
    private var drops: QualityDrops
    private var epochs: [MotionEpoch] = []
    private var heldEpochs = UnjudgedRows<MotionEpoch>()
    private var windows: [TemperatureWindow] = []
    private var heldWindows = UnjudgedRows<TemperatureWindow>()

    /// A track for `source`.
    /// - Parameter header: the recording, whose time of day decides whether sleep is scored; nil: it is not known.
    /// - Throws: `MotionError` when a parameter has no meaning.
    public init(
        _ source: BodySource, in header: RecordingHeader? = nil, parameters: Parameters
    ) throws(MotionError) {
        try parameters.motion.validate()
        result = MotionResult(source, parameters.motion, in: header)
        drops = QualityDrops(parameters.quality)
        switch source.kind {
        case .temperature:
            temperature = Temperature(
                stage: try TemperatureStage(parameters: parameters.motion),
                assessor: BodySignalAssessor(.temperature, parameters: parameters.quality))
        case .battery: battery = BatteryStage()
        default:
            acceleration = Acceleration(
                stage: try MotionStage(parameters: parameters.motion),
                assessor: AccelerationAssessor(parameters: parameters.quality),
                sleep: InactivitySleep(
                    channels: Array(repeating: Channel(label: "", unit: .g), count: 3), sampleRate: source.sampleRate))
        }
        acceleration?.assessor.keepsPrompt = true
        temperature?.assessor.keepsPrompt = true
    }

    /// Takes the next piece of the recording; pieces of other streams are passed over.
    public mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start) where stream == result.source.stream: begin(start)
        case .samples(let stream, let block) where stream == result.source.stream: push(block)
        case .values(let stream, let values) where stream == result.source.stream: push(values)
        default: return
        }
        tellJudged()
    }

    private mutating func tellJudged(isEnd: Bool = false) {
        for window in acceleration?.assessor.takePrompt() ?? [] { drops.take(window, isGood: window.suitsMotion) }
        for window in temperature?.assessor.takePrompt() ?? [] { drops.take(window, isGood: window.suitsTemperature) }
        for epoch in epochs { heldEpochs.hold(epoch) }
        epochs.removeAll(keepingCapacity: true)
        for window in windows { heldWindows.hold(window) }
        windows.removeAll(keepingCapacity: true)
        result.epochs += heldEpochs.marked(by: drops, isEnd: isEnd)
        result.temperature += heldWindows.marked(by: drops, isEnd: isEnd)
        drops.forget()
    }

    private mutating func begin(_ start: SegmentStart) {
        if let gap = start.gap { result.gaps.append(gap) }
        run = (start, 0)
        // What is lost within a second is missing samples, as which other formats have it.
        if battery == nil, let lost = continued.begin(start) {
            if temperature != nil { return push(Array(repeating: Float.nan, count: lost)) }
            return push(Array(repeating: SIMD3<Float>(repeating: .nan), count: lost))
        }
        acceleration?.stage.begin(start, into: &epochs)
        acceleration?.assessor.begin(start, into: &result.quality)
        acceleration?.sleep.begin(start, into: &result.sleep)
        temperature?.stage.begin(start, into: &windows)
        temperature?.assessor.begin(start, into: &result.quality)
    }

    private mutating func push(_ block: SampleBlock) {
        switch result.source.kind {
        case .temperature:
            push(result.source.samples(of: block, channel: result.source.channel))
        case .battery:
            guard let run else { return }
            let samples = block.samples[block.range(ofChannel: result.source.channel)]
            push(
                samples.enumerated().map {
                    TimedValue(onset: run.start.onset(ofOffset: run.taken + $0), values: [Double($1)])
                })
            self.run = (run.start, run.taken + block.frameCount)
        default:
            push(result.source.axes(of: block))
        }
    }

    private mutating func push(_ degrees: [Float]) {
        continued.take(degrees.count)
        temperature?.stage.push(degrees.span, into: &windows)
        temperature?.assessor.push(degrees.span, into: &result.quality)
    }

    private mutating func push(_ axes: [SIMD3<Float>]) {
        continued.take(axes.count)
        acceleration?.stage.push(axes.span, into: &epochs)
        acceleration?.assessor.push(axes.span, into: &result.quality)
        let rows = (0..<3).flatMap { axis in axes.map { $0[axis] } }
        acceleration?.sleep.push(SampleBlock(channelCount: 3, samples: rows), into: &result.sleep)
    }

    private mutating func push(_ values: [TimedValue]) {
        guard battery != nil else { return }
        let scaled = values.map { value in
            TimedValue(onset: value.onset, values: value.values.map { $0 * result.source.factor })
        }
        battery?.push(scaled.span, into: &result.battery)
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish() {
        acceleration?.stage.finish(into: &epochs)
        acceleration?.assessor.finish(into: &result.quality)
        acceleration?.sleep.finish(into: &result.sleep)
        temperature?.stage.finish(into: &windows)
        temperature?.assessor.finish(into: &result.quality)
        battery?.finish(into: &result.battery)
        tellJudged(isEnd: true)
    }
}
