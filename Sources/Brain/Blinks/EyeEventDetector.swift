import Kernels
public import Signals

/// Finds blinks and sideways saccades in an EEG with frontal electrodes.
///
/// The differences of `EyeDerivation` are brought down to 60 to 120 Hz, if they are sampled faster, and band-passed from 1 to
/// 10 Hz, without delay. A blink is a top of the smaller of the two sides, so that a pop of one electrode is none: 25 µV above
/// the level between blinks at least and 4.5 times the usual spread of the eight seconds before and one and a half after, with
/// deep flanks, and as wide as lids are slow (70 to 450 ms at half height; Caffier, Erdmann & Ullsperger 2003), where an
/// impulse in this band has 63 ms. A saccade is a step between the temples of 20 µV at least whose speed is six times the usual
/// one (Engbert & Kliegl 2003), not beside a blink.
public struct EyeEventDetector: BlockStage, Sendable {
    private let derivation: EyeDerivation
    private let weights: [[(channel: Int, weight: Float)]]
    private let channels: Int
    private let sampleRate: Double
    private let step: Int
    private var bridges: [MissingBridge]
    private var resamplers: [Resampler]
    private var filter: LinearPhaseFilter
    private var filtered: [SampleBlock] = []
    private var segment: SegmentStart?
    private var trace: EyeTrace
    private var holes: EyeHoles

    /// A detector for these channels at `sampleRate` Hz; nil where no electrode is near the eyes, or the rate is below
    /// 40 Hz.
    public init?(channels: [Channel], sampleRate: Double) {
        guard let derivation = EyeDerivation(labels: channels.map(\.label)), sampleRate >= 40, sampleRate <= 100_000
        else { return nil }
        var band = EEGCleaningParameters()
        band.highest = 10
        step = max(1, Int(sampleRate / 60))
        let rate = sampleRate / Double(step)
        guard let design = try? band.design(sampleRate: rate) else { return nil }
        self.derivation = derivation
        self.channels = channels.count
        self.sampleRate = sampleRate
        weights = derivation.all.map { row in
            row.indices.filter { row[$0] != 0 }.map { index in
                (index, Float(row[index] * (channels[index].unit.factor(to: .microvolts) ?? 1)))
            }
        }
        // What is beyond 10 Hz is not looked at, so a long filter need not run at the full rate.
        resamplers = Array(repeating: Resampler(RateRatio(up: 1, down: step)), count: weights.count)
        filter = LinearPhaseFilter(design, channels: weights.count, sampleRate: rate)
        bridges = Array(repeating: MissingBridge(), count: weights.count)
        trace = EyeTrace(derivation, rate: rate)
        holes = EyeHoles(rows: weights.count, step: step, sampleRate: sampleRate)
    }

    /// The places of the channels that blinks are seen in.
    public var blinkChannels: [Int] {
        (0..<channels).filter { channel in
            [derivation.left, derivation.right].contains { $0.map { $0[channel] != 0 } ?? false }
        }
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds {
        Double(resamplers[0].lookAhead) / sampleRate + filter.lookAhead + EyeTrace.ahead + 0.1
    }

    /// Up to when, in seconds from the recording's start, all events of the run have been given.
    public var settledUntil: Seconds {
        segment.map { $0.onset(ofOffset: trace.settled * step) } ?? 0
    }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [EyeEvent]) {
        finish(into: &outputs)
        filter.begin(segment, into: &filtered)
        self.segment = segment
    }

    /// The next frames of the run, in the stream's unit; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [EyeEvent]) {
        guard segment != nil, block.frameCount > 0, block.channelCount == channels else { return }
        let samples = derive(block)
        passDown { resampler, row, output in
            resampler.push(
                samples.span.extracting(row * block.frameCount..<(row + 1) * block.frameCount), into: &output)
        }
        giveOut(into: &outputs, isEnd: false)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [EyeEvent]) {
        guard segment != nil else { return }
        passDown { resampler, _, output in resampler.finish(into: &output) }
        filter.finish(into: &filtered)
        giveOut(into: &outputs, isEnd: true)
        trace = EyeTrace(derivation, rate: sampleRate / Double(step))
        holes = EyeHoles(rows: weights.count, step: step, sampleRate: sampleRate)
        for index in bridges.indices { bridges[index] = MissingBridge() }
        segment = nil
    }

    /// Filters what becomes known of each difference at the lower rate; there is as much of each.
    private mutating func passDown(_ resample: (inout Resampler, _ row: Int, inout [Float]) -> Void) {
        var samples: [Float] = []
        for row in resamplers.indices { resample(&resamplers[row], row, &samples) }
        filter.push(SampleBlock(channelCount: resamplers.count, samples: samples), into: &filtered)
    }

    /// The differences, one after the other, with what is missing bridged.
    private mutating func derive(_ block: SampleBlock) -> [Float] {
        let frames = block.frameCount
        var samples = differences(block)
        var isMissing: [Bool]?
        for index in weights.indices {
            let range = index * frames..<(index + 1) * frames
            holes.take(samples.span.extracting(range), row: index)
            let isWhole = samples.withUnsafeMutableBufferPointer { samples in
                guard let row = samples.baseAddress.map({ $0 + range.lowerBound }) else { return false }
                return bridges[index].passes(row, count: frames, to: row)
            }
            guard !isWhole else { continue }
            var here = isMissing ?? Array(repeating: false, count: frames)
            for place in range {
                if !samples[place].isFinite { here[place - range.lowerBound] = true }
                samples[place] = bridges[index].next(samples[place])
            }
            isMissing = here
        }
        holes.advance(frames, isMissing: isMissing)
        return samples
    }

    private func differences(_ block: SampleBlock) -> [Float] {
        let frames = block.frameCount
        return [Float](unsafeUninitializedCapacity: frames * weights.count) { samples, count in
            guard let base = samples.baseAddress else { return }
            for (index, terms) in weights.enumerated() {
                let row = base + index * frames
                if terms.isEmpty { row.initialize(repeating: 0, count: frames) }
                for (place, term) in terms.enumerated() {
                    let channel = block.samples.span.extracting(block.range(ofChannel: term.channel))
                    if place == 0 {
                        Scans.write(channel, times: term.weight, to: row)
                    } else {
                        Scans.add(channel, times: term.weight, to: row)
                    }
                }
            }
            count = frames * weights.count
        }
    }

    private mutating func giveOut(into outputs: inout [EyeEvent], isEnd: Bool) {
        guard let segment else { return }
        for block in filtered { trace.push(block) }
        filtered.removeAll(keepingCapacity: true)
        var found: [EyeTrace.Found] = []
        trace.advance(isEnd: isEnd, holes, into: &found)
        for event in found where !holes.isNearMissing(event.place * Double(step)) {
            let onset = segment.onset + event.place * Double(step) / segment.sampleRate
            outputs.append(
                EyeEvent(
                    kind: event.kind, onset: onset, duration: event.width * Double(step) / segment.sampleRate,
                    amplitude: event.amplitude))
        }
        holes.forget(before: trace.settled)
    }
}
