import Devices
import Foundation
import Signals
import TestSupport
import Testing

/// Which samples of a stream of LSL are taken for lost, by stamps that are exact or jitter.
@Suite struct LSLFramesTests {
    private static func info(_ rate: Double) -> LSLStreamInfo {
        LSLStreamInfo(
            name: "amp", type: "EEG", channels: [Channel(label: "A", unit: .microvolts)], sampleRate: rate)
    }

    /// Samples whose values are their true places, those that were not lost, at their stamps.
    private func said(_ rate: Double, _ stamps: [(place: Int, stamp: Double)], chunk: Int = 25) -> [DeviceEvent] {
        let chunks = stride(from: 0, to: stamps.count, by: chunk).map { first in
            let part = stamps[first..<min(first + chunk, stamps.count)]
            return LSLMessage.chunk(stamps: part.map(\.stamp), values: part.map { Double($0.place) }).bytes
        }
        // Each arrives soon after its latest stamp, and none before the one before it.
        var moment = 0.0
        let moments = stride(from: 0, to: stamps.count, by: chunk).map { first in
            moment = max(moment, (stamps[first..<min(first + chunk, stamps.count)].map(\.stamp).max() ?? 0) + 0.01)
            return moment
        }
        return events(LSLConversation(), [LSLMessage.info(Self.info(rate)).bytes] + chunks, at: [0] + moments)
    }

    /// How far each sample lies from its place, in samples; nothing may be lost or doubled on the way.
    private func errors(_ said: [DeviceEvent], count: Int) -> [Int] {
        let found = said.samples("amp").flatMap { samples in
            samples.block.channel(0).enumerated().map { samples.index + $0.offset - Int($0.element) }
        }
        #expect(found.count == count)
        return found
    }

    @Test(arguments: [0.1, 0.2, 0.4, 0.6, 1.5])
    func aLossIsFoundBetweenExactStamps(length: Double) {
        let lost = [2.0, 6, 9.5].map { $0..<($0 + length) }
        let stamps = (0..<3_750).map { ($0, Double($0) / 250) }.filter { one in
            !lost.contains { $0.contains(one.1) }
        }
        #expect(errors(said(250, stamps), count: stamps.count).allSatisfy { $0 == 0 })
    }

    /// Senders that stamp what they push when they push it, twelve samples at a time.
    private func jittered(_ seconds: Double, by most: Double, rate: Double = 256, lost: Range<Double>? = nil)
        -> [(place: Int, stamp: Double)]
    {
        var generator = SplitMix64(seed: 11)
        var late = 0.0
        return (0..<Int(seconds * rate)).compactMap { place in
            if place % 12 == 0 { late = Double.random(in: 0...most, using: &generator) }
            let time = Double(place) / rate
            return lost?.contains(time) == true ? nil : (place, time + late)
        }
    }

    @Test(arguments: [0.005, 0.05, 0.2, 0.45])
    func stampsThatJitterAreNoLoss(most: Double) {
        let stamps = jittered(120, by: most)
        #expect(errors(said(256, stamps, chunk: 12), count: stamps.count).allSatisfy { $0 == 0 })
    }

    @Test func aLossIsFoundBetweenStampsThatJitter() {
        let stamps = jittered(40, by: 0.05, lost: 20..<20.3)
        let found = errors(said(256, stamps, chunk: 12), count: stamps.count)
        #expect(found.prefix(5_000).allSatisfy { $0 == 0 })
        #expect(found.suffix(4_500).allSatisfy { abs($0) <= 3 }, "\(Set(found))")
    }

    @Test(arguments: [247.0, 249.2, 249.95, 250, 254])
    func aSendersOwnRateIsNoLossAndIsToldWhereItDiffers(rate: Double) {
        let stamps = (0..<25_000).map { ($0, Double($0) / rate) }
        let said = said(250, stamps)
        #expect(errors(said, count: stamps.count).allSatisfy { $0 == 0 })
        let told = said.compactMap { if case .log(let text) = $0 { text } else { nil } }
            .filter { $0.contains("it declares 250.0") }
        #expect(told.count == (abs(rate - 250) > 0.1 ? 1 : 0))
        guard let text = told.first else { return }
        let hourly = (abs(250 / rate - 1) * 3_600 * 100).rounded() / 100
        #expect(text.contains("count \(rate) samples a second") && text.contains("\(hourly) s off after an hour"))
    }

