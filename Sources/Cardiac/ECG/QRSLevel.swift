/// How high QRS complexes and the background between them stand in one band.
struct QRSLevel {
    /// The usual height of the beats so far; 0 before the first.
    private(set) var usual: Float = 0

    private static let size = 64
    private var peaks = [Float](repeating: 0, count: size)
    private var means = [Float](repeating: 0, count: size)
    private var scratch = [Float](repeating: 0, count: size)

    /// A run begins.
    mutating func restart() { usual = 0 }

    /// The highest value and the mean of a block.
    mutating func note(block: Int, peak: Float, mean: Float) {
        peaks[block % Self.size] = peak
        means[block % Self.size] = mean
    }

    /// A beat was settled. A single one moves the usual height by an eighth of itself at most.
    mutating func note(beat height: Float) {
        if usual == 0 {
            usual = height
        } else {
            usual += (min(max(height, usual / 2), usual * 2) - usual) / 8
        }
    }

    /// The `rank`-th highest of the blocks' peaks: a QRS complex even where `rank - 1` artefacts stand above it.
    mutating func peak(_ blocks: ClosedRange<Int>, rank: Int) -> Float {
        orderStatistic(of: peaks, blocks, place: blocks.count - min(rank, blocks.count))
    }

    /// The mean of the quieter blocks: what lies between the complexes.
    mutating func background(_ blocks: ClosedRange<Int>) -> Float {
        orderStatistic(of: means, blocks, place: blocks.count * 35 / 100)
    }

    private mutating func orderStatistic(of values: [Float], _ blocks: ClosedRange<Int>, place wanted: Int) -> Float {
        var count = 0
        for block in blocks {
            let value = values[block % Self.size]
            var place = count
            while place > 0, scratch[place - 1] > value {
                scratch[place] = scratch[place - 1]
                place -= 1
            }
            scratch[place] = value
            count += 1
        }
        return scratch[wanted]
    }
}
