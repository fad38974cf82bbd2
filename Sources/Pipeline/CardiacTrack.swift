public import Cardiac
import Formats
import Quality
public import Signals

/// The stages for one source of heart beats, wired together: samples → beats and quality → intervals → correction →
/// HRV, rhythm and respiration. Live or from a file, in whatever pieces the samples come, the results are the same to the bit.
public struct CardiacTrack {
    /// What was computed so far.
    public internal(set) var result: CardiacResult
    private let outputs: Outputs
    private let quality: QualityParameters
    private var front: (any CardiacFront)?
    private var editing: BeatEditStage?
    private(set) var wait: AccelerationWait?
    private var intervals = IBIStage()
    /// nil where nobody judges the signal, or a person looked at the beats.
    private var usable: UsableIntervals?
    private let scale: IntervalScale
    private var correction: CorrectionStage
    private var hrv: HRVStage
    private var rhythm: RhythmWatch?
    private var respiration: RespirationWatch?
    private var rates: PulseRateTrack?
    private var runStart: SegmentStart?
    private var runFrames = 0
    /// Holes of the run that were bridged.
    private var bridges = BridgedHoles()
    private var measured = IBISeries()
    private var beats: [Beat] = []
    private var windows: [QualityWindow] = []
    /// Windows that wait until no edit touches the beats within them.
    private var judged: [QualityWindow] = []
    private var edited: [Beat] = []
    private var found: [IBI] = []
    private var corrected: [CorrectionOutput] = []

    /// A track for `source`.
    /// - Parameters:
    ///   - edits: what a person changed in its beats; `result.edits` tells what became of each.
    ///   - patience: how many seconds the pulse waits for the acceleration that belongs to it. What comes later is not
    ///     heard.
    /// - Throws: `InvalidParameter` for the first parameter that has no meaning.
    public init(
        _ source: CardiacSource, parameters: Parameters, computing outputs: Outputs = .all, edits: [BeatEdit] = [],
        patience: Seconds = Self.longestWait
    ) throws {
        result = CardiacResult(source: source)
        scale = IntervalScale(source.label.unit)
        if !edits.isEmpty { editing = BeatEditStage(edits) }
        self.outputs = outputs
        quality = parameters.quality
        result.qualityParameters = quality
        front = source.front(parameters, assessingQuality: !outputs.isEmpty)
        if front != nil, !outputs.isEmpty, edits.isEmpty { usable = UsableIntervals(parameters.quality) }
        bridges.longest = source.kind == .bvp ? parameters.bvp.longestDropout : parameters.ecg.longestBridge
        wait = AccelerationWait(source, lead: front?.accelerationLead ?? 0, patience: patience)
        correction = try CorrectionStage(parameters.correction)
        hrv = try HRVStage(parameters.hrv)
        if outputs.contains(.rhythm) {
            rhythm = try RhythmWatch(parameters.rhythm, quality: parameters.quality, ofPulse: source.kind == .bvp)
        }
        if outputs.contains(.respiration) {
            respiration = try RespirationWatch(source, parameters.respiration)
            front?.keepsPulses = true
        }
        if outputs.contains(.heartRate) {
            rates = try PulseRateTrack(source, parameters.pulseRate, patience: patience)
        }
        result.takesIntervals = needsIntervals
        result.judgesIntervals = needsIntervals && usable != nil
    }

    /// Makes room for the beats of `duration` seconds at once, so that they need not move house as they become more.
    mutating func expect(_ duration: Seconds) {
        result.beats.reserveCapacity(Int(max(0, min(duration * 1.3, 500_000))))
    }

    /// Takes the next piece of the recording; pieces of streams that are of no use here are passed over.
    public mutating func take(_ event: RecordingEvent) {
        rates?.take(event, into: &result.pulseRates)
        if wait != nil {
            wait?.take(event, &front)
            passOnReleased()
            return
        }
        switch event {
        case .segment(let stream, let start) where stream == result.source.stream: begin(start)
        case .samples(let stream, let block) where stream == result.source.stream:
            push(block, channels: result.source.channels)
        case .values(let stream, let values) where stream == result.source.stream && result.source.kind == .ibi:
            for value in values { take(value) }
            passOnIntervals()
            hand()
        default: break
        }
    }

