import Brain
import Decoding
import Foundation
import Kernels

/// A participant whose features differ between two states by a known amount: correlated normal features, with blocks that
/// lie a little apart, as real ones do.
struct SimulatedParticipant {
    let dimensions: Int
    /// The distance of the two states' means in standard deviations along the best direction.
    let effect: Double
    /// The standard deviation of the blocks' own means.
    var blockSpread = 0.2
    /// Where neutral lies between the states: −0.5 at the low one, 0.5 at the high one.
    var neutral = 0.0
    private var random: RandomSource
    private let direction: [Double]
    private let mixing: [[Double]]
    private let offsets: [Double]

    init(dimensions: Int, effect: Double, seed: UInt64) {
        (self.dimensions, self.effect) = (dimensions, effect)
        var random = RandomSource(seed: seed, "participant")
        let direction = (0..<dimensions).map { _ in random.gaussian() }
        let length = direction.reduce(0) { $0 + $1 * $1 }.squareRoot()
        self.direction = direction.map { $0 / length }
        mixing = (0..<dimensions).map { row in
            (0..<dimensions).map { $0 == row ? 1 : 0.3 * random.gaussian() / Double(dimensions).squareRoot() }
        }
        offsets = (0..<dimensions).map { _ in 5 * random.gaussian() }
        self.random = random
    }

    /// What an observer who knows everything reaches.
    var idealAUC: Double { 0.5 * erfc(-effect / 2 / (1 + blockSpread * blockSpread).squareRoot()) }

    private mutating func epoch(_ state: DecodedState, _ shift: [Double], at time: Double) -> DecodableEpoch {
        let place = state == .high ? effect / 2 : state == .low ? -effect / 2 : neutral * effect
        let white = (0..<dimensions).map { random.gaussian() + place * direction[$0] + shift[$0] }
        let mixed = (0..<dimensions).map { row in
            offsets[row] + zip(mixing[row], white).reduce(0) { $0 + $1.0 * $1.1 }
        }
        return DecodableEpoch(onset: time, duration: 2, features: mixed)
    }

    mutating func block(_ state: DecodedState, epochs count: Int) -> CalibrationBlock {
        let shift = (0..<dimensions).map { _ in blockSpread * random.gaussian() }
        return CalibrationBlock(
            state: state, epochs: (0..<count).map { epoch(state, shift, at: 2 * Double($0)) })
    }

    /// Low and high blocks in turn, neutral ones between.
    mutating func calibration(
        blocks: Int = 6, epochs: Int = 25, neutral: Int = 2, neutralEpochs: Int? = nil
    ) -> [CalibrationBlock] {
        var result: [CalibrationBlock] = []
        for index in 0..<blocks {
            result.append(block(.low, epochs: epochs))
            result.append(block(.high, epochs: epochs))
            if index < neutral { result.append(block(.neutral, epochs: neutralEpochs ?? epochs)) }
        }
        return result
    }

    /// A layout with as many features; what they are does not matter here.
    var layout: FeatureLayout {
        get throws {
            var layout = try FeatureLayout(labels: ["AF7", "AF8"], sampleRate: 256)
            layout.names = (0..<dimensions).map { "feature \($0)" }
            return layout
        }
    }
}

func fitting(_ candidates: [ModelKind]) -> ModelFitting {
    var fitting = ModelFitting()
    fitting.candidates = candidates
    return fitting
}