    @Test func aStampThatGoesBackOnceChangesNothing() {
        var stamps = (0..<2_500).map { (place: $0, stamp: Double($0) / 250) }
        stamps[1_000].stamp -= 0.7
        #expect(errors(said(250, stamps), count: stamps.count).allSatisfy { $0 == 0 })
    }

    /// A sender of 250 samples a second that stamps what it pushes when it pushes it, each 8 ms, and pushes what waited when
    /// it hung: a second, or many, at once.
    private func hanging(_ seconds: Double, _ hangs: [Range<Double>], atOnce: Int = .max)
        -> [(place: Int, stamp: Double)]
    {
        var said: [(place: Int, stamp: Double)] = []
        for step in 0..<Int(seconds * 125) {
            let now = Double(step) / 125
            guard !hangs.contains(where: { $0.contains(now) }) else { continue }
            let due = min(Int((now * 250).rounded()) + 1 - said.count, atOnce)
            for number in 0..<max(0, due) { said.append((said.count, now + Double(number) * 2e-6)) }
        }
        return said
    }

    @Test("A sender that hung and pushes what waited lost nothing", arguments: [Int.max, 4])
    func hangs(atOnce: Int) {
        let stamps = hanging(45, [8..<10, 16..<21, 30..<30.5, 40..<40.3], atOnce: atOnce)
        let said = said(250, stamps)
        #expect(errors(said, count: stamps.count).allSatisfy { $0 == 0 })
        // Blocks bear the time of their first sample, not of the moment it was pushed at last.
        let late = said.samples("amp").map { ($0.deviceTime ?? 0) - Double($0.index) / 250 }
        #expect(late.allSatisfy { $0 < 0.51 })
    }

    private func jumps(_ said: [DeviceEvent]) -> [Seconds] {
        said.compactMap { if case .status(.clockJump("amp", let seconds)) = $0 { seconds } else { nil } }
    }

    private func repeats(_ said: [DeviceEvent]) -> [String] {
        said.compactMap { if case .log(let text) = $0, text.contains("came twice") { text } else { nil } }
    }

    @Test func samplesThatComeTwiceAreLeftOutAndTold() {
        let stamps = (0..<7_500).map { (place: $0, stamp: Double($0) / 250) }
        let twice = [0..<2_500, 2_475..<2_625, 2_500..<2_625, 2_625..<7_500].flatMap { stamps[$0] }
        let said = said(250, twice)
        #expect(errors(said, count: stamps.count).allSatisfy { $0 == 0 })
        #expect(repeats(said).reduce(0) { $0 + (Int($1.prefix { $0.isNumber }) ?? 0) } == 150)
        #expect(repeats(said).count == 1 && jumps(said).isEmpty)
    }

    /// As of senders that stamp a whole chunk alike, of a signal that stands still.
    @Test func equalSamplesOfOneMomentAreNotThoseBefore() {
        let stamps = (0..<2_500).map { (place: 7, stamp: Double($0 / 5) / 50) }
        let said = said(250, stamps)
        #expect(said.samples("amp").reduce(0) { $0 + $1.block.frameCount } == 2_500 && repeats(said).isEmpty)
    }

    @Test func stampsThatStayEarlyAreAClockThatWasSet() throws {
        let stamps = (0..<10_000).map { place in
            (place, Double(place) / 250 + ((2_500..<5_000).contains(place) ? 0.4 : 0))
        }
        let said = said(250, stamps)
        let blocks = said.samples("amp")
        #expect(blocks.flatMap { $0.block.channel(0) } == (0..<10_000).map { Float($0) })
        let jump = try #require(jumps(said).first)
        #expect(jumps(said).count == 1 && abs(jump + 0.4) < 0.001)
        let again = try #require(blocks.first { $0.restarted })
        #expect(blocks.count { $0.restarted } == 1 && again.block.channel(0)[0] == 5_000 && again.index == 0)
        #expect(again.deviceTime == 20)
        // Later by as much it was taken for a loss.
        #expect(try #require(blocks.last { $0.block.channel(0)[0] < 5_000 }?.index) >= 2_600)
    }
}
