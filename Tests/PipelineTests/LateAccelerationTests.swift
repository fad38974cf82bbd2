import Cardiac
import Foundation
import Pipeline
import Signals
import Simulation
import Testing

/// A pulse whose acceleration comes late once, as when a radio that was held up hands out one stream after the other.
@Suite struct LateAccelerationTests {
    private static let streams = [
        StreamHeader(
            name: "band-bvp", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)], sampleRate: 64),
        StreamHeader(
            name: "band-acceleration", kind: .acceleration,
            channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 32),
    ]

    /// A pulse on an arm that swings, a second a piece.
    private static let seconds: [(pulse: SampleBlock, acceleration: SampleBlock)] = {
        var signal = BVPSignal(
            BVPParameters(), rhythm: HeartRhythm(HeartRhythmParameters(), seed: 4), respirationRate: 0.25)
        func swing(_ time: Seconds, _ phase: Double) -> Double {
            sin(2 * .pi * 1.9 * time + phase) + 0.4 * sin(2 * .pi * 3.8 * time + 2 * phase)
        }
        return (0..<90).map { second in
            let moments = (0..<32).map { Double(second * 32 + $0) / 32 }
            let pulse = signal.render(second * 64..<(second + 1) * 64)[0].enumerated().map { place, value in
                Float(value + 90 * swing(Double(second * 64 + place) / 64 - 0.05, 0.8))
            }
            let axes = [0.3, 1.1, 2.4].flatMap { phase in moments.map { Float(0.35 * swing($0, phase)) } }
            return (SampleBlock(pulse), SampleBlock(channelCount: 3, samples: axes))
        }
    }()

    private static let beginnings = streams.enumerated().map { stream, header in
        RecordingEvent.segment(
            stream: stream, start: SegmentStart(onset: 0, sample: 0, sampleRate: header.sampleRate))
    }

    /// What comes in each second when the acceleration of second 30 and those after it comes `late` seconds late.
    private static func arrivals(late: Int) -> [[RecordingEvent]] {
        var held: [RecordingEvent] = []
        return seconds.enumerated().map { second, blocks in
            held.append(.samples(stream: 1, blocks.acceleration))
            let isHeld = (30..<30 + late).contains(second)
            defer { if !isHeld { held = [] } }
            return (second == 0 ? beginnings : []) + [.samples(stream: 0, blocks.pulse)] + (isHeld ? [] : held)
        }
    }

    private static func live(_ arrivals: [[RecordingEvent]]) throws -> (result: CardiacResult?, waits: [[Bool]]) {
        var analysis = try LiveAnalysis(parameters: Parameters())
        analysis.declare(RecordingHeader(streams: streams, format: "XDF"))
        var updates: [LiveUpdate] = []
        let waits = arrivals.map { events in
            for event in events { analysis.take(event, into: &updates) }
            return analysis.takeWaits().map(\.isWaiting)
        }
        analysis.finish(into: &updates)
        return (analysis.results.first, waits)
    }

    @Test(arguments: [12, 20, 50]) func whatIsComputedLiveIsWhatTheFileGives(late: Int) throws {
        let live = try #require(try Self.live(Self.arrivals(late: late)).result)
        #expect(live.source.acceleration != nil)
        var track = try CardiacTrack(live.source, parameters: Parameters())
        for event in Self.arrivals(late: 0).joined() { track.take(event) }
        track.finish()
        #expect(track.result.beats.count > 40)
        #expect(live.beats == track.result.beats)
        #expect(live.quality == track.result.quality)
        #expect(live.windows == track.result.windows)
    }

    @Test func aPulseThatWaitsIsToldOnceAndThatItGoesOn() throws {
        let waits = try Self.live(Self.arrivals(late: 20)).waits
        #expect(Array(waits.joined()) == [true, false])
        // Soon enough for whoever looks at a display that stands still, and at once when it moves again.
        #expect(waits.firstIndex(of: [true]).map { (33...38).contains($0) } == true)
        #expect(waits.firstIndex(of: [false]) == 50)
        #expect(try Self.live(Self.arrivals(late: 0)).waits.allSatisfy(\.isEmpty))
    }
}
