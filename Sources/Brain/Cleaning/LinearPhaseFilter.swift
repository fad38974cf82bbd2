public import Kernels
public import Signals

/// A filter without feedback and without delay at any frequency, streaming: output i belongs to input i.
///
/// It looks ahead by half its length and a block, and says so. The ends of a run are continued by a point reflection
/// (as MNE's `reflect_limited`), where the run is long enough, so they are no steps.
public struct LinearPhaseFilter: BlockStage, Sendable {
    private var filter: BlockFIR
    private let sampleRate: Double
    private let delay: Int
    /// The block being filled, channel-major, and how many frames it has.
    private var block: [Float]
    private var filled = 0
    /// The run's first frames until there are enough to reflect, then its last ones, an array per channel.
    private var edge: [[Float]]
    private var isStarted = false
    /// Frames of the run taken in and given out.
    private var taken = 0
    private var given = 0
    /// Filtered frames still to be left out: what the filter says before the run's first frame.
    private var skip = 0

    /// A filter of `design` on `channels` channels.
    /// - Precondition: an odd number of symmetric taps, at least one channel.
    public init(_ design: FIRDesign, channels: Int, sampleRate: Double) {
        precondition(design.taps.count % 2 == 1, "an odd number of taps")
        let half = max(16, min(sampleRate.isFinite ? sampleRate / 2 : 128, 4_096))
        var size = 16
        while Double(2 * size) <= half * 1.2 { size *= 2 }
        filter = BlockFIR(design, channels: channels, block: size)
        self.sampleRate = sampleRate
        delay = design.taps.count / 2
        block = Array(repeating: 0, count: size * channels)
        edge = Array(repeating: [], count: channels)
    }

    /// Seconds of signal between a frame and the last output that depends on it.
    public var lookAhead: Seconds { Double(delay + filter.block) / sampleRate }

