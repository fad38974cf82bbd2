/// How high QRS complexes and the background between them stand in the wavelet's modulus.
struct QRSLevel {
    /// What surrounds a candidate: seconds before and after it.
    struct Surroundings {
        /// The second or third highest peak: a QRS complex, even where an artefact or two stand above it.
        var peak: Float
        /// The level of the quieter blocks: what lies between the complexes.
        var background: Float
    }

    /// The usual height of the beats so far; 0 before the first.
    private(set) var usual: Float = 0

    private static let size = 64
    private var peaks = [Float](repeating: 0, count: size)
    private var means = [Float](repeating: 0, count: size)
    private var scratch = [Float](repeating: 0, count: size)

    /// A run begins. The usual height stays unless `forgetting`.
    mutating func restart(forgetting: Bool) {
        if forgetting { usual = 0 }
    }

    /// The highest peak and the mean of a block.
    mutating func note(block: Int, peak: Float, mean: Float) {
        peaks[block % Self.size] = peak
        means[block % Self.size] = mean
    }

    /// A beat was settled. A single one moves the usual height by an eighth of a factor of two at most.
    mutating func note(beat height: Float) {
        if usual == 0 {
            usual = height
        } else {
            usual += (min(max(height, usual / 2), usual * 2) - usual) / 8
        }
    }

    /// Starts over from `height`.
    mutating func start(at height: Float) { usual = height }

    mutating func surroundings(_ blocks: ClosedRange<Int>, rank: Int) -> Surroundings {
        let peak = orderStatistic(of: peaks, blocks, rank: blocks.count - min(rank, blocks.count))
        let background = orderStatistic(of: means, blocks, rank: blocks.count * 35 / 100)
        return Surroundings(peak: peak, background: background)
    }

    private mutating func orderStatistic(of values: [Float], _ blocks: ClosedRange<Int>, rank: Int) -> Float {
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
        return scratch[rank]
    }
}
