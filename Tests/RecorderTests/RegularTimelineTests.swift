import Devices
import Foundation
import Recorder
import Signals
import TestSupport
import Testing

@Suite struct RegularTimelineTests {
    private static func place(
        _ feed: Feed, _ packets: [(samples: DeviceSamples, arrival: Seconds)], interrupting: [Seconds: Gap.Reason] = [:]
    ) -> (placed: [RegularTimeline.Placed], report: ClockReport) {
        var timeline = RegularTimeline(feed.stream.header, clock: feed.stream.clock)
        var placed: [RegularTimeline.Placed] = []
        var interruptions = interrupting
        for (samples, arrival) in packets {
            for (moment, reason) in interruptions where moment <= arrival {
                timeline.interrupt(reason)
                interruptions[moment] = nil
            }
            timeline.place(samples, arrived: arrival, into: &placed)
        }
        timeline.finish(into: &placed)
        return (placed, timeline.report)
    }

    @Test func oneSegmentWhenNothingIsLost() {
        let feed = Feed()
        let (placed, report) = Self.place(feed, feed.packets(60))
        let stretches = placed.stretches
        #expect(stretches.count == 1)
        #expect(stretches[0].samples == (0..<15_000).map { Float($0) })
        #expect(stretches[0].start.gap == nil && stretches[0].start.onset == stretches[0].clock)
        #expect(abs(stretches[0].start.onset - feed.start - feed.leastDelay) <= feed.jitter)
        #expect(report.lost == 0 && report.restarts == 0 && report.jumps.isEmpty)
    }

    /// As where a session ends right after a reconnection.
    @Test func theOffsetsOfASingleFrameLieAtSeveralMoments() {
        var feed = Feed(rate: 4)
        feed.packet = 1
        var packets = feed.packets(20)
        packets[79].samples.restarted = true
        let (placed, _) = Self.place(feed, packets, interrupting: [packets[79].arrival - 0.01: .deviceLost])
        let offsets = placed.compactMap { piece -> Seconds? in
            guard case .offset(let clock, _) = piece, clock > 1_000 else { return nil }
            return clock
        }
        #expect(offsets.count >= 3 && Set(offsets).count >= 2)
    }

    /// Packets lost for less than a second leave NaN in their place; every frame keeps its own.
    @Test func shortLossesKeepTime() {
        let feed = Feed()
        let packets = feed.packets(60).filter {
            !(300..<312).contains($0.samples.index / 12) && $0.samples.index / 12 % 50 != 7
        }
        let (placed, report) = Self.place(feed, packets)
        let stretches = placed.stretches
        #expect(stretches.count == 1)
        for (place, value) in stretches[0].samples.enumerated() where !value.isNaN { #expect(value == Float(place)) }
        let missing = stretches[0].samples.count { $0.isNaN }
        #expect(missing == report.lost && missing == 12 * 12 + 24 * 12)
    }

    /// A longer loss is a gap of the right length, with the reason that was told; time goes on as the clock says.
    @Test func longLossesAreGaps() throws {
        var feed = Feed()
        feed.drift = 50
        let packets = feed.packets(120).filter { !(15_000..<18_000).contains($0.samples.index) }
        let (placed, report) = Self.place(feed, packets, interrupting: [65: .bufferOverrun])
        let stretches = placed.stretches
        #expect(stretches.count == 2 && report.lost == 3_000)
        let second = stretches[1]
        #expect(second.start.sample == 18_000 && second.samples[0] == 18_000)
        let gap = try #require(second.start.gap)
        #expect(gap.reason == .bufferOverrun && abs(gap.duration - 12) < 0.05)
        // On the stream's own clock the distance is exact.
        #expect(abs(second.clock - stretches[0].clock - 72) < 1e-9)
        #expect(abs(second.start.onset - feed.time(18_000) - feed.leastDelay) < 0.002)
    }

    @Test func repeatedAndLateFramesAreDropped() {
        let feed = Feed()
        var packets = feed.packets(20)
        packets.insert((packets[30].samples, packets[31].arrival), at: 32)
        packets.swapAt(60, 61)
        let (placed, report) = Self.place(feed, packets)
        let samples = placed.stretches.flatMap(\.samples)
        for (place, value) in samples.enumerated() where !value.isNaN { #expect(value == Float(place)) }
        #expect(report.repeated == 24 && report.lost == 12 && placed.stretches.count == 1)
    }

    /// Reconnections, counters that begin anew or jump without a word: a new segment, never a wrong place.
    @Test(arguments: ["announced", "unannounced", "ahead"])
    func clocksThatBeginAnew(how: String) throws {
        let feed = Feed()
        let packets = feed.packets(60).map { packet -> (samples: DeviceSamples, arrival: Seconds) in
            guard packet.samples.index >= 7_500 else { return packet }
            var samples = packet.samples
            switch how {
            case "announced":
                samples.index -= 7_500
                samples.restarted = samples.index == 0
                return (samples, packet.arrival + 3)
            case "unannounced": samples.index -= 7_500
            default: samples.index += 50_000_000
            }
            return (samples, packet.arrival)
        }
        let (placed, report) = Self.place(feed, packets, interrupting: how == "announced" ? [31: .deviceLost] : [:])
        let stretches = placed.stretches
        #expect(stretches.count == 2 && report.restarts == 1)
        #expect(stretches.flatMap(\.samples) == (0..<15_000).map { Float($0) })
        let gap = try #require(stretches.last?.start.gap)
        #expect(gap.reason == (how == "announced" ? .deviceLost : .clockReset))
        #expect(abs(gap.duration - (how == "announced" ? 3 : 0)) < 0.05)
        #expect(stretches[1].clock - stretches[0].clock > 900_000)
    }

    /// Streams that only count what arrives: a silence is a gap.
    @Test func silenceOfAnUncountedStream() throws {
        let feed = Feed(rate: 20, clock: .arrival)
        let packets = feed.packets(60).map { ($0.samples, $0.arrival + ($0.samples.index > 600 ? 4.0 : 0)) }
        let stretches = Self.place(feed, packets).placed.stretches
        #expect(stretches.count == 2)
        let gap = try #require(stretches.last?.start.gap)
        #expect(gap.reason == .deviceLost && abs(gap.duration - 4) < 0.7)
    }

    /// The clock offsets tell the host's time at any time of the stream's own clock, also after it began anew.
    @Test func offsetsLeadToTheHostsTime() {
        var feed = Feed()
        feed.drift = -50
        var packets = feed.packets(600)
        let restart = packets.firstIndex { $0.samples.index >= 75_000 } ?? 0
        let first = packets[restart].samples.index
        packets[restart].samples.restarted = true
        for index in restart..<packets.count { packets[index].samples.index -= first }
        let (placed, _) = Self.place(feed, packets)
        let clocks = placed.stretches.map(\.clock)
        var count = [0, 0]
        for piece in placed {
            guard case .offset(let clock, let offset) = piece else { continue }
            let epoch = clock > 900_000 ? 1 : 0
            count[epoch] += 1
            let frame = (clock - clocks[epoch]) * feed.rate + Double(epoch * first)
            let truth = feed.start + frame / (feed.rate * (1 + feed.drift * 1e-6)) + feed.leastDelay
            if clock - clocks[epoch] > 5 { #expect(abs(clock + offset - truth) < 0.001, "\(clock)") }
        }
        #expect(count.allSatisfy { $0 > 58 }, "\(count)")
    }
}
