import Signals

/// Counts one stream: how much came, how fast, how much was lost.
struct StreamMonitor {
    let header: StreamHeader
    private(set) var count = 0
    private(set) var lost = 0
    private(set) var missing = 0
    private(set) var last: [Double?]
    private var history: [(moment: Seconds, count: Int)] = []

    init(_ header: StreamHeader) {
        self.header = header
        last = Array(repeating: nil, count: header.channels.count)
    }

    mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(_, let start):
            if let gap = start.gap, header.sampleRate > 0 {
                lost += Int(Swift.min(1e12, (gap.duration * header.sampleRate).rounded()))
            }
        case .samples(_, let block):
            count += block.frameCount
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

    private mutating func countMissing(_ block: SampleBlock) {
        guard block.samples.contains(where: \.isNaN) else { return }
        for frame in 0..<block.frameCount {
            let absent = (0..<block.channelCount).count { block.samples[$0 * block.frameCount + frame].isNaN }
            if absent == block.channelCount { lost += 1 } else { missing += absent }
        }
    }

    /// The stream's state; the rate is over the last five calls.
    mutating func pulse(at moment: Seconds) -> StreamPulse {
        let first = history.first ?? (0, 0)
        let span = moment - first.moment
        let rate = span > 0 ? Double(count - first.count) / span : 0
        history.append((moment, count))
        if history.count > 5 { history.removeFirst() }
        // A copy of its own: written to in place once it is let go elsewhere, it would look like a race to ThreadSanitizer.
        return StreamPulse(
            name: header.name, count: count, rate: rate, lost: lost, missing: missing, last: last.map { $0 })
    }
}
