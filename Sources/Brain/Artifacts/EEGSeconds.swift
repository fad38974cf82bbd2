public import Signals

/// Measures the raw EEG second by second, on the grid of whole seconds from the recording's start.
public struct EEGSeconds: BlockStage, Sendable {
    private var epocher: Epocher
    private var measures: SecondMeasures
    /// What turns each channel into µV.
    private let factors: [Float]
    private var pending: [Epoch] = []

    /// Measures of `channels` at `sampleRate` Hz.
    public init(channels: [Signals.Channel], sampleRate: Double) {
        factors = channels.microvoltFactors
        epocher = Epocher(
            channels: channels.count, sampleRate: sampleRate, parameters: EpochParameters(length: 1, step: 1))
        measures = SecondMeasures(
            frames: epocher.frameCount, channels: max(1, channels.count), sampleRate: sampleRate)
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { 1 }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [EEGSecond]) {
        epocher.begin(segment, into: &pending)
        giveOut(into: &outputs)
        measures.forget()
    }

    /// The next frames of the run, in the stream's unit; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [EEGSecond]) {
        epocher.push(block, into: &pending)
        giveOut(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [EEGSecond]) {
        epocher.finish(into: &pending)
        giveOut(into: &outputs)
    }

    private mutating func giveOut(into outputs: inout [EEGSecond]) {
        var whole: [Epoch] = []
        for epoch in pending {
            if epoch.frameCount > 0 { whole.append(inMicrovolts(epoch)) }
            if epoch.frameCount == 0 || whole.count == measures.batch { measure(&whole, into: &outputs) }
            guard epoch.frameCount == 0 else { continue }
            let coverage = epoch.channels.first?.coverage ?? 0
            outputs.append(EEGSecond(onset: epoch.onset, coverage: coverage, channels: [], agreement: []))
        }
        measure(&whole, into: &outputs)
        pending.removeAll(keepingCapacity: true)
    }

    private mutating func measure(_ whole: inout [Epoch], into outputs: inout [EEGSecond]) {
        measures.measure(whole, into: &outputs)
        whole.removeAll(keepingCapacity: true)
    }

    private func inMicrovolts(_ epoch: Epoch) -> Epoch {
        var epoch = epoch
        for (channel, factor) in factors.enumerated() where factor != 1 {
            for index in channel * epoch.frameCount..<(channel + 1) * epoch.frameCount {
                epoch.samples[index] *= factor
            }
        }
        return epoch
    }
}
