import Signals

/// Counts one stream: how much came, how fast, how much was lost.
struct StreamMonitor {
    let header: StreamHeader
    private(set) var count = 0
    private(set) var lost = 0
    private(set) var missing = 0
    private(set) var last: [Double?]
    /// The segment that goes on, and how many frames of it came.
    private var segment: SegmentStart?
    private var frames = 0
    /// When it was declared, seconds from the recording's start.
    private let declared: Seconds
    private var history: [(moment: Seconds, count: Int)] = []

    init(_ header: StreamHeader, at moment: Seconds = 0) {
        (self.header, declared) = (header, moment)
        last = Array(repeating: nil, count: header.channels.count)
    }

    mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(_, let start):
            if let gap = start.gap, header.sampleRate > 0 { lost += missing(before: start, gap) }
            (segment, frames) = (start, 0)
        case .samples(_, let block):
            count += block.frameCount
            frames += block.frameCount
            if header.sampleRate > 0 { countMissing(block) }
            guard block.frameCount > 0 else { return }
            for channel in 0..<block.channelCount {
                let value = block.samples[(channel + 1) * block.frameCount - 1]
                last[channel] = value.isFinite ? Double(value) : nil
            }
        case .values(_, let values):
            count += values.count
            guard let row = values.last else { return }
            for (channel, value) in row.values.enumerated() where channel < last.count {
                last[channel] = value.isFinite ? value : nil
            }
        case .marker: break
        }
    }

    /// The number of frames missing in a gap: by the device's counter or stamps, else by its duration.
    private func missing(before start: SegmentStart, _ gap: Gap) -> Int {
        if let segment, start.sample > segment.sample + frames { return start.sample - segment.sample - frames }
        return Int(Swift.max(0, Swift.min(1e12, (gap.duration * header.sampleRate).rounded())))
    }

    /// The number of frames expected since the last one.
    private func overdue(at moment: Seconds) -> Int {
        guard header.sampleRate > 0 else { return 0 }
        let end = segment.map { $0.onset(ofOffset: frames) } ?? declared
        return Int(Swift.max(0, Swift.min(1e12, (moment - end) * header.sampleRate)))
    }

    private mutating func countMissing(_ block: SampleBlock) {
        guard block.samples.contains(where: \.isNaN) else { return }
        for frame in 0..<block.frameCount {
            let absent = (0..<block.channelCount).count { block.samples[$0 * block.frameCount + frame].isNaN }
            if absent == block.channelCount { lost += 1 } else { missing += absent }
        }
    }

    /// The stream's state; the rate is over the last five calls.
    /// - Parameter silentUntil: for a silent stream, the end of the time in which its samples are missing.
    mutating func pulse(at moment: Seconds, silentUntil: Seconds? = nil) -> StreamPulse {
        let first = history.first ?? (0, 0)
        let span = moment - first.moment
        let rate = span > 0 ? Double(count - first.count) / span : 0
        history.append((moment, count))
        if history.count > 5 { history.removeFirst() }
        // A copy of its own: written to in place once it is let go elsewhere, it would look like a race to ThreadSanitizer.
        return StreamPulse(
            name: header.name, count: count, rate: rate, lost: lost + (silentUntil.map(overdue) ?? 0),
            missing: missing, last: last.map { $0 })
    }
}