    private mutating func passOnReleased() {
        while let piece = wait?.release() {
            switch piece {
            case .segment(let start): begin(start)
            case .samples(let samples): push(SampleBlock(channelCount: 1, samples: Array(samples)), channels: [0])
            }
        }
    }

    private mutating func begin(_ start: SegmentStart) {
        if bridge(to: start) { return }
        bridges.removeAll()
        front?.begin(start, beats: &beats, windows: &windows)
        passOn()
        editing?.begin(start, into: &edited)
        passOnEdited(all: true)
        closeRun()
        if let gap = start.gap { result.gaps.append(gap) }
        runStart = start
        runFrames = 0
        usable?.begin(at: start.onset)
        rhythm?.begin(start)
        respiration?.begin(start)
        hand()
    }

    /// Takes a hole that is too short to hide a beat for missing samples, which is what another format makes of it.
    /// - Returns: whether the run goes on.
    private mutating func bridge(to start: SegmentStart) -> Bool {
        guard let run = runStart, runFrames > 0,
            let lost = bridges.lost(between: run.onset(ofOffset: runFrames), and: start, in: run)
        else { return false }
        if let gap = start.gap { result.gaps.append(gap) }
        let leads = wait == nil ? result.source.channels.count : 1
        let missing = SampleBlock(channelCount: leads, samples: Array(repeating: .nan, count: leads * lost))
        push(missing, channels: Array(0..<leads))
        bridges.note(start, countedAs: run.sample + runFrames)
        return true
    }

