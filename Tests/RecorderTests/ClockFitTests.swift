import Devices
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

typealias RegularTimelinePlaced = RegularTimeline.Placed

@Suite struct ClockFitTests {
    /// The largest distance from truth after `settling` seconds, and the fit at the end.
    private static func worst(_ feed: Feed, _ duration: Seconds = 600, settling: Seconds) -> (Seconds, ClockFit) {
        var fit = ClockFit()
        var worst = 0.0
        for (samples, arrival) in feed.packets(duration) {
            let last = samples.index + feed.packet - 1
            #expect(fit.observe(Double(last) / feed.rate, arrived: arrival) == .follows)
            let error = fit.host(of: Double(last) / feed.rate) - feed.time(last) - feed.leastDelay
            if feed.time(last) - feed.start > settling { worst = max(worst, abs(error)) }
        }
        return (worst, fit)
    }

    @Test(arguments: [-50.0, 0, 50, 200], [false, true])
    func findsTheHostsTimeWithinAMillisecond(drift: Double, isExponential: Bool) {
        var feed = Feed()
        (feed.drift, feed.isExponential) = (drift, isExponential)
        for seed in 1...4 {
            feed.seed = UInt64(seed)
            let (worst, fit) = Self.worst(feed, settling: 30)
            #expect(worst < 0.001, "\(worst)")
            // A clock that runs fast makes the host's second shorter.
            #expect(abs(fit.drift * 1e6 + drift) < 3, "\(fit.drift * 1e6)")
            #expect(abs(fit.delay.mean - (isExponential ? 0.0098 : 0.015)) < 0.002 && fit.delay.deviation > 0.005)
        }
    }

    /// Two packets a second, as of a chest strap.
    @Test(arguments: [50.0, -800])
    func fewPacketsTakeLonger(drift: Double) {
        var feed = Feed(rate: 130)
        (feed.drift, feed.packet) = (drift, 73)
        let (worst, _) = Self.worst(feed, 1_200, settling: 300)
        #expect(worst < 0.001, "\(worst)")
    }

    /// A clock that is off by a tenth is followed all the same.
    @Test func wrongNominalRate() {
        var feed = Feed(rate: 20)
        (feed.drift, feed.packet) = (-100_000, 1)
        let (worst, _) = Self.worst(feed, settling: 60)
        #expect(worst < 0.002, "\(worst)")
    }

    /// A clock that was set runs as fast as before, whatever a busy computer makes of the first messages after it.
    @Test(arguments: 1...8) func aNewBeginningOnABusyComputerKeepsTheRate(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var fit = ClockFit()
        var worst = 0.0
        for message in 0..<64 * 320 {
            let time = Double(message) / 64
            if message == 64 * 300 { fit.restart() }
            let stamp = time * 1.00005 + (message < 64 * 300 ? 0 : 1_000)
            // In every other half second all messages come late.
            let isBusy = time > 300 && Int(time * 2).isMultiple(of: 2)
            let delay = isBusy ? Double.random(in: 0.002...0.006, using: &random) : 0
            let arrival = time + delay + Double.random(in: 0...0.005, using: &random)
            #expect(fit.observe(stamp, arrived: arrival) == .follows)
            if time > 2, !(300...302).contains(time) { worst = max(worst, abs(fit.host(of: stamp) - time)) }
        }
        #expect(worst < 0.001, "\(worst)")
    }

    @Test(arguments: [200_000.0, -200_000, 3, -3])
    func jumpsAreTold(jump: Double) {
        var feed = Feed(clock: .deviceTime)
        feed.drift = 20
        var fit = ClockFit()
        var told: [Double] = []
        for (samples, arrival) in feed.packets(120) {
            let last = Double(samples.index + feed.packet - 1) / feed.rate
            let device = last + (last > 60 ? jump : 0)
            if case .jumped(let by) = fit.observe(device, arrived: arrival) { told.append(by) }
        }
        #expect(told.count == 1)
        #expect(abs((told.first ?? 0) - jump) < 0.1, "\(told)")
        let end = feed.time(Int(120 * feed.rate))
        #expect(abs(fit.host(of: 120 + jump) - end - feed.leastDelay) < 0.005)
    }

    /// A link that stalls and then delivers what it held back is no jump.
    @Test func aBacklogIsNoJump() {
        let feed = Feed()
        var fit = ClockFit()
        var backlog = 0.0
        for (samples, arrival) in feed.packets(200) {
            let last = Double(samples.index + feed.packet - 1) / feed.rate
            // Stalled from 60 s to 90 s; then ten times as fast as usual.
            if (60..<90).contains(arrival) { backlog = 90 }
            let late = backlog == 0 ? arrival : max(arrival, 90 + (arrival - 60) / 10)
            #expect(fit.observe(last, arrived: late) == .follows)
        }
        #expect(abs(fit.host(of: 200) - feed.time(Int(200 * feed.rate)) - feed.leastDelay) < 0.001)
    }

    /// A counter that stood still while time went on.
    @Test(arguments: [3.0, 5, 8, 10], [2.0, 5, 10, 25])
    func aStallOfAYoungSessionIsNoJump(start: Seconds, length: Seconds) {
        let feed = Feed()
        var fit = ClockFit()
        var worst = 0.0
        for (samples, arrival) in feed.packets(120) {
            let last = Double(samples.index + feed.packet - 1) / feed.rate
            let isHeld = (start..<start + length).contains(arrival)
            #expect(fit.observe(last, arrived: isHeld ? start + length : arrival) == .follows)
            guard arrival > start + length + 5 else { continue }
            worst = max(worst, abs(fit.host(of: last) - feed.time(samples.index + feed.packet - 1) - feed.leastDelay))
        }
        #expect(worst < 0.005, "\(worst)")
    }

    @Test func theBacklogOfOneStreamAfterAnothersIsNoJump() {
        var fit = ClockFit()
        func send(_ times: [Seconds], of source: Int, delayedBy delay: (Seconds) -> Seconds) -> Bool {
            times.allSatisfy { fit.observe($0 + 1_000, arrived: $0 + delay($0), source: source) == .follows }
        }
        let before = (0..<100).map { Double($0) * 0.1 }
        let during = (100..<130).map { Double($0) * 0.1 }
        for time in before { #expect(send([time], of: 1) { _ in 0.01 } && send([time], of: 2) { _ in 0.01 }) }
        // Nothing comes for 3 s; then all of the one stream, then all of the other.
        for source in [1, 2] { #expect(send(during, of: source) { 13 - $0 }) }
        #expect(abs(fit.host(of: 1_013) - 13.01) < 1e-6)
    }

    @Test func aStallThatLastsIsAJump() {
        let feed = Feed()
        var fit = ClockFit()
        var told: [Double] = []
        for (samples, arrival) in feed.packets(60) {
            let last = Double(samples.index + feed.packet - 1) / feed.rate
            if case .jumped(let by) = fit.observe(last, arrived: arrival + (last > 30 ? 7 : 0)) { told.append(by) }
        }
        #expect(told.count == 1 && abs((told.first ?? 0) + 7) < 0.1, "\(told)")
    }

    @Test func nonsenseIsSurvived() {
        var fit = ClockFit()
        for (device, host) in [
            (0.0, 1.0), (.nan, 2), (.infinity, 2), (1e300, 3), (-1e300, 4), (5, .nan), (5, 5), (5, 5),
        ] {
            _ = fit.observe(device, arrived: host)
        }
        #expect(fit.host(of: 6).isFinite && fit.drift.isFinite)
    }
}
