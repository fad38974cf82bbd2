import Quality
import TestSupport
import Testing

/// The middle of magnitudes, beside sorting them.
struct MiddleValueTests {
    @Test("the middle is that of the sorted magnitudes, however many there are, and the lower one of two")
    func sorted() {
        var random = SplitMix64(seed: 7)
        for count in Array(1...40) + [127, 128, 129, 130, 250, 251, 255, 256, 1_000, 2_501] {
            for spread in [Float(0.001), 1, 1e6] {
                // Halves are rounded: many are the same.
                let values = (0..<count).map { _ in (Float.random(in: -8...8, using: &random) * 2).rounded() * spread }
                let order = values.map(\.magnitude).sorted()
                #expect(MiddleValue.of(count) { values[$0] } == order[(count - 1) / 2], "\(count) of \(spread)")
                let known = (count + 1) / 2
                #expect(MiddleValue.of(count, outOf: known) { values[$0] } == order[(known - 1) / 2])
            }
        }
        #expect(MiddleValue.of(0) { _ in 1 } == 0)
    }

    @Test("infinite magnitudes are beyond all others", arguments: [5, 301])
    func infinite(count: Int) {
        let values = (0..<count).map { $0 % 3 == 0 ? Float.infinity : -Float($0) }
        let order = values.map(\.magnitude).sorted()
        #expect(MiddleValue.of(count) { values[$0] } == order[(count - 1) / 2])
    }
}