    /// The next samples; `channels` are the places of the source's leads in `block`.
    private mutating func push(_ block: SampleBlock, channels: [Int]) {
        runFrames += block.frameCount
        front?.push(block, channels: channels, beats: &beats, windows: &windows)
        passOn()
        respiration?.push(block.samples.span.extracting(block.range(ofChannel: channels[0])))
        hand()
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish() {
        rates?.finish(into: &result.pulseRates)
        wait?.finish(&front)
        passOnReleased()
        front?.finish(beats: &beats, windows: &windows)
        result.pulseDoubt = front?.pulseDoubt
        passOn()
        editing?.finish(into: &edited)
        passOnEdited(all: true)
        closeRun()
        settleEdits()
        finishIntervals()
        rhythm?.finish()
        respiration?.finish()
        hand()
        if outputs.contains(.sleep) { result.sleep = HeartSleepReading.epochs(of: result) }
    }

    private mutating func finishIntervals() {
        guard needsIntervals else { return }
        passOnIntervals(all: true)
        correction.finish(into: &corrected)
        passOnCorrected()
        if outputs.contains(.hrv) { hrv.finish(into: &result.windows) }
        guard result.source.kind == .ibi else { return }
        result.signalQuality = IntervalQuality.windows(of: result.intervals, result.nn, parameters: quality)
        if outputs.contains(.quality) { result.quality = result.signalQuality }
    }

    private mutating func closeRun() {
        guard let start = runStart, runFrames > 0 else { return }
        let end = start.onset(ofOffset: runFrames)
        result.runs.append(start.onset..<end)
        hrv.cover(start.onset..<end)
        rhythm?.endRun(at: end)
        usable?.endRun(at: end)
        passOnIntervals()
        runStart = nil
    }

    /// One interval that a device measured.
    private mutating func take(_ value: TimedValue) {
        let kind = value.label.map(BeatKind.init(annotation:)) ?? .beat
        let duration = scale.seconds(value.values.first ?? .nan)
        if let interval = measured.next(endingAt: value.onset, duration: duration, kind: kind) {
            found.append(interval)
        }
    }

    private var needsIntervals: Bool {
        !outputs.isDisjoint(with: [.hrv, .intervals, .respiration, .sleep]) || result.source.kind == .ibi
    }

    /// Hands on the beats and windows that the front found.
    private mutating func passOn() {
        let spoilt = front?.takeSpoilt() ?? []
        usable?.take(spoilt)
        usable?.take(front?.takeVerdicts() ?? [])
        guard !beats.isEmpty || !windows.isEmpty else { return }
        bridges.renumber(&beats)
        let batch = beats
        beats.removeAll(keepingCapacity: true)
        if outputs.contains(.quality) { result.quality += windows }
        result.signalQuality += windows
        if rhythm != nil { judged += windows }
        usable?.take(windows)
        respiration?.expect(batch, front?.takePulses() ?? [])
        if editing == nil {
            edited += batch
        } else {
            editing?.push(batch.span, into: &edited)
            if let last = windows.last { editing?.advance(to: last.onset + last.duration, into: &edited) }
        }
        windows.removeAll(keepingCapacity: true)
        passOnEdited(all: false)
    }

    /// Hands on beats that no edit touches any more, and the windows they lie in.
    private mutating func passOnEdited(all: Bool) {
        let batch = edited
        edited.removeAll(keepingCapacity: true)
        let settled = all ? .infinity : editing?.settledUntil ?? .infinity
        let ready = judged.prefix { $0.onset + $0.duration <= settled }
        rhythm?.take(batch, ready)
        judged.removeFirst(ready.count)
        result.beats += batch
        guard needsIntervals else { return }
        intervals.push(batch.span, into: &found)
        passOnIntervals()
    }

    /// Takes over what became of the edits. A beat can only be added where there are samples.
    private mutating func settleEdits() {
        result.edits = (editing?.results ?? []).map { made in
            var made = made
            let place = made.edit.target ?? made.edit.onset
            if made.failure == nil, made.edit.action != .delete, !result.runs.contains(where: { $0.contains(place) }) {
                made.failure = .outside
            }
            return made
        }
    }

    /// Takes over what rhythm and respiration have become.
    private mutating func hand() {
        rhythm?.hand(&result.rhythm, &result.rhythmChanges)
        respiration?.hand(to: &result.respiration)
    }

    private mutating func passOnIntervals(all: Bool = false) {
        guard needsIntervals else { return }
        var batch = found
        found.removeAll(keepingCapacity: true)
        result.intervals += batch
        if result.source.kind == .ibi { rhythm?.take(batch) }
        if usable != nil {
            var dropped: [UsableIntervals.Dropped] = []
            usable?.take(batch)
            batch.removeAll(keepingCapacity: true)
            usable?.release(all: all, into: &batch, dropped: &dropped)
            for interval in dropped { result.dropInterval(endingAt: interval.end, because: interval.reason) }
            if !dropped.isEmpty { hrv.leaveOut() }
        }
        guard !batch.isEmpty else { return }
        correction.push(batch.span, into: &corrected)
        passOnCorrected()
    }

    private mutating func passOnCorrected() {
        for output in corrected {
            switch output {
            case .interval(let interval):
                result.nn.append(interval)
                respiration?.take(interval)
                guard outputs.contains(.hrv) else { continue }
                let one = [interval]
                hrv.push(one.span, into: &result.windows)
            case .row(let row): result.corrections.append(row)
            }
        }
        corrected.removeAll(keepingCapacity: true)
    }
}

extension CardiacTrack {
    /// The same from intervals that are known already, such as those of a beats table.
    public static func result(
        of intervals: [IBI], beats: [Beat] = [], within extent: Range<Seconds>? = nil, source: CardiacSource,
        parameters: Parameters, computing outputs: CardiacTrack.Outputs = .hrv
    ) throws -> CardiacResult {
        var track = try CardiacTrack(source, parameters: parameters, computing: outputs)
        track.result.beats = beats
        track.found = intervals
        track.passOnIntervals()
        if let extent { track.hrv.cover(extent) }
        // Beats of which none has an interval: quality dropped them all.
        if intervals.isEmpty, beats.count > 1 { track.hrv.leaveOut() }
        track.finish()
        return track.result
    }
}
