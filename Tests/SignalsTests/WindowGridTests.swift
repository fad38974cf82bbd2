import Signals
import Testing

@Suite struct WindowGridTests {
    /// The windows that end by `end`, one by one.
    private func counted(_ length: Seconds, _ step: Seconds, endingBy end: Seconds) -> [WindowPlace] {
        var places: [WindowPlace] = []
        while Double(places.count) * step + length <= end {
            places.append(WindowPlace(onset: Double(places.count) * step, duration: length))
        }
        return places
    }

    private func taken(_ grid: inout WindowGrid, endingBy end: Seconds, dataEnd: Seconds) -> [WindowPlace] {
        var places: [WindowPlace] = []
        while let place = grid.take(endingBy: end, dataEnd: dataEnd) { places.append(place) }
        return places
    }

    @Test(arguments: [(300.0, 30.0), (60, 10), (10, 0.1), (0.7, 0.7), (300, 3_600), (1.1, 0.3)])
    func `a gap of many windows is one that ends with the last of them`(length: Seconds, step: Seconds) {
        for end in [length, 17 * step + length, 4_000 * step, 4_000.5 * step + 0.01, 1_234.5678 * step + length] {
            let expected = counted(length, step, endingBy: end)
            for most in [0, 100, 1_000_000] {
                var grid = WindowGrid(length: length, step: step, mostEmpty: most)
                let found = taken(&grid, endingBy: end, dataEnd: -.infinity)
                #expect(found.first?.onset == 0)
                #expect(found.count == (expected.count > most ? 1 : expected.count))
                #expect(abs((found.last?.end ?? 0) - (expected.last?.end ?? 0)) < 1e-9)
                #expect(grid.onset == Double(expected.count) * step, "the grid goes on where the gap's windows end")
            }
        }
    }

    @Test func `windows with data before their end are never joined`() {
        var grid = WindowGrid(length: 300, step: 30, mostEmpty: 3)
        #expect(taken(&grid, endingBy: 900, dataEnd: 900) == counted(300, 30, endingBy: 900))
        // Data until 700: the windows from 630 to 690 hold some of them, those from 720 on none.
        var torn = WindowGrid(length: 300, step: 30, mostEmpty: 3)
        let found = taken(&torn, endingBy: 2_000, dataEnd: 700)
        #expect(found.prefix(24) == counted(300, 30, endingBy: 2_000).prefix(24))
        #expect(found.dropFirst(24) == [WindowPlace(onset: 720, duration: 1_260)])
    }

    @Test func `no window lies where nothing can be`() {
        for end in [1e12, 1e300, .infinity, .nan, -1e300] as [Seconds] {
            var grid = WindowGrid(length: 60, step: 10)
            #expect(grid.take(endingBy: end, dataEnd: -.infinity) == nil)
        }
        var grid = WindowGrid(length: 60, step: 10)
        #expect(taken(&grid, endingBy: 9.99e11, dataEnd: 0).count == 2)
        for start in [1e300, -1e300] as [Seconds] {
            var far = WindowGrid(length: 60, step: 1e-9, from: start)
            #expect(far.isFresh && far.take(endingBy: 1e11, dataEnd: .infinity)?.duration != 0)
        }
    }
}
