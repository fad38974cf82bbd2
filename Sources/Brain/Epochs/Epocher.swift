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
    /// The run's last frames, an array per channel, the first of which is frame `first` of the run.
    private var pending: [[Float]]
    private var first = 0
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
        pending = Array(repeating: [], count: self.channels)
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
        first = 0
        // The first epoch this run has a part in.
        let begun = (segment.onset - parameters.usedLength) / parameters.usedStep
        let number = Int(begun.rounded(.down)) + 1
        giveTorn(before: number, into: &outputs)
        next = max(next, number)
    }

    /// The next frames of the run, cleaned, in µV; missing samples are NaN.
    public mutating func push(_ block: SampleBlock, into outputs: inout [Epoch]) {
        guard segment != nil, block.channelCount == channels else { return }
        for channel in 0..<channels {
            pending[channel] += block.samples[block.range(ofChannel: channel)]
        }
        while let range = range(of: next), range.upperBound <= first + pending[0].count {
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
        let end = first + pending[0].count
        var number = next
        while let range = range(of: number), range.lowerBound < end {
            tear(number, frames: min(range.upperBound, end) - max(range.lowerBound, 0))
            number += 1
        }
        for channel in 0..<channels { pending[channel].removeAll(keepingCapacity: true) }
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
        let (start, frames, pending) = (range.lowerBound - first, frames, pending)
        var states: [Epoch.ChannelState] = []
        states.reserveCapacity(pending.count)
        let samples = [Float](unsafeUninitializedCapacity: frames * pending.count) { samples, count in
            for channel in pending.indices {
                pending[channel].withUnsafeBufferPointer { held in
                    let part = UnsafeBufferPointer(rebasing: held[start..<start + frames])
                    guard let source = part.baseAddress, let target = samples.baseAddress else { return }
                    (target + channel * frames).initialize(from: source, count: frames)
                    states.append(Self.state(of: part.span))
                }
            }
            count = frames * pending.count
        }
        let rate = segment?.sampleRate ?? nominalRate
        return Epoch(
            onset: Double(next) * parameters.usedStep, duration: parameters.usedLength, sampleRate: rate,
            samples: samples, channels: states)
    }

    private static func state(of samples: Span<Float>) -> Epoch.ChannelState {
        guard !Scans.largestMagnitude(samples).isFinite else { return Epoch.ChannelState(coverage: 1, reasons: []) }
        let missing = samples.indices.count { !samples[$0].isFinite }
        return Epoch.ChannelState(
            coverage: 1 - Double(missing) / Double(samples.count), reasons: missing > 0 ? [.missing] : [])
    }

    /// Drops frames that no epoch to come needs, now and then.
    private mutating func forget() {
        guard let range = range(of: next) else { return }
        let unneeded = min(range.lowerBound - first, pending[0].count)
        guard unneeded > 0, unneeded >= min(frames, 4_096) || unneeded == pending[0].count else { return }
        for channel in 0..<channels { pending[channel].removeFirst(unneeded) }
        first += unneeded
    }
}
