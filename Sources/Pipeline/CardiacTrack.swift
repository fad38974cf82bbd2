public import Cardiac
import Quality
public import Signals

/// The stages for one source of heart beats, wired together: samples → beats and quality → intervals → correction →
/// HRV. Live or from a file, in whatever pieces the samples come, the results are the same to the bit.
public struct CardiacTrack {
    /// What is computed.
    public struct Outputs: OptionSet, Sendable {
        /// One bit per output.
        public let rawValue: Int
        /// The outputs of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Windows of signal quality.
        public static let quality = Outputs(rawValue: 1)
        /// Intervals, their correction and HRV.
        public static let hrv = Outputs(rawValue: 2)
        /// Everything.
        public static let all: Outputs = [.quality, .hrv]
    }

    /// What was computed so far.
    public private(set) var result: CardiacResult
    private let outputs: Outputs
    private let quality: QualityParameters
    private var front: (any CardiacFront)?
    private var intervals = IBIStage()
    private var correction: CorrectionStage
    private var hrv: HRVStage
    private var runStart: SegmentStart?
    private var runFrames = 0
    private var measured = IBISeries()
    private var beats: [Beat] = []
    private var found: [IBI] = []
    private var corrected: [CorrectionOutput] = []

    /// A track for `source`.
    /// - Throws: `InvalidParameter` for the first parameter that has no meaning.
    public init(_ source: CardiacSource, parameters: Parameters, computing outputs: Outputs = .all) throws {
        result = CardiacResult(source: source)
        self.outputs = outputs
        quality = parameters.quality
        front = source.front(parameters, assessingQuality: outputs.contains(.quality))
        correction = try CorrectionStage(parameters.correction)
        hrv = try HRVStage(parameters.hrv)
    }

    /// Takes the next piece of the recording; pieces of other streams are passed over.
    public mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start) where stream == result.source.stream:
            closeRun()
            if let gap = start.gap { result.gaps.append(gap) }
            runStart = start
            runFrames = 0
            front?.begin(start, beats: &beats, windows: &result.quality)
            passOn()
        case .samples(let stream, let block) where stream == result.source.stream:
            runFrames += block.frameCount
            let samples = block.samples.span.extracting(block.range(ofChannel: result.source.channel))
            front?.push(samples, beats: &beats, windows: &result.quality)
            passOn()
        case .values(let stream, let values) where stream == result.source.stream && result.source.kind == .ibi:
            for value in values { take(value) }
            passOnIntervals()
        default: break
        }
    }

    /// Nothing more will come: brings what was held back.
    public mutating func finish() {
        closeRun()
        front?.finish(beats: &beats, windows: &result.quality)
        passOn()
        guard outputs.contains(.hrv) || result.source.kind == .ibi else { return }
        correction.finish(into: &corrected)
        passOnCorrected()
        if outputs.contains(.hrv) { hrv.finish(into: &result.windows) }
        if result.source.kind == .ibi, outputs.contains(.quality) {
            result.quality = IntervalQuality.windows(of: result.intervals, result.nn, parameters: quality)
        }
    }

    private mutating func closeRun() {
        guard let start = runStart, runFrames > 0 else { return }
        result.runs.append(start.onset..<start.onset(ofOffset: runFrames))
        runStart = nil
    }

    /// One interval that a device measured.
    private mutating func take(_ value: TimedValue) {
        if let interval = measured.next(endingAt: value.onset, duration: value.values.first ?? .nan) {
            found.append(interval)
        }
    }

    private mutating func passOn() {
        guard !beats.isEmpty else { return }
        let batch = beats
        beats.removeAll(keepingCapacity: true)
        result.beats += batch
        guard outputs.contains(.hrv) else { return }
        intervals.push(batch.span, into: &found)
        passOnIntervals()
    }

    private mutating func passOnIntervals() {
        guard outputs.contains(.hrv) || result.source.kind == .ibi, !found.isEmpty else { return }
        let batch = found
        found.removeAll(keepingCapacity: true)
        result.intervals += batch
        correction.push(batch.span, into: &corrected)
        passOnCorrected()
    }

    private mutating func passOnCorrected() {
        for output in corrected {
            switch output {
            case .interval(let interval):
                result.nn.append(interval)
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
        of intervals: [IBI], beats: [Beat] = [], source: CardiacSource, parameters: Parameters
    ) throws -> CardiacResult {
        var track = try CardiacTrack(source, parameters: parameters, computing: .hrv)
        track.result.beats = beats
        track.found = intervals
        track.passOnIntervals()
        track.finish()
        return track.result
    }
}
