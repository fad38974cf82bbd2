import Acquisition
import Testing

@Suite struct FlatlineWatchTests {
    /// What is said of a signal of 17 values a second, `still` of them the same from the 100th on.
    private func said(still: Int) -> [Bool?] {
        var watch = FlatlineWatch()
        return (0..<400).map { index in
            let isStill = (100..<100 + still).contains(index)
            return watch.take([isStill ? 4.05 : Double(index % 7)], at: Double(index) / 17)
        }
    }

    @Test func aSignalIsFlatAfterThreeSecondsWithoutAChange() {
        let said = said(still: 200)
        #expect(said.prefix(51).allSatisfy { $0 == nil })
        #expect(said[51..<151].allSatisfy { $0 == false })
        #expect(said[152..<300].allSatisfy { $0 == true })
        #expect(said[300...].allSatisfy { $0 == false })
    }

    @Test func pausesBetweenBeatsAreNotFlat() {
        #expect(said(still: 45).allSatisfy { $0 != true })
    }

    @Test func aPauseBeginsAnew() {
        var watch = FlatlineWatch()
        for index in 0..<100 { _ = watch.take([1], at: Double(index) / 17) }
        #expect(watch.take([1], at: 20) == nil)
        #expect(watch.take([1], at: 20.5) == nil)
    }
}
