import Kernels
import TestSupport
import Testing

/// Passes over samples, against the plain way.
struct ScansTests {
    private static func values(_ count: Int) -> [Float] {
        var random = SplitMix64(seed: UInt64(count))
        return (0..<count).map { _ in Float.random(in: -300...300, using: &random).rounded() }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 7, 8, 33, 256, 1_001])
    func theyAreWhatThePlainWayGives(count: Int) {
        let values = Self.values(count)
        let (largest, glance) = (Scans.largestMagnitude(values.span), Scans.look(values.span))
        #expect(largest == values.map(abs).max() ?? 0 && glance.largest == largest)
        // Whole numbers: every order of adding gives the same.
        #expect(glance.sum == values.reduce(0) { $0 + Double($1) })
        let others = Array(values.reversed())
        var lower = values
        Scans.lower(&lower, to: others.span)
        #expect(lower == zip(values, others).map { min($0, $1) })
        guard count > 4 else { return }
        let differences = Scans.differences(values.span, around: 2..<count - 2, reach: 2)
        #expect(differences == (2..<count - 2).map { values[$0 + 2] - values[$0 - 2] })
        let largestDifference = Scans.largestDifference(values.span, around: 2..<count - 2, reach: 2)
        #expect(largestDifference == differences.map(abs).max())
    }

    @Test(arguments: [0, 1, 2, 3, 8, 9, 10, 33, 256, 1_001])
    func aRowWithoutItsLevelAndItsLineIsWhatThePlainWayGives(count: Int) {
        let (values, level, middle) = (Self.values(count), Float(17), Double(count - 1) / 2)
        var row = [Float](repeating: 1, count: count + 2)
        let swing = Scans.centre(values.span, at: level, into: &row, at: 1)
        let plain = values.map { $0 - level }
        #expect(row == [1] + plain + [1])
        #expect(swing.moment == plain.enumerated().reduce(0) { $0 + (Double($1.offset) - middle) * Double($1.element) })
        #expect(swing.peak == plain.map(abs).max() ?? 0)
        #expect(swing.jump == zip(plain.dropFirst(), plain).map { abs($0 - $1) }.max() ?? 0)
        Scans.takeOutLine(moment: swing.moment, of: &row, 1..<count + 1)
        guard count > 1 else { return }
        let slope = swing.moment * 12 / (Double(count) * (Double(count) * Double(count) - 1))
        let level0 = plain.enumerated().map { $0.element - Float(slope * (Double($0.offset) - middle)) }
        #expect(row == [1] + level0 + [1])
    }

    @Test func whatIsNotFiniteIsSeen() {
        for place in [0, 5, 12, 30] {
            var values = Self.values(31)
            values[place] = -.infinity
            let endless = Scans.largestMagnitude(values.span)
            values[place] = -.nan
            let none = Scans.largestMagnitude(values.span)
            #expect(endless == .infinity && none.isNaN)
            let seen = Scans.look(values.span)
            #expect(seen.largest.isNaN)
        }
    }

    @Test func threeEqualValuesInARowAreFoundWhereverTheyAre() {
        let rising = (0..<40).map { Float($0 / 2) }
        let inRising = Scans.hasThreeEqual(rising.span)
        let seen = Scans.look(rising.span)
        #expect(!inRising && !seen.hasThreeEqual)
        for place in 0..<38 {
            var values = rising
            for index in place..<place + 3 { values[index] = -1 }
            let (isFound, seen) = (Scans.hasThreeEqual(values.span), Scans.look(values.span))
            #expect(isFound && seen.hasThreeEqual, "\(place)")
        }
        let (two, none): ([Float], [Float]) = ([1, 1], [])
        let (inTwo, inNone) = (Scans.hasThreeEqual(two.span), Scans.hasThreeEqual(none.span))
        #expect(!inTwo && !inNone)
    }
}
