import Acquisition
import Testing

@Suite struct ReconnectionTests {
    @Test func waitsGrowUpToTheLimit() {
        let reconnection = Reconnection(first: 0.5, factor: 2, longest: 15)
        let waits = (1...8).map { reconnection.wait(afterFailures: $0) }
        #expect(waits == [0.5, 1, 2, 4, 8, 15, 15, 15])
        #expect(reconnection.wait(afterFailures: 1_000_000) == 15)
    }

    @Test func aLimitedNumberOfAttemptsEnds() {
        let reconnection = Reconnection(attempts: 3)
        #expect(reconnection.wait(afterFailures: 2) != nil)
        #expect(reconnection.wait(afterFailures: 3) == nil)
    }
}
