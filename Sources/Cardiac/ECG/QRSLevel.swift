/// How high QRS complexes and the background between them stand.
struct QRSLevel {
    /// The usual height of the beats so far; 0 before the first.
    private(set) var usual: Float = 0

    /// Beats in a row that were far from usual.
    private var strange = 0

    /// The latest blocks remembered.
    static let capacity = 16
    private var peaks = [Float](repeating: 0, count: capacity)
    private var means = [Float](repeating: 0, count: capacity)

    /// A run begins.
    mutating func restart() {
        usual = 0
        strange = 0
    }

    /// Nothing is known yet but that beats may be about `height`.
    mutating func start(at height: Float) { usual = height }

    /// The highest top and the mean of a block.
    mutating func note(block: Int, peak: Float, mean: Float) {
        peaks[block % Self.capacity] = peak
        means[block % Self.capacity] = mean
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

    /// The three highest of the blocks' tops, highest first; 0 where there are fewer blocks. The third is a QRS complex
    /// even where two artefacts stand above it.
    func highest(_ blocks: ClosedRange<Int>) -> (Float, Float, Float) {
        var first: Float = 0
        var second: Float = 0
        var third: Float = 0
        peaks.withUnsafeBufferPointer { peaks in
            for block in blocks {
                let peak = peaks[block % Self.capacity]
                third = max(third, min(second, peak))
                second = max(second, min(first, peak))
                first = max(first, peak)
            }
        }
        return (first, second, third)
    }

    /// The mean of the quieter blocks: what lies between the complexes.
    func background(_ blocks: ClosedRange<Int>) -> Float {
        Self.orderStatistic(of: means, blocks, place: blocks.count * 35 / 100)
    }

    /// The value with `place` smaller ones: the greatest of those with no more smaller than that.
    private static func orderStatistic(of values: [Float], _ blocks: ClosedRange<Int>, place: Int) -> Float {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: capacity) { memory in
            let target = memory.baseAddress.unsafelyUnwrapped
            values.withUnsafeBufferPointer { values in
                for lane in 0..<capacity { target[lane] = .infinity }
                for block in blocks { target[block % capacity] = values[block % capacity] }
            }
            let known = load16(target)
            var smaller = SIMD16<Float>.zero
            for lane in 0..<capacity {
                smaller += SIMD16<Float>.zero.replacing(with: 1, where: known .> target[lane])
            }
            return known.replacing(with: 0, where: smaller .> Float(place)).max()
        }
    }
}
