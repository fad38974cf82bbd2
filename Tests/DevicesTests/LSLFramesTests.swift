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
        return events(LSLConversation(), [LSLMessage.info(Self.info(rate)).bytes] + chunks)
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

    @Test(arguments: [247.0, 249.5, 250, 254])
    func aSendersOwnRateIsNoLossAndIsToldWhereItDiffers(rate: Double) {
        let stamps = (0..<25_000).map { ($0, Double($0) / rate) }
        let said = said(250, stamps)
        #expect(errors(said, count: stamps.count).allSatisfy { $0 == 0 })
        let told = said.compactMap { if case .log(let text) = $0 { text } else { nil } }
            .filter { $0.contains("it declares 250.0") }
        #expect(told.count == (abs(rate - 250) > 1 ? 1 : 0))
        if let text = told.first { #expect(text.contains("count \(rate) samples a second")) }
    }

    @Test func aStampThatGoesBackOnceChangesNothing() {
        var stamps = (0..<2_500).map { (place: $0, stamp: Double($0) / 250) }
        stamps[1_000].stamp -= 0.7
        #expect(errors(said(250, stamps), count: stamps.count).allSatisfy { $0 == 0 })
    }
}
