import Kernels
public import Signals

/// Cleans an EEG: hum out, band-pass, bursts rebuilt where that is asked for, new reference, in µV, without delay at any frequency. Frame i of a run's output
/// is frame i of its input. What was missing is missing, and nothing spans a gap.
public struct EEGCleaner: BlockStage, Sendable {
    /// The labels of the channels that come out.
    public var labels: [String] { rereferencing.labels }
    /// Which of the channels that go in are needed for one that comes out.
    public func sources(of channel: Int) -> [Int] { rereferencing.sources(of: channel) }
    /// Whether channels are measured against the mean of all.
    public var isAverage: Bool { rereferencing.isAverage }
    /// Whether a channel that comes out is its own reference.
    public func isReference(_ channel: Int) -> Bool { rereferencing.isReference(channel) }
    /// What turns each channel into µV.
    private let factors: [Float]
    private let channels: Int
    private var bridges: [MissingBridge]
    /// Frames of the run, per channel, that were missing and have not come out yet, as ranges.
    private var missing: [[Range<Int>]]
    private var taken = 0
    private var given = 0
    private var hum: LineNoiseRemoval?
    private var filter: LinearPhaseFilter
    private var bursts: SubspaceCleaning?
    private var seconds: EEGSeconds
    private var measured: [EEGSecond] = []
    private let rereferencing: Rereferencing
    private let sampleRate: Double
    private var scratch: [SampleBlock] = []
    private var filtered: [SampleBlock] = []

    /// A cleaner of `channels` sampled at `sampleRate` Hz.
    /// - Throws: `FilterDesignError` when the sample rate does not suit the band, `EEGReferenceError` when an
    ///   electrode of the reference is not there, `BrainError` when a parameter of the reconstruction has no meaning.
    public init(
        channels: [Channel], sampleRate: Double, parameters: EEGCleaningParameters = EEGCleaningParameters()
    ) throws {
        let count = max(1, channels.count)
        self.channels = count
        self.sampleRate = sampleRate
        factors = channels.microvoltFactors
        filter = LinearPhaseFilter(
            try parameters.design(sampleRate: sampleRate), channels: count, sampleRate: sampleRate)
        let highest = min(parameters.highest, sampleRate / 2)
        if parameters.mains.contains(where: { $0 - 2 < highest }) {
            hum = LineNoiseRemoval(
                frequencies: parameters.mains, highest: highest, channels: count, sampleRate: sampleRate)
        }
        if parameters.removesBursts {
            bursts = try SubspaceCleaning(channels: count, sampleRate: sampleRate, parameters: parameters.subspace)
        }
        seconds = EEGSeconds(channels: channels, sampleRate: sampleRate)
        rereferencing = try Rereferencing(parameters.reference, labels: channels.map(\.label))
        bridges = Array(repeating: MissingBridge(), count: count)
        missing = Array(repeating: [], count: count)
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { filter.lookAhead + (hum?.lookAhead ?? 0) + (bursts?.lookAhead ?? 0) }

    /// What was rebuilt so far; nil where nothing is to be.
    public var reconstruction: SubspaceCleaning.Report? { bursts?.report }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
        hum?.begin(segment, into: &scratch)
        filter.begin(segment, into: &filtered)
        scratch.removeAll(keepingCapacity: true)
        filtered.removeAll(keepingCapacity: true)
        if bursts != nil { seconds.begin(segment, into: &measured) }
        bursts?.begin(segment, into: &scratch)
        scratch.removeAll(keepingCapacity: true)
    }

    /// The next samples, in the stream's unit; missing ones are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [SampleBlock]) {
        guard block.channelCount == channels, block.frameCount > 0 else { return }
        if bursts != nil { seconds.push(block, into: &measured) }
        let bridged = bridge(block)
        if hum != nil {
            hum?.push(bridged, into: &scratch)
            for block in scratch { filter.push(block, into: &filtered) }
            scratch.removeAll(keepingCapacity: true)
        } else {
            filter.push(bridged, into: &filtered)
        }
        giveOut(into: &outputs)
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
    }

    private mutating func endRun(into outputs: inout [SampleBlock]) {
        hum?.finish(into: &scratch)
        for block in scratch { filter.push(block, into: &filtered) }
        scratch.removeAll(keepingCapacity: true)
        filter.finish(into: &filtered)
        giveOut(into: &outputs)
        bursts?.finish(into: &scratch)
        for block in scratch { outputs.append(rereferencing.apply(block)) }
        scratch.removeAll(keepingCapacity: true)
        (taken, given) = (0, 0)
        for channel in 0..<channels {
            bridges[channel] = MissingBridge()
            missing[channel].removeAll(keepingCapacity: true)
        }
    }

    /// The block in µV, with what is missing bridged.
    private mutating func bridge(_ block: SampleBlock) -> SampleBlock {
        let frames = block.frameCount
        let samples = [Float](unsafeUninitializedCapacity: channels * frames) { bridged, count in
            block.samples.withUnsafeBufferPointer { raw in
                guard let raw = raw.baseAddress, let bridged = bridged.baseAddress else { return }
                for channel in 0..<channels {
                    bridge(raw + channel * frames, count: frames, channel, to: bridged + channel * frames)
                }
            }
            count = channels * frames
        }
        taken += frames
        return SampleBlock(channelCount: channels, samples: samples)
    }

    private mutating func bridge(
        _ raw: UnsafePointer<Float>, count: Int, _ channel: Int, to bridged: UnsafeMutablePointer<Float>
    ) {
        let factor = factors.indices.contains(channel) ? factors[channel] : 1
        guard !bridges[channel].passes(raw, count: count, times: factor, to: bridged) else { return }
        for frame in 0..<count {
            let sample = raw[frame] * factor
            if !sample.isFinite { note(taken + frame, channel) }
            bridged[frame] = bridges[channel].next(sample)
        }
    }

    private mutating func note(_ frame: Int, _ channel: Int) {
        if let last = missing[channel].last, last.upperBound == frame {
            missing[channel][missing[channel].count - 1] = last.lowerBound..<frame + 1
        } else {
            missing[channel].append(frame..<frame + 1)
        }
    }

    private mutating func giveOut(into outputs: inout [SampleBlock]) {
        for second in measured { bursts?.take(second) }
        measured.removeAll(keepingCapacity: true)
        for var block in filtered {
            if missing.contains(where: { !$0.isEmpty }) { mark(&block) }
            given += block.frameCount
            if bursts == nil { outputs.append(rereferencing.apply(block)) }
            bursts?.push(block, into: &scratch)
        }
        filtered.removeAll(keepingCapacity: true)
        for block in scratch { outputs.append(rereferencing.apply(block)) }
        scratch.removeAll(keepingCapacity: true)
    }

    /// What was missing is so again.
    private mutating func mark(_ block: inout SampleBlock) {
        let frames = given..<given + block.frameCount
        for channel in 0..<channels where !missing[channel].isEmpty {
            for range in missing[channel] where range.overlaps(frames) {
                for frame in range.clamped(to: frames) {
                    block.samples[channel * block.frameCount + frame - given] = .nan
                }
            }
            missing[channel].removeAll { $0.upperBound <= frames.upperBound }
        }
    }
}
