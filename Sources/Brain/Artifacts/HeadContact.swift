public import Signals

/// Whether a headband says that it is on the head, second by second.
public struct HeadContact: BlockStage, Sendable {
    /// One second.
    public struct Second: Hashable, Sendable {
        /// Seconds from the recording's start, a whole number.
        public var onset: Seconds
        /// Whether it was off the head for most of the second; nil where it did not say.
        public var isOff: Bool?

        /// A second's contact.
        public init(onset: Seconds, isOff: Bool?) {
            self.onset = onset
            self.isOff = isOff
        }
    }

    private var epocher: Epocher
    private var pending: [Epoch] = []

    /// The contact that a channel of 1 (on the head) and 0 (off) at `sampleRate` Hz tells.
    public init(sampleRate: Double) {
        epocher = Epocher(channels: 1, sampleRate: sampleRate, parameters: EpochParameters(length: 1, step: 1))
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { 1 }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Second]) {
        epocher.begin(segment, into: &pending)
        giveOut(into: &outputs)
    }

    /// The next frames of the run: one channel.
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
            let said = epoch.samples.filter(\.isFinite)
            let off = said.count { $0 < 0.5 }
            outputs.append(Second(onset: epoch.onset, isOff: said.isEmpty ? nil : 2 * off > said.count))
        }
        pending.removeAll(keepingCapacity: true)
    }
}
