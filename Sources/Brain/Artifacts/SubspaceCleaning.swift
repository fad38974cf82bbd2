public import Signals

/// Artefact subspace reconstruction that calibrates itself: on the clean seconds among the first of the recording, which
/// are held back until then. Frame i of a run's output is frame i of its input.
///
/// A second is clean when no raw channel in use is flat, cut off, noisy or popping in it, and none is much larger than
/// usual (`SubspaceBaseline`). Where a run ends, or two minutes pass, with less than 20 s of clean EEG, what was held is
/// given as it is, and the search goes on. Missing samples stay missing.
public struct SubspaceCleaning: BlockStage, Sendable {
    /// Clean seconds a calibration is made on as soon as there are so many.
    public static let wanted = 60
    /// The longest time samples are held back for.
    public static let patience: Seconds = 120

    /// What was reconstructed so far.
    public struct Report: Hashable, Codable, Sendable {
        /// Clean seconds it was calibrated on; 0 where there were not enough.
        public var calibrationSeconds = 0
        /// The channels it was calibrated for, by index: those that were usable in most of the seconds.
        public var channels: [Int] = []
        /// Share of the recording's steps, of an eighth of a second each, in which something was rebuilt, 0…1.
        public var rebuilt = 0.0
        /// Seconds that were given as they are because there was no calibration yet.
        public var untouched: Seconds = 0
    }

    private let channels: Int
    private let sampleRate: Double
    private let parameters: SubspaceParameters
    private var baseline: SubspaceBaseline
    private var repair: SubspaceReconstruction?
    private var used: [Int] = []
    private var segment: SegmentStart?
    /// Frames of the run that are held until there is a calibration, an array per channel, and the number of the first.
    private var held: [[Float]]
    private var first = 0
    /// The next whole second of the run to be looked at.
    private var second = 0.0
    /// Frames that the reconstruction has and that were as they were before it.
    private var inside: [SampleBlock] = []
    private var untouched = 0

    /// A stage for `channels` channels at `sampleRate` Hz.
    /// - Throws: `BrainError.parameter` when a parameter has no meaning.
    public init(
        channels: Int, sampleRate: Double, parameters: SubspaceParameters = SubspaceParameters()
    ) throws(BrainError) {
        try parameters.check()
        self.channels = channels
        self.sampleRate = sampleRate
        self.parameters = parameters
        baseline = SubspaceBaseline(channels: channels)
        held = Array(repeating: [], count: channels)
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { Self.patience + 3 }

    /// What was reconstructed so far.
    public var report: Report {
        Report(
            calibrationSeconds: repair == nil ? 0 : baseline.seconds, channels: used,
            rebuilt: repair?.rebuiltShare ?? 0, untouched: Double(untouched) / sampleRate)
    }

    /// What the raw EEG shows of a second, the one before it having been told; it comes before its cleaned frames.
    public mutating func take(_ second: EEGSecond) {
        if repair == nil { baseline.take(second) }
    }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
        self.segment = segment
        first = 0
        second = segment.onset.rounded(.up)
        var none: [SampleBlock] = []
        repair?.begin(segment, into: &none)
    }

    /// The next cleaned frames of the run, in µV; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [SampleBlock]) {
        guard block.channelCount == channels, block.frameCount > 0 else { return }
        if repair != nil {
            mend(block, into: &outputs)
            return
        }
        for channel in held.indices { held[channel] += block.samples[block.range(ofChannel: channel)] }
        gather(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
        segment = nil
    }

    private mutating func endRun(into outputs: inout [SampleBlock]) {
        if repair == nil, !calibrate(least: Int(SubspaceCalibration.leastSeconds), into: &outputs) {
            giveHeld(held[0].count, into: &outputs)
        }
        var blocks: [SampleBlock] = []
        repair?.finish(into: &blocks)
        give(blocks, into: &outputs)
    }

    /// Looks at each whole second that is held by now.
    private mutating func gather(into outputs: inout [SampleBlock]) {
        guard let segment else { return }
        while repair == nil {
            let from = Int(((second - segment.onset) * segment.sampleRate).rounded(.up)) - first
            let end = Int(((second + 1 - segment.onset) * segment.sampleRate).rounded(.up)) - first
            guard end <= held[0].count else { return }
            if from >= 0, from < end { baseline.add(held.map { Array($0[from..<end]) }, second: second) }
            second += 1
            if baseline.seconds >= Self.wanted, calibrate(least: Self.wanted, into: &outputs) { return }
            guard Double(end) >= Self.patience * sampleRate else { continue }
            if !calibrate(least: Int(SubspaceCalibration.leastSeconds), into: &outputs) {
                giveHeld(end, into: &outputs)
            }
        }
    }

    /// Calibrates on what there is, and mends what was held; false where there is too little.
    private mutating func calibrate(least: Int, into outputs: inout [SampleBlock]) -> Bool {
        guard let segment, baseline.seconds >= least,
            let (channels, clean) = baseline.clean(least: SubspaceCalibration.leastSeconds, sampleRate: sampleRate),
            let calibration = try? SubspaceCalibration(clean, sampleRate: sampleRate, parameters: parameters)
        else { return false }
        used = channels
        var repair = SubspaceReconstruction(calibration)
        var none: [SampleBlock] = []
        repair.begin(segment, into: &none)
        self.repair = repair
        let block = SampleBlock(channelCount: held.count, samples: held.flatMap { $0 })
        for channel in held.indices { held[channel] = [] }
        baseline.forget()
        if block.frameCount > 0 { mend(block, into: &outputs) }
        return true
    }

    private mutating func giveHeld(_ count: Int, into outputs: inout [SampleBlock]) {
        guard count > 0 else { return }
        outputs.append(SampleBlock(channelCount: channels, samples: held.flatMap { $0.prefix(count) }))
        for channel in held.indices { held[channel].removeFirst(count) }
        first += count
        untouched += count
    }

    /// Sends the channels that are in use through the reconstruction, missing samples as zeros.
    private mutating func mend(_ block: SampleBlock, into outputs: inout [SampleBlock]) {
        inside.append(block)
        let samples = used.flatMap { channel in
            block.samples[block.range(ofChannel: channel)].map { $0.isFinite ? $0 : 0 }
        }
        var blocks: [SampleBlock] = []
        repair?.push(SampleBlock(channelCount: used.count, samples: samples), into: &blocks)
        give(blocks, into: &outputs)
    }

    /// Puts what was rebuilt where it belongs; all else stays as it was.
    private mutating func give(_ blocks: [SampleBlock], into outputs: inout [SampleBlock]) {
        for block in blocks {
            var place = 0
            while place < block.frameCount, !inside.isEmpty {
                var whole = inside.removeFirst()
                let count = min(whole.frameCount, block.frameCount - place)
                if count < whole.frameCount {
                    inside.insert(whole.part(count..<whole.frameCount), at: 0)
                    whole = whole.part(0..<count)
                }
                for (row, channel) in used.enumerated() {
                    for frame in 0..<count where whole.samples[channel * count + frame].isFinite {
                        whole.samples[channel * count + frame] = block.samples[row * block.frameCount + place + frame]
                    }
                }
                outputs.append(whole)
                place += count
            }
        }
    }
}

extension SampleBlock {
    /// Some frames of it.
    fileprivate func part(_ frames: Range<Int>) -> SampleBlock {
        let samples = (0..<channelCount).flatMap { channel -> ArraySlice<Float> in
            let base = range(ofChannel: channel).lowerBound
            return self.samples[base + frames.lowerBound..<base + frames.upperBound]
        }
        return SampleBlock(channelCount: channelCount, samples: samples)
    }
}
