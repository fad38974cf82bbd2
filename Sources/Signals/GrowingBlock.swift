/// Samples of a run gathered piece by piece into one block, channel-major throughout, so that a run of known length is
/// never held twice.
struct GrowingBlock {
    private let channelCount: Int
    private var capacity = 0
    private var frameCount = 0
    private var samples: [Float] = []
    private let expected: Int
    /// What a header promises is believed once so small a share of it has come: what is copied then is little beside it.
    private static let trust = 128

    init(channelCount: Int, expectedFrames: Int) {
        self.channelCount = channelCount
        expected = max(0, expectedFrames)
    }

    mutating func append(_ block: SampleBlock) {
        guard block.channelCount == channelCount else { return }
        let needed = frameCount + block.frameCount
        if needed > capacity { grow(to: needed) }
        for channel in 0..<channelCount {
            let target = channel * capacity + frameCount
            samples.withUnsafeMutableBufferPointer { out in
                block.samples.withUnsafeBufferPointer { source in
                    for frame in 0..<block.frameCount {
                        out[target + frame] = source[channel * block.frameCount + frame]
                    }
                }
            }
        }
        frameCount = needed
    }

    private mutating func grow(to needed: Int) {
        let isBelieved = expected >= needed && expected / Self.trust <= needed
        let wider = isBelieved ? expected : max(needed, capacity * 2)
        var grown = [Float](repeating: 0, count: wider * channelCount)
        for channel in 0..<channelCount {
            let kept = channel * capacity..<channel * capacity + frameCount
            grown.replaceSubrange(channel * wider..<channel * wider + frameCount, with: samples[kept])
        }
        samples = grown
        capacity = wider
    }

    /// The whole run; nil when it has no samples. Nothing more can be added.
    mutating func finish() -> SampleBlock? {
        guard frameCount > 0 else { return nil }
        if frameCount < capacity {
            var exact: [Float] = []
            exact.reserveCapacity(frameCount * channelCount)
            for channel in 0..<channelCount {
                exact += samples[channel * capacity..<channel * capacity + frameCount]
            }
            samples = exact
        }
        defer { samples = [] }
        return SampleBlock(channelCount: channelCount, samples: samples)
    }
}
