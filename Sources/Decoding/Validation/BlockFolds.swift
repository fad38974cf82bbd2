/// Blocks of a calibration shared out: the last of each state is kept aside, the others are paired in order of time into
/// folds. No block is ever split.
struct BlockFolds {
    /// Blocks never looked at before the end.
    let heldOut: [Int]
    /// Blocks of low or high state that models are fitted to and compared on.
    let training: [Int]
    /// Neutral blocks.
    let neutral: [Int]
    /// Parts of `training`, each with blocks of both states.
    let folds: [[Int]]

    /// The fewest blocks of each state: with one kept aside and four left there are 70 ways to share out eight blocks, so
    /// that p can fall below 0.05.
    static let leastBlocks = 5
    private static let mostFolds = 5

    init(_ states: [DecodedState]) throws(ModelError) {
        let low = states.indices.filter { states[$0] == .low }
        let high = states.indices.filter { states[$0] == .high }
        for (state, blocks) in [(DecodedState.low, low), (.high, high)] where blocks.count < Self.leastBlocks {
            throw .tooFewBlocks(state, found: blocks.count, needed: Self.leastBlocks)
        }
        heldOut = [low, high].compactMap(\.last)
        neutral = states.indices.filter { states[$0] == .neutral }
        let (lows, highs) = (low.dropLast(), high.dropLast())
        training = (lows + highs).sorted()
        let count = min(Self.mostFolds, lows.count, highs.count)
        folds = (0..<count).map { fold in
            func part(_ blocks: ArraySlice<Int>) -> [Int] {
                blocks.enumerated().filter { $0.offset * count / blocks.count == fold }.map(\.element)
            }
            return (part(lows) + part(highs)).sorted()
        }
    }

    /// All training blocks but those of some folds.
    func training(without folds: [Int]) -> [Int] {
        let left = Set(folds.flatMap { self.folds[$0] })
        return training.filter { !left.contains($0) }
    }
}
