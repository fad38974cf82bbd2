import Kernels

/// How high QRS complexes and the background between them stand.
struct QRSLevel {
    /// The usual height of the beats so far; 0 before the first.
    private(set) var usual: Float = 0
    /// How far the latest beats went from the baseline, in the input's unit; 0 before the first.
    private(set) var size: Float = 0

    /// Beats in a row that were far from usual.
    private var strange = 0

    /// The latest blocks remembered.
    static let capacity = 16
    private var peaks: InlineArray<16, Float> = .init(repeating: 0)
    private var means: InlineArray<16, Float> = .init(repeating: 0)
    /// The means of the blocks in `rankedBlocks` in order of size.
    private var ranked = OrderedSixteen()
    private var rankedBlocks = 0..<0

    /// What `highest` came to the last time, and for which blocks.
    private var highest = Highest()
    private var highestBlocks: ClosedRange<Int>?

    /// The highest of some tops.
    struct Highest {
        var first: Float = 0
        var second: Float = 0
        var third: Float = 0

        @inline(__always)
        mutating func note(_ peak: Float) {
            third = max(third, min(second, peak))
            second = max(second, min(first, peak))
            first = max(first, peak)
        }
    }

    /// A run begins.
    mutating func restart() {
        usual = 0
        size = 0
        strange = 0
        rankedBlocks = 0..<0
        ranked.removeAll()
        highestBlocks = nil
    }

    /// Nothing is known yet but that beats may be about `height`.
    mutating func start(at height: Float) { usual = height }

    /// The highest top and the mean of the next block.
    mutating func note(block: Int, peak: Float, mean: Float) {
        peaks[block & (Self.capacity - 1)] = peak
        means[block & (Self.capacity - 1)] = mean
    }

    /// A beat was settled. A single one moves the usual height by an eighth of itself at most; three in a row that are
    /// much smaller or much larger are the usual from then on.
    mutating func note(beat height: Float) {
        strange = height < usual / 3 || height > usual * 3 ? strange + 1 : 0
        if usual == 0 || strange == 3 {
            usual = height
            strange = 0
        } else {
            usual += (min(max(height, usual / 2), usual * 2) - usual) / 8
        }
    }

    /// A beat was found to go `size` from the baseline.
    mutating func note(size new: Float) {
        size = size == 0 ? new : size + (min(max(new, size / 2), size * 2) - size) / 8
    }

    /// The three highest of the blocks' tops, highest first; 0 where there are fewer blocks. The third is a QRS complex
    /// even where two artefacts stand above it.
    mutating func highest(_ blocks: ClosedRange<Int>) -> Highest {
        if let known = highestBlocks, blocks == known.lowerBound + 1...known.upperBound + 1,
            peaks[known.lowerBound & (Self.capacity - 1)] < highest.third
        {
            highest.note(peaks[blocks.upperBound & (Self.capacity - 1)])
        } else {
            highest = search(blocks)
        }
        highestBlocks = blocks
        return highest
    }

    /// The three highest of the blocks' tops, without remembering them.
    func search(_ blocks: ClosedRange<Int>) -> Highest {
        var highest = Highest()
        for block in blocks { highest.note(peaks[block & (Self.capacity - 1)]) }
        return highest
    }

    /// The mean of all of the blocks.
    func mean(_ blocks: Range<Int>) -> Float {
        var sum: Float = 0
        for block in blocks { sum += means[block & (Self.capacity - 1)] }
        return sum / Float(max(blocks.count, 1))
    }

    /// The mean of the quieter blocks: what lies between the complexes. Neither end of `blocks` may move back from one
    /// call to the next in a run.
    mutating func background(_ blocks: ClosedRange<Int>) -> Float {
        if rankedBlocks.lowerBound + Self.capacity <= blocks.upperBound {
            // Their means have been written over.
            rankedBlocks = blocks.lowerBound..<blocks.lowerBound
            ranked.removeAll()
        }
        var leaving = rankedBlocks.lowerBound
        while leaving < min(blocks.lowerBound, rankedBlocks.upperBound) {
            ranked.remove(means[leaving & (Self.capacity - 1)])
            leaving += 1
        }
        var next = max(rankedBlocks.upperBound, blocks.lowerBound)
        let first = blocks.lowerBound
        while next <= blocks.upperBound {
            ranked.insert(means[next & (Self.capacity - 1)])
            next += 1
        }
        rankedBlocks = first..<next
        return ranked[blocks.count * 35 / 100]
    }
}
