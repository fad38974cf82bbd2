public import Signals

/// Whether a headband says that it is on the head, and which of its electrodes have contact, second by second.
public struct HeadContact: BlockStage, Sendable {
    /// One second.
    public struct Second: Hashable, Sendable {
        /// Seconds from the recording's start, a whole number.
        public var onset: Seconds
        /// Whether it was off the head for most of the second; nil where it did not say.
        public var isOff: Bool?
        /// Whether each electrode was without contact for most of the second; nil where the headband did not say, and empty
        /// where it never does.
        public var isLoose: [Bool?]

        /// A second's contact.
        public init(onset: Seconds, isOff: Bool?, isLoose: [Bool?] = []) {
            self.onset = onset
            self.isOff = isOff
            self.isLoose = isLoose
        }
    }

    /// The codes of a headband's electrodes, the horseshoe: 1 is good, 2 medium, and from here on there is no contact (4).
    static let noContact: Float = 3

    private var epocher: Epocher
    private var pending: [Epoch] = []

    /// The contact that a channel of 1 (on the head) and 0 (off) at `sampleRate` Hz tells, and one per electrode with the
    /// horseshoe's codes: 1 good, 2 medium, 4 without contact.
    public init(sampleRate: Double, electrodes: Int = 0) {
        epocher = Epocher(
            channels: 1 + max(0, electrodes), sampleRate: sampleRate, parameters: EpochParameters(length: 1, step: 1))
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { 1 }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Second]) {
        epocher.begin(segment, into: &pending)
        giveOut(into: &outputs)
    }

    /// The next frames of the run: whether it is on the head, and then the electrodes. What is not said is NaN.
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
            func most(_ channel: Int, are isSo: (Float) -> Bool) -> Bool? {
                let said = epoch.samples[epoch.range(ofChannel: channel)].filter(\.isFinite)
                return said.isEmpty ? nil : 2 * said.count(where: isSo) > said.count
            }
            guard epoch.frameCount > 0 else {
                outputs.append(Second(onset: epoch.onset, isOff: nil))
                continue
            }
            outputs.append(
                Second(
                    onset: epoch.onset, isOff: most(0) { $0 < 0.5 },
                    isLoose: (1..<max(1, epoch.channelCount)).map { most($0) { $0 >= Self.noContact } }))
        }
        pending.removeAll(keepingCapacity: true)
    }
}
