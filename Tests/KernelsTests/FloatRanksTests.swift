import Kernels
import TestSupport
import Testing

/// Order statistics by radix selection, against sorting.
struct FloatRanksTests {
    private static func values(_ count: Int, _ seed: UInt64) -> [Float] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: 0
            case 1: Float.random(in: -1e-3...1e-3, using: &random)
            case 2: 7.25
            case 3: Float.random(in: -1e20...1e20, using: &random)
            default: Float.random(in: -100...100, using: &random)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 64, 255, 1_140, 20_000], [false, true])
    func theyAreThoseOfTheSortedValues(count: Int, ofMagnitudes: Bool) {
        var ranks = FloatRanks()
        for seed in 0..<4 {
            let values = Self.values(count, UInt64(seed))
            let sorted = (ofMagnitudes ? values.map(abs) : values).sorted()
            if ofMagnitudes { ranks.load(magnitudesOf: values.span) } else { ranks.load(values.span) }
            for rank in Set([0, count / 3, count / 2, count - 1]) { #expect(ranks.value(at: rank) == sorted[rank]) }
            for share in [0, 0.1, 0.3, 0.5, 0.77, 1] {
                #expect(ranks.quantile(share) == Statistics.quantile(sorted.map(Double.init), share), "\(share)")
            }
        }
    }

    @Test(arguments: [1, 2, 9, 255, 608, 5_000], [false, true])
    func anExpectationRightOrWrongChangesNothing(count: Int, ofMagnitudes: Bool) {
        var ranks = FloatRanks()
        for seed in 0..<4 {
            let values = Self.values(count, UInt64(seed))
            if ofMagnitudes { ranks.load(magnitudesOf: values.span) } else { ranks.load(values.span) }
            for share in [0, 0.1, 0.3, 0.5, 0.77, 1] {
                let usual = ranks.quantile(share)
                let centre = Float(usual)
                for reach: Float in [0, 1e-3, 0.5, 20, 1e21] {
                    #expect(ranks.quantile(share, expected: centre - reach...centre + reach) == usual, "\(reach)")
                    #expect(ranks.quantile(share, expected: centre + reach...centre + reach + 1) == usual, "\(reach)")
                    #expect(ranks.quantile(share, expected: -.infinity ... -reach) == usual, "\(reach)")
                }
            }
        }
    }

    @Test func whatIsNoNumberIsTold() {
        var ranks = FloatRanks()
        let (withoutNumber, endless, none): ([Float], [Float], [Float]) = ([1, -.nan, 2], [1, -.infinity, 2], [])
        ranks.load(withoutNumber.span)
        #expect(ranks.quantile(0.5).isNaN)
        ranks.load(magnitudesOf: endless.span)
        #expect(ranks.quantile(0.25) == 1.5)
        ranks.load(endless.span)
        #expect(ranks.quantile(0.75) == 1.5 && ranks.value(at: 0) == -.infinity)
        ranks.load(none.span)
        #expect(ranks.quantile(0.5).isNaN)
    }
}
