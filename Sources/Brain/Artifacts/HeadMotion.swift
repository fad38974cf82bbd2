import Kernels
public import Signals

/// How much a headband's accelerometer moved, second by second.
public struct HeadMotion: BlockStage, Sendable {
    /// One second.
    public struct Second: Hashable, Sendable {
        /// Seconds from the recording's start, a whole number.
        public var onset: Seconds
        /// The standard deviation of the acceleration in g, all axes together; nil where the second is not complete.
        /// Sitting still it is some hundredths at most; nodding and walking make it 0.1 and more.
        public var movement: Double?

        /// A second's movement.
        public init(onset: Seconds, movement: Double?) {
            self.onset = onset
            self.movement = movement
        }
    }

    /// The movement in g from which on EEG electrodes do not stay quiet.
    public static let limit = 0.1

    private var epocher: Epocher
    private let factors: [Double]
    private var pending: [Epoch] = []

    /// The motion of an accelerometer with these channels at `sampleRate` Hz.
    public init(channels: [Channel], sampleRate: Double) {
        factors = channels.map { $0.unit.factor(to: .g) ?? 1 }
        epocher = Epocher(
            channels: channels.count, sampleRate: sampleRate, parameters: EpochParameters(length: 1, step: 1))
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { 1 }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Second]) {
        epocher.begin(segment, into: &pending)
        giveOut(into: &outputs)
    }

    /// The next frames of the run, in the stream's unit.
    public mutating func push(_ block: SampleBlock, into outputs: inout [Second]) {
        epocher.push(block, into: &pending)
        giveOut(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [Second]) {
        epocher.finish(into: &pending)
        giveOut(into: &outputs)
    }

    private mutating func giveOut(into outputs: inout [Second]) {
        for epoch in pending {
            var variance = 0.0
            for channel in 0..<epoch.channelCount where epoch.frameCount > 1 {
                let values = epoch.channel(channel).map { Double($0) * factors[channel] }
                variance += Statistics.variance(values)
            }
            let movement = epoch.frameCount > 1 && variance.isFinite ? variance.squareRoot() : nil
            outputs.append(Second(onset: epoch.onset, movement: movement))
        }
        pending.removeAll(keepingCapacity: true)
    }
}
