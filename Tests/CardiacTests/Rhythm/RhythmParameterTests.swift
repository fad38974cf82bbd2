import Cardiac
import Testing

/// What is said of parameters of rhythm that have no meaning, those included that bound others.
struct RhythmParameterTests {
    private func refusal(_ change: (inout RhythmParameters) -> Void) -> InvalidParameter? {
        var parameters = RhythmParameters()
        change(&parameters)
        do { try parameters.validate() } catch { return error }
        return nil
    }

    @Test func `the defaults have a meaning`() {
        #expect(refusal { _ in } == nil)
    }

    @Test(arguments: [-1, 0, 1, 5, 7, 11, 1_001, .max, .min])
    func `a number of intervals that bounds another is refused itself`(count: Int) {
        #expect(refusal { $0.irregularIntervals = count }?.name == "rhythm.irregularIntervals")
    }

    @Test(arguments: [-1e300, -1, 0, 1e-9, 2, 1e300, .nan, .infinity])
    func `a sparsity that bounds another is refused itself`(sparsity: Double) {
        #expect(refusal { $0.irregularFrom = sparsity }?.name == "rhythm.irregularFrom")
    }

    @Test(arguments: [-1, 0, 1_000, 1e300, .nan, .infinity])
    func `a rate that bounds another is refused itself`(rate: Double) {
        #expect(refusal { $0.bradycardiaRate = rate }?.name == "rhythm.bradycardiaRate")
    }

    @Test func `a parameter beyond the one that bounds it is refused with its range`() {
        let fewest = refusal { $0.fewestIrregularIntervals = 50 }
        #expect(fewest?.name == "rhythm.fewestIrregularIntervals" && fewest?.expected == "8.0 to 48.0")
        #expect(refusal { $0.irregularUntil = 0.08 }?.expected == "0.001 to 0.07")
        #expect(refusal { $0.tachycardiaRate = 40 }?.name == "rhythm.tachycardiaRate")
    }
}
