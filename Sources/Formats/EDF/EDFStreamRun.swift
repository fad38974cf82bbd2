import Signals

/// Follows one stream through a file and announces its runs.
struct EDFStreamRun {
    private let rate: Double
    /// When the current run of records starts, and the stored index of its first sample.
    private var origin: (onset: Seconds, sample: Int) = (0, 0)
    /// Why the next run does not follow the previous one.
    private var reason = Gap.Reason.fileGap
    private var isOpen = false
    /// Index of the next stored sample.
    private var sample = 0
    /// When the last sample announced ends; nil before the first.
    private var end: Seconds?

    init(rate: Double) {
        self.rate = rate
    }

    /// The records that follow start at `onset`.
    mutating func begin(_ onset: Seconds, _ reason: Gap.Reason) {
        origin = (onset, sample)
        self.reason = reason
        isOpen = false
    }

    /// When the sample lies, in seconds from the recording's start, that comes `frame` samples after those announced.
    func onset(ofNext frame: Int) -> Seconds { origin.onset + Double(sample - origin.sample + frame) / rate }

    /// Announces the next stored samples. Frames in which all channels are missing are a gap.
    mutating func emit(_ block: SampleBlock, stream: Int, hasMissing: Bool, into events: inout [RecordingEvent]) {
        guard hasMissing else {
            add(block, stream, &events)
            return
        }
        var frame = 0
        while frame < block.frameCount {
            let isMissing = block.isMissing(frame)
            var end = frame + 1
            while end < block.frameCount, block.isMissing(end) == isMissing { end += 1 }
            if isMissing {
                sample += end - frame
                isOpen = false
            } else {
                add(block.frames(frame..<end), stream, &events)
            }
            frame = end
        }
    }

    private mutating func add(_ block: SampleBlock, _ stream: Int, _ events: inout [RecordingEvent]) {
        if !isOpen {
            let onset = origin.onset + Double(sample - origin.sample) / rate
            let gap = end.map { Gap(onset: $0, duration: max(0, onset - $0), reason: reason) }
            let start = SegmentStart(onset: onset, sample: sample, sampleRate: rate, gap: gap)
            events.append(.segment(stream: stream, start: start))
            isOpen = true
            reason = .fileGap
        }
        events.append(.samples(stream: stream, block))
        sample += block.frameCount
        end = origin.onset + Double(sample - origin.sample) / rate
    }
}

extension SampleBlock {
    /// Whether all channels are missing at `frame`.
    fileprivate func isMissing(_ frame: Int) -> Bool {
        for channel in 0..<channelCount where !samples[channel * frameCount + frame].isNaN { return false }
        return true
    }
}
