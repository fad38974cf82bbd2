import Kernels
public import Signals

/// Cuts a cleaned EEG into epochs.
///
/// Epochs begin at multiples of the step from the recording's start, so that those of different streams and
/// recordings go together; each begins with the first sample at or after that moment and has the same number of them.
/// None holds samples of two runs: where a run begins or ends within an epoch, or pauses, the epoch is given without
/// samples, with what share of them there was, for the reason `gap`. Where nothing was recorded there is no epoch.
public struct Epocher: BlockStage, Sendable {
    private let parameters: EpochParameters
    private let channels: Int
    private let nominalRate: Double
    private let frames: Int
    private var segment: SegmentStart?
    /// The run's last frames as they came, from frame `first` of the run to before frame `end`.
    private var pending: [SampleBlock] = []
    private var first = 0
    private var end = 0
    /// Number, on the grid, of the epoch to come.
    private var next = 0
    /// Epochs, by number, that runs which have ended had only a part of, and how many frames that was.
    private var torn: [(number: Int, frames: Int)] = []

    /// An epocher of `channels` channels at `sampleRate` Hz.
    public init(channels: Int, sampleRate: Double, parameters: EpochParameters = EpochParameters()) {
        self.parameters = parameters
        self.channels = max(1, channels)
        nominalRate = sampleRate.isFinite && sampleRate > 0 ? sampleRate : 256
        frames = max(1, Int(min(parameters.usedLength * nominalRate, 1e8).rounded()))
    }

    /// Samples per channel of a complete epoch.
    public var frameCount: Int { frames }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { parameters.usedLength }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Epoch]) {
        endRun()
        guard segment.onset.isFinite, abs(segment.onset) < 1e9, segment.sampleRate > 0, segment.sampleRate.isFinite
        else {
            self.segment = nil
            return
        }
        self.segment = segment
        (first, end) = (0, 0)
        // The first epoch this run has a part in.
        let begun = (segment.onset - parameters.usedLength) / parameters.usedStep
        let number = Int(begun.rounded(.down)) + 1
        giveTorn(before: number, into: &outputs)
        next = max(next, number)
    }

    /// The next frames of the run, cleaned, in µV; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [Epoch]) {
        guard segment != nil, block.channelCount == channels else { return }
        precondition(block.samples.count == channels * block.frameCount, "as many samples per channel")
        pending.append(block)
        end += block.frameCount
        while let range = range(of: next), range.upperBound <= end {
            if range.lowerBound < 0 {
                tear(next, frames: range.upperBound)
                giveTorn(before: next + 1, into: &outputs)
            } else {
                outputs.append(epoch(range))
            }
            next += 1
        }
        forget()
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [Epoch]) {
        endRun()
        giveTorn(before: .max, into: &outputs)
        segment = nil
    }

    /// The frames of the run that epoch `number` is made of.
    private func range(of number: Int) -> Range<Int>? {
        guard let segment else { return nil }
        let start = (Double(number) * parameters.usedStep - segment.onset) * segment.sampleRate
        // A moment that rounding put just behind a frame is that frame's.
        let frame = Int((start - 1e-4).rounded(.up))
        return frame..<frame + frames
    }

    /// Epochs that begin in this run and do not end in it may go on in the next.
    private mutating func endRun() {
        guard segment != nil else { return }
        var number = next
        while let range = range(of: number), range.lowerBound < end {
            tear(number, frames: min(range.upperBound, end) - max(range.lowerBound, 0))
            number += 1
        }
        pending.removeAll(keepingCapacity: true)
        segment = nil
    }

    /// An epoch has only `count` frames in this run.
    private mutating func tear(_ number: Int, frames count: Int) {
        guard count > 0 else { return }
        if let place = torn.firstIndex(where: { $0.number == number }) {
            torn[place].frames += count
        } else {
            torn.append((number, count))
        }
    }

    private mutating func giveTorn(before number: Int, into outputs: inout [Epoch]) {
        while let oldest = torn.first, oldest.number < number {
            outputs.append(incomplete(oldest.number, frames: oldest.frames))
            torn.removeFirst()
        }
    }

    private func incomplete(_ number: Int, frames count: Int) -> Epoch {
        let state = Epoch.ChannelState(coverage: min(1, Double(count) / Double(frames)), reasons: [.gap])
        return Epoch(
            onset: Double(number) * parameters.usedStep, duration: parameters.usedLength, sampleRate: nominalRate,
            samples: [], channels: Array(repeating: state, count: channels))
    }

    private func epoch(_ range: Range<Int>) -> Epoch {
        let samples = [Float](unsafeUninitializedCapacity: frames * channels) { samples, count in
            gather(range, into: samples)
            count = frames * channels
        }
        var states: [Epoch.ChannelState] = []
        states.reserveCapacity(channels)
        for channel in 0..<channels {
            states.append(Self.state(of: samples.span.extracting(channel * frames..<(channel + 1) * frames)))
        }
        let rate = segment?.sampleRate ?? nominalRate
        return Epoch(
            onset: Double(next) * parameters.usedStep, duration: parameters.usedLength, sampleRate: rate,
            samples: samples, channels: states)
    }

    /// Copies the frames in `range`, all of which are held, into rows of as many.
    private func gather(_ range: Range<Int>, into rows: UnsafeMutableBufferPointer<Float>) {
        var begin = first
        for block in pending {
            let part = range.clamped(to: begin..<begin + block.frameCount)
            if !part.isEmpty {
                block.samples.withUnsafeBufferPointer { samples in
                    guard let source = samples.baseAddress, let target = rows.baseAddress else { return }
                    for channel in 0..<channels {
                        (target + channel * frames + part.lowerBound - range.lowerBound).initialize(
                            from: source + channel * block.frameCount + part.lowerBound - begin, count: part.count)
                    }
                }
            }
            begin += block.frameCount
        }
    }

    private static func state(of samples: Span<Float>) -> Epoch.ChannelState {
        guard !Scans.largestMagnitude(samples).isFinite else { return Epoch.ChannelState(coverage: 1, reasons: []) }
        let missing = samples.indices.count { !samples[$0].isFinite }
        return Epoch.ChannelState(
            coverage: 1 - Double(missing) / Double(samples.count), reasons: missing > 0 ? [.missing] : [])
    }

    /// Drops blocks that no epoch to come needs.
    private mutating func forget() {
        guard let range = range(of: next) else { return }
        var unneeded = 0
        while unneeded < pending.count, first + pending[unneeded].frameCount <= range.lowerBound {
            first += pending[unneeded].frameCount
            unneeded += 1
        }
        if unneeded > 0 { pending.removeFirst(unneeded) }
    }
}