    /// A contiguous run begins; the one before ends.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
        filter.reset()
        (filled, isStarted, taken, given, skip) = (0, false, 0, 0, 2 * delay)
        for channel in edge.indices { edge[channel].removeAll(keepingCapacity: true) }
    }

    /// The next frames of the run.
    /// - Precondition: all samples finite, as many channels as the filter has.
    public mutating func push(_ samples: SampleBlock, into outputs: inout [SampleBlock]) {
        precondition(
            samples.channelCount == filter.channels
                && samples.samples.count == samples.channelCount * samples.frameCount, "as many channels")
        guard samples.frameCount > 0 else { return }
        let isFirst = taken == 0
        taken += samples.frameCount
        if isStarted {
            feed(samples, into: &outputs)
            keep(samples)
        } else if isFirst, samples.frameCount > delay {
            // What the edge is reflected from and what follows it are all there.
            take(samples, 0..<delay + 1)
            begin(with: samples, into: &outputs)
            take(samples, samples.frameCount - delay - 1..<samples.frameCount)
        } else {
            add(samples)
            if taken > delay { start(into: &outputs) }
        }
    }

    /// Nothing more will come.
    public mutating func finish(into outputs: inout [SampleBlock]) {
        endRun(into: &outputs)
        (isStarted, taken, given) = (false, 0, 0)
    }

    private mutating func start(into outputs: inout [SampleBlock]) {
        begin(with: SampleBlock(channelCount: edge.count, samples: edge.flatMap { $0 }), into: &outputs)
        trimEdge()
    }

    /// Feeds the reflection of the edge, then the run's first frames.
    private mutating func begin(with samples: SampleBlock, into outputs: inout [SampleBlock]) {
        isStarted = true
        feed(block(of: delay) { Self.reflected($0, at: $1, from: 0, step: 1) }, into: &outputs)
        feed(samples, into: &outputs)
    }

    private mutating func endRun(into outputs: inout [SampleBlock]) {
        guard taken > 0 else { return }
        if !isStarted { start(into: &outputs) }
        let last = edge[0].count - 1
        feed(block(of: delay, reversed: false) { Self.reflected($0, at: $1, from: last, step: -1) }, into: &outputs)
        // What is still in the filter: as many zeros as it takes, of which nothing is kept.
        while given < taken { feed(block(of: filter.block - filled, reversed: false) { _, _ in 0 }, into: &outputs) }
    }

    /// `count` frames, each channel's computed from its edge and the distance from it: nearest last when reversed.
    private func block(of count: Int, reversed: Bool = true, _ value: ([Float], Int) -> Float) -> SampleBlock {
        var samples: [Float] = []
        samples.reserveCapacity(count * edge.count)
        for channel in edge.indices {
            for index in 0..<count { samples.append(value(edge[channel], reversed ? count - index : index + 1)) }
        }
        return SampleBlock(channelCount: edge.count, samples: samples)
    }

    /// 2·x₀ − x(distance); the furthest there is stands for those beyond.
    private static func reflected(_ edge: [Float], at distance: Int, from: Int, step: Int) -> Float {
        let place = min(max(from + step * distance, 0), edge.count - 1)
        return 2 * edge[from] - edge[place]
    }

    /// Keeps of `samples` what a reflection at the run's end may need.
    private mutating func keep(_ samples: SampleBlock) {
        if samples.frameCount > delay {
            take(samples, samples.frameCount - delay - 1..<samples.frameCount)
        } else {
            add(samples)
            trimEdge()
        }
    }

    private mutating func add(_ samples: SampleBlock) {
        for channel in edge.indices { edge[channel] += samples.samples[samples.range(ofChannel: channel)] }
    }

    /// Makes some frames the edge.
    private mutating func take(_ samples: SampleBlock, _ frames: Range<Int>) {
        for channel in edge.indices {
            let first = channel * samples.frameCount
            edge[channel].removeAll(keepingCapacity: true)
            edge[channel] += samples.samples[first + frames.lowerBound..<first + frames.upperBound]
        }
    }

    /// Keeps what a reflection at the run's end needs.
    private mutating func trimEdge() {
        guard edge[0].count > 4 * (delay + 1) + filter.block else { return }
        for channel in edge.indices { edge[channel].removeFirst(edge[channel].count - delay - 1) }
    }

    /// All blocks that `samples` fill come out as one.
    private mutating func feed(_ samples: SampleBlock, into outputs: inout [SampleBlock]) {
        let (size, channels) = (filter.block, filter.channels)
        let blocks = (filled + samples.frameCount) / size
        let count = min(max(0, blocks * size - skip), taken - given)
        var (first, place) = (0, 0)
        let whole = [Float](unsafeUninitializedCapacity: channels * count) { whole, initialized in
            var left = blocks
            while left > 0 {
                let done = passOn(samples, from: first, into: whole, rowsOf: count, at: place)
                first += done * size
                place += done * size
                left -= done
                guard left > 0 else { break }
                fill(from: samples, &first)
                process()
                giveOut(into: whole, rowsOf: count, at: &place)
                left -= 1
            }
            initialized = channels * count
        }
        fill(from: samples, &first)
        if count > 0 { outputs.append(SampleBlock(channelCount: channels, samples: whole)) }
    }

    /// Filters whole blocks from frame `first` on straight into their place, where no block is begun and all that the filter
    /// tells is of the run.
    /// - Returns: how many.
    private mutating func passOn(
        _ samples: SampleBlock, from first: Int, into rows: UnsafeMutableBufferPointer<Float>, rowsOf count: Int,
        at place: Int
    ) -> Int {
        let (size, frames) = (filter.block, samples.frameCount)
        guard filled == 0, skip == 0 else { return 0 }
        let blocks = min((frames - first) / size, (taken - given) / size)
        samples.samples.withUnsafeBufferPointer { samples in
            guard blocks > 0, let source = samples.baseAddress, let target = rows.baseAddress else { return }
            filter.process(blocks, of: source + first, rowsOf: frames, into: target + place, rowsOf: count)
        }
        given += blocks * size
        return blocks
    }

    /// Takes frames from `first` on, as many as there are or as there is room for.
    private mutating func fill(from samples: SampleBlock, _ first: inout Int) {
        let (size, channels, frames) = (filter.block, filter.channels, samples.frameCount)
        let (place, from, count) = (filled, first, min(size - filled, frames - first))
        block.withUnsafeMutableBufferPointer { block in
            samples.samples.withUnsafeBufferPointer { samples in
                guard let target = block.baseAddress, let source = samples.baseAddress else { return }
                for channel in 0..<channels {
                    (target + place + channel * size).update(from: source + channel * frames + from, count: count)
                }
            }
        }
        first += count
        filled += count
    }

    private mutating func process() {
        var samples: [Float] = []
        swap(&samples, &block)
        var span = samples.mutableSpan
        filter.process(&span)
        swap(&samples, &block)
    }

    /// Writes what the block tells of the run into rows of `count` frames, from `place` on.
    private mutating func giveOut(into rows: UnsafeMutableBufferPointer<Float>, rowsOf count: Int, at place: inout Int)
    {
        let size = filter.block
        let first = min(skip, size)
        skip -= first
        filled = 0
        let end = min(size, first + taken - given)
        guard end > first else { return }
        given += end - first
        block.withUnsafeBufferPointer { block in
            guard let target = rows.baseAddress, let source = block.baseAddress else { return }
            for channel in 0..<filter.channels {
                (target + channel * count + place).initialize(
                    from: source + channel * size + first, count: end - first)
            }
        }
        place += end - first
    }
}
