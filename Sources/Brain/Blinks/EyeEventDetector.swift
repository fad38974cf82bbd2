import Kernels
public import Signals

/// Finds blinks and sideways saccades in an EEG with frontal electrodes.
///
/// The differences of `EyeDerivation` are band-passed from 1 to 10 Hz without delay. A blink is a top of the smaller of
/// the two sides, so that a pop of one electrode is none: 25 µV above the level between blinks at least and 4.5 times the usual spread of the
/// eight seconds before and one and a half after, with deep flanks, and as wide as lids are slow (70 to 450 ms at half
/// height; Caffier, Erdmann & Ullsperger 2003), where an impulse in this band has 63 ms. A saccade is a step between the temples of 20 µV at least whose speed
/// is six times the usual one (Engbert & Kliegl 2003), not beside a blink.
public struct EyeEventDetector: BlockStage, Sendable {
    private let derivation: EyeDerivation
    private let weights: [[(channel: Int, weight: Float)]]
    private let channels: Int
    private let sampleRate: Double
    private let step: Int
    private var bridges: [MissingBridge]
    private var filter: LinearPhaseFilter
    private var filtered: [SampleBlock] = []
    private var segment: SegmentStart?
    /// Frames of the run taken in, and filtered.
    private var taken = 0
    private var frames = 0
    private var trace: EyeTrace
    /// Frames of the run in which a sample was missing.
    private var missing: [Range<Int>] = []

    /// A detector for these channels at `sampleRate` Hz; nil where no electrode is near the eyes, or the rate is below
    /// 40 Hz.
    public init?(channels: [Channel], sampleRate: Double) {
        guard let derivation = EyeDerivation(labels: channels.map(\.label)), sampleRate >= 40, sampleRate <= 100_000
        else { return nil }
        var band = EEGCleaningParameters()
        band.highest = 10
        guard let design = try? band.design(sampleRate: sampleRate) else { return nil }
        self.derivation = derivation
        self.channels = channels.count
        self.sampleRate = sampleRate
        weights = derivation.all.map { row in
            row.indices.filter { row[$0] != 0 }.map { index in
                (index, Float(row[index] * (channels[index].unit.factor(to: .microvolts) ?? 1)))
            }
        }
        filter = LinearPhaseFilter(design, channels: weights.count, sampleRate: sampleRate)
        bridges = Array(repeating: MissingBridge(), count: weights.count)
        step = max(1, Int(sampleRate / 60))
        trace = EyeTrace(derivation, rate: sampleRate / Double(step))
    }

    /// The places of the channels that blinks are seen in.
    public var blinkChannels: [Int] {
        (0..<channels).filter { channel in
            [derivation.left, derivation.right].contains { $0.map { $0[channel] != 0 } ?? false }
        }
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { filter.lookAhead + EyeTrace.ahead + 0.1 }

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
        filter.push(derive(block), into: &filtered)
        giveOut(into: &outputs, isEnd: false)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [EyeEvent]) {
        guard segment != nil else { return }
        filter.finish(into: &filtered)
        giveOut(into: &outputs, isEnd: true)
        trace = EyeTrace(derivation, rate: sampleRate / Double(step))
        (frames, taken) = (0, 0)
        missing.removeAll()
        for index in bridges.indices { bridges[index] = MissingBridge() }
        segment = nil
    }

    private mutating func derive(_ block: SampleBlock) -> SampleBlock {
        let frames = block.frameCount
        var samples = [Float](repeating: 0, count: frames * weights.count)
        for (index, terms) in weights.enumerated() {
            let range = index * frames..<(index + 1) * frames
            for term in terms {
                let channel = block.samples.span.extracting(block.range(ofChannel: term.channel))
                Scans.add(channel, times: term.weight, to: &samples, at: range.lowerBound)
            }
            guard !bridges[index].passes(&samples, range) else { continue }
            for place in range {
                if !samples[place].isFinite { note(taken + place - range.lowerBound) }
                samples[place] = bridges[index].next(samples[place])
            }
        }
        taken += frames
        return SampleBlock(channelCount: weights.count, samples: samples)
    }

    private mutating func note(_ frame: Int) {
        if missing.contains(where: { $0.contains(frame) }) { return }
        if let place = missing.lastIndex(where: { $0.upperBound == frame }) {
            missing[place] = missing[place].lowerBound..<frame + 1
        } else {
            missing.append(frame..<frame + 1)
        }
    }

    private mutating func giveOut(into outputs: inout [EyeEvent], isEnd: Bool) {
        guard let segment else { return }
        for block in filtered {
            trace.push(block, from: (step - frames % step) % step, step: step)
            frames += block.frameCount
        }
        filtered.removeAll(keepingCapacity: true)
        var found: [EyeTrace.Found] = []
        trace.advance(isEnd: isEnd, into: &found)
        for event in found where !isNearMissing(event.place * Double(step)) {
            let onset = segment.onset + event.place * Double(step) / segment.sampleRate
            outputs.append(
                EyeEvent(
                    kind: event.kind, onset: onset, duration: event.width * Double(step) / segment.sampleRate,
                    amplitude: event.amplitude))
        }
        let unneeded = trace.settled * step - Int(2 * sampleRate)
        missing.removeAll { $0.upperBound < unneeded }
    }

    private func isNearMissing(_ frame: Double) -> Bool {
        missing.contains {
            frame > Double($0.lowerBound) - 0.3 * sampleRate && frame < Double($0.upperBound) + 0.3 * sampleRate
        }
    }
}
