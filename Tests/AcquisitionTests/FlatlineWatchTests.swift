import Acquisition
import Signals
import Testing

@Suite struct FlatlineWatchTests {
    /// What is said of a signal of 16 values a second, `still` of them the same from the 100th on, as they come in bursts.
    private func said(still: Int, burst: Int = 1) -> [Bool?] {
        var watch = FlatlineWatch()
        let rows = (0..<400).map { index in
            let isStill = (100..<100 + still).contains(index)
            return TimedValue(onset: Double(index) / 16, values: [isStill ? 4.05 : Double(index % 7)])
        }
        return stride(from: 0, to: 400, by: burst).map { watch.take(Array(rows[$0..<min(400, $0 + burst)])) }
    }

    @Test func aSignalIsFlatAfterThreeSecondsWithoutAChange() {
        let said = said(still: 200)
        #expect(said.prefix(48).allSatisfy { $0 == nil })
        #expect(said[48..<148].allSatisfy { $0 == false })
        #expect(said[149..<300].allSatisfy { $0 == true })
        #expect(said[300...].allSatisfy { $0 == false })
    }

    @Test(arguments: [1, 8, 30, 64]) func burstsAreJudgedAsWhatComesOneByOne(burst: Int) {
        let (one, bursts) = (said(still: 200), said(still: 200, burst: burst))
        for (place, told) in bursts.enumerated() { #expect(told == one[min(399, (place + 1) * burst - 1)]) }
    }

    @Test func pausesBetweenBeatsAreNotFlat() {
        #expect(said(still: 45).allSatisfy { $0 != true })
    }

    @Test func aPauseBeginsAnew() {
        var watch = FlatlineWatch()
        let still = (0..<100).map { TimedValue(onset: Double($0) / 16, values: [1]) }
        #expect(watch.take(still) == true)
        #expect(watch.take([TimedValue(onset: 20, values: [1])]) == nil)
        #expect(watch.take([TimedValue(onset: 22, values: [1]), TimedValue(onset: 22.5, values: [1])]) == nil)
        #expect(watch.take([]) == nil)
    }
}
