import Quality
import Testing

/// Shares of windows as shares of time.
struct WindowPlacesTests {
    @Test func aLongGapThatIsOneWindowCountsAsLongAsItIs() {
        // Windows of 10 s every second; from 100 to 1000 s there is nothing.
        let before = (0...99).map(Double.init), after = (991...1_190).map(Double.init)
        let onsets = before + [100] + after
        let durations = onsets.map { $0 == 100 ? 900.0 : 10 }
        let places = WindowPlaces(onsets: onsets, durations: durations)
        #expect(places.step == 1 && places.usual == 10)
        #expect(places.counts.reduce(0, +) == 1_191 && places.counts[100] == 891)
        #expect(places.share { $0 == 100 } == 891 / 1_191.0)
        #expect(places.mean(onsets.map { $0 == 100 ? 0 : 1 }) == 300 / 1_191.0)
    }

    @Test func whatIsNotKnownCountsForNoMean() {
        let places = WindowPlaces(onsets: [0, 5, 10], durations: [5, 5, 5])
        #expect(places.mean([1, .nan, 0.5]) == 0.75)
        #expect(places.mean([.nan, .nan, .nan]) == nil)
    }

    @Test(arguments: [[], [0.0], [.nan], [0, 0]])
    func fewOrOddWindowsCountOnce(onsets: [Double]) {
        let places = WindowPlaces(onsets: onsets, durations: onsets.map { _ in 7 })
        #expect(places.counts == onsets.map { _ in 1 })
        #expect(places.share { _ in true } == (onsets.isEmpty ? 0 : 1))
    }
}
