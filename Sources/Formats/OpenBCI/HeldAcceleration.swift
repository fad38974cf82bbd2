import Signals

/// Fills in the acceleration of rows that have none: a board measures it more seldom than the channels, and programs before
/// version 5 wrote zeros on all three axes between, where gravity is never. The last value stands until the next one, which
/// comes within a quarter of a second; later it is missing.
struct HeldAcceleration {
    private let columns: [Int]
    private let longest: Int
    private var held: [Float]
    private var age: Int

    /// - Parameter columns: the three axes' columns.
    init(_ columns: [Int], sampleRate: Double) {
        self.columns = columns
        longest = Int(sampleRate / 4)
        held = Array(repeating: .nan, count: columns.count)
        age = longest + 1
    }

    /// The same rows with an acceleration in each.
    mutating func filled(_ block: SampleBlock) -> SampleBlock {
        guard !columns.isEmpty else { return block }
        var samples = block.samples
        let firsts = columns.map { block.range(ofChannel: $0).lowerBound }
        for row in 0..<block.frameCount {
            if firsts.contains(where: { samples[$0 + row] != 0 }) {
                for (axis, first) in firsts.enumerated() { held[axis] = samples[first + row] }
                age = 0
            } else {
                age += 1
                for (axis, first) in firsts.enumerated() { samples[first + row] = age <= longest ? held[axis] : .nan }
            }
        }
        return SampleBlock(channelCount: block.channelCount, samples: samples)
    }
}
