import CVectors

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
    private var peaks = LatestSixteen()
    private var means = LatestSixteen()

    /// Blocks of the runs before that are remembered; theirs are the numbers below 0.
    private(set) var known = 0
    /// Where block 0 is remembered.
    private var base = 0
    /// Beats since the level was last begun.
    private(set) var beats = 0

    /// What `highest` came to the last time, and for which blocks.
    private var highest = Highest()
    private var highestBlocks = -1 ..< -1

    /// The highest of some tops.
    typealias Highest = marey_highest_three

    /// A run begins.
    mutating func restart() {
        usual = 0
        size = 0
        strange = 0
        known = 0
        base = 0
        beats = 0
        highestBlocks = -1 ..< -1
    }

    /// A run begins so soon after one of `blocks` blocks that it goes on where that ended.
    mutating func resume(after blocks: Int) {
        base += blocks
        known = min(known + blocks, Self.capacity)
        highestBlocks = -1 ..< -1
    }

    /// Where blocks are remembered.
    @inline(__always)
    private func places(_ blocks: Range<Int>) -> Range<Int> {
        Range(uncheckedBounds: (base &+ blocks.lowerBound, base &+ blocks.upperBound))
    }

    /// Nothing is known yet but the highest tops: that one is a beat and the other its T wave, or that one is an artefact
    /// and the other a beat.
    mutating func start(at highest: Highest) {
        usual = highest.second > 0 ? (highest.first * highest.second).squareRoot() : highest.first
    }

    /// The highest top and the mean of the next block.
    mutating func note(block: Int, peak: Float, mean: Float) {
        peaks[base &+ block] = peak
        means[base &+ block] = mean
    }

    /// A beat was settled. A single one moves the usual height by an eighth of itself at most; three in a row that are
    /// much smaller or much larger are the usual from then on.
    mutating func note(beat height: Float) {
        beats &+= 1
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
    mutating func highest(_ blocks: Range<Int>) -> Highest {
        // Where the blocks are all that is remembered, the newest has taken the place of the one that drops out.
        let known = highestBlocks
        if known.upperBound >= 0, blocks.lowerBound == known.lowerBound &+ 1,
            blocks.upperBound == known.upperBound &+ 1,
            blocks.count < Self.capacity, peaks[base &+ known.lowerBound] < highest.third
        {
            highest = marey_note(highest, peaks[base &+ blocks.upperBound &- 1])
        } else {
            highest = search(blocks)
        }
        highestBlocks = blocks
        return highest
    }

    /// The three highest of the blocks' tops, without remembering them.
    mutating func search(_ blocks: Range<Int>) -> Highest {
        peaks.highest(places(blocks))
    }

    /// Whether two tops at least are `times` the mean of the blocks or more.
    mutating func standsOut(_ blocks: Range<Int>, times: Float) -> Bool {
        peaks.count(places(blocks), reaching: times * means.mean(places(blocks))) >= 2
    }

    /// Whether the blocks have a top of at least `height`.
    mutating func reaches(_ height: Float, _ blocks: Range<Int>) -> Bool {
        peaks.count(places(blocks), reaching: height) > 0
    }

    /// The mean of the quieter blocks: what lies between the complexes.
    mutating func background(_ blocks: Range<Int>) -> Float {
        means.ranked(blocks.count * 35 / 100, of: places(blocks))
    }
}
