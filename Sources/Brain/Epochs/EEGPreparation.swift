public import Signals

/// From a raw EEG to judged epochs: cleaning, cutting, and what speaks against each channel. One stage, live or from a
/// file.
public struct EEGPreparation: BlockStage, Sendable {
    private var cleaner: EEGCleaner
    private var epocher: Epocher
    /// nil where they come from outside.
    private var seconds: EEGSeconds?
    private var judge: EpochJudge
    private let step: Seconds
    private var cleaned: [SampleBlock] = []
    private var cut: [Epoch] = []
    private var measured: [EEGSecond] = []
    private var isBegun = false

    /// A preparation of `channels` sampled at `sampleRate` Hz.
    /// - Parameter takesSeconds: whether someone else measures the seconds of the raw EEG and hands them to `take`, those
    ///   that end with a block before that block.
    /// - Throws: `FilterDesignError` when the sample rate does not suit the band, `EEGReferenceError` when an
    ///   electrode of the reference is not there, `BrainError` when epochs cannot be as long or far apart as asked.
    public init(
        channels: [Channel], sampleRate: Double, cleaning: EEGCleaningParameters = EEGCleaningParameters(),
        epochs: EpochParameters = EpochParameters(), takesSeconds: Bool = false
    ) throws {
        try epochs.check()
        cleaner = try EEGCleaner(channels: channels, sampleRate: sampleRate, parameters: cleaning)
        let labels = cleaner.labels
        epocher = Epocher(channels: labels.count, sampleRate: sampleRate, parameters: epochs)
        seconds = takesSeconds ? nil : EEGSeconds(channels: channels, sampleRate: sampleRate)
        let comparable = ElectrodePair.areComparable(channels.map(\.label))
        judge = EpochJudge(
            channels: channels.count, comparable: comparable,
            hasNeighbor: ElectrodeName.haveNeighbors(
                channels.map(\.label), comparable: comparable, within: BadChannelWatch.reach),
            sources: labels.indices.map(cleaner.sources),
            references: labels.indices.map(cleaner.isReference), isAverage: cleaner.isAverage,
            rebuildsBursts: cleaning.removesBursts)
        step = epochs.usedStep
    }

    /// The labels of the channels that epochs have.
    public var labels: [String] { cleaner.labels }

    /// Which of the channels that go in are needed for each of those that epochs have.
    public var sources: [[Int]] { cleaner.labels.indices.map(cleaner.sources) }

    /// Samples per channel of a complete epoch.
    public var frameCount: Int { epocher.frameCount }

    /// What was rebuilt so far; nil where nothing is to be.
    public var reconstruction: SubspaceCleaning.Report? { cleaner.reconstruction }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { cleaner.lookAhead + epocher.lookAhead + 1 }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Epoch]) {
        endRun(into: &outputs)
        cleaner.begin(segment, into: &cleaned)
        cleaned.removeAll(keepingCapacity: true)
        epocher.begin(segment, into: &cut)
        seconds?.begin(segment, into: &measured)
        passOn(into: &outputs, all: true)
        judge.reset()
        isBegun = true
    }

    /// The next frames of the run, in the stream's unit; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [Epoch]) {
        guard isBegun else { return }
        seconds?.push(block, into: &measured)
        cleaner.push(block, into: &cleaned)
        passOn(into: &outputs, all: false)
    }

    /// A second of the raw EEG, measured elsewhere; they come in order.
    public mutating func take(_ second: EEGSecond) { measured.append(second) }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [Epoch]) {
        endRun(into: &outputs)
        seconds?.finish(into: &measured)
        epocher.finish(into: &cut)
        passOn(into: &outputs, all: true)
        isBegun = false
    }

    private mutating func endRun(into outputs: inout [Epoch]) {
        cleaner.finish(into: &cleaned)
        passOn(into: &outputs, all: false)
    }

    private mutating func passOn(into outputs: inout [Epoch], all: Bool) {
        for second in measured { judge.take(second) }
        measured.removeAll(keepingCapacity: true)
        for block in cleaned { epocher.push(block, into: &cut) }
        cleaned.removeAll(keepingCapacity: true)
        let ready = all ? cut.count : cut.prefix { $0.onset + $0.duration <= judge.known }.count
        for index in 0..<ready { judge.judge(&cut[index], next: cut[index].onset + step) }
        outputs += cut[..<ready]
        cut.removeFirst(ready)
    }
}
