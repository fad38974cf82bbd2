import Signals

/// Frames of several channels that wait: appended in blocks, taken away from the front at no cost that grows with what
/// waits.
struct FrameQueue: Sendable {
    private var rows: [[Float]]
    private var taken = 0

    init(channels: Int) {
        rows = Array(repeating: [], count: channels)
    }

    /// How many frames wait.
    var count: Int { (rows.first?.count ?? 0) - taken }

    mutating func append(_ block: SampleBlock) {
        for channel in rows.indices { rows[channel] += block.samples[block.range(ofChannel: channel)] }
    }

    /// The first `count` frames.
    func first(_ count: Int) -> SampleBlock {
        var samples: [Float] = []
        samples.reserveCapacity(count * rows.count)
        for row in rows { samples += row[taken..<taken + count] }
        return SampleBlock(channelCount: rows.count, samples: samples)
    }

    mutating func removeFirst(_ count: Int) {
        taken += count
        // At most as much is moved as was taken since.
        guard taken >= 4_096, 2 * taken >= rows[0].count else { return }
        for channel in rows.indices { rows[channel].removeFirst(taken) }
        taken = 0
    }

    mutating func removeAll() {
        for channel in rows.indices { rows[channel].removeAll(keepingCapacity: true) }
        taken = 0
    }
}
