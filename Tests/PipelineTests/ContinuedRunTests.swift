import Electrodermal
import Foundation
import Motion
import Pipeline
import Quality
import Signals
import TestSupport
import Testing

/// Skin conductance, motion and temperature are the same whether a file marks short losses or leaves them out.
struct ContinuedRunTests {
    /// Samples of each channel, and every how many one is missing.
    private func recording(_ kind: StreamKind, rate: Double, every period: Int, _ channels: [[Float]], isMarked: Bool)
        -> Recording
    {
        let unit: Signals.Unit =
            switch kind {
            case .eda: .microsiemens
            case .temperature: .degreesCelsius
            default: .g
            }
        let header = StreamHeader(
            name: "sensor", kind: kind, channels: channels.indices.map { Channel(label: "c\($0)", unit: unit) },
            sampleRate: rate)
        func segment(_ places: Range<Int>, _ taken: Int) -> Segment {
            let samples = channels.flatMap { channel in
                places.map { $0 % period == period - 1 ? Float.nan : channel[$0] }
            }
            return Segment(
                start: SegmentStart(onset: Double(places.lowerBound) / rate, sample: taken, sampleRate: rate),
                block: SampleBlock(channelCount: channels.count, samples: samples))
        }
        let count = channels[0].count
        let segments =
            isMarked
            ? [segment(0..<count, 0)]
            : (0..<count / period).map { segment($0 * period..<($0 + 1) * period - 1, $0 * (period - 1)) }
        return Recording(
            header: RecordingHeader(streams: [header], format: "test"),
            streams: [Signals.Stream(header: header, segments: segments)])
    }

    private func events(of recording: Recording, _ take: (RecordingEvent) -> Void) {
        let events = RecordedEvents(recording, blockDuration: 1)
        while let event = events.next() { take(event) }
    }

    @Test(arguments: [(32.0, 64), (8, 2), (8, 8), (4, 52)])
    func `responses are those of the same samples marked as missing`(rate: Double, period: Int) throws {
        func form(_ age: Double) -> Double { age > 0 ? (exp(-age / 2) - exp(-age / 0.7)) / 0.36887 : 0 }
        let count = Int(320 * rate) / period * period
        let skin = (0..<count).map { k in
            Float((1..<16).reduce(5) { $0 + 0.5 * form(Double(k) / rate - 20 * Double($1)) })
        }
        func result(isMarked: Bool) throws -> ElectrodermalResult {
            let recording = recording(.eda, rate: rate, every: period, [skin], isMarked: isMarked)
            let source = try #require(BodySource.all(in: recording.header).first)
            var track = try ElectrodermalTrack(source, in: recording.header, parameters: Parameters())
            events(of: recording) { track.take($0) }
            track.finish()
            return track.result
        }
        let (marked, leftOut) = (try result(isMarked: true), try result(isMarked: false))
        #expect(marked.responses.count >= (rate > 4 ? 15 : 10))
        #expect(leftOut.responses.map(\.amplitude) == marked.responses.map(\.amplitude))
        #expect(leftOut.windows.map(\.responseCount) == marked.windows.map(\.responseCount))
        // Only what is marked has a sample after the last one that is there.
        #expect(zip(leftOut.quality, marked.quality).allSatisfy { $0.isGood == $1.isGood })
    }

    @Test func `steps are those of the same samples marked as missing`() throws {
        let walk = (0..<3_000).map { k in Float(1 + 0.3 * sin(2 * .pi * 1.6 * Double(k) / 50)) }
        let none = [Float](repeating: 0, count: walk.count)
        func epochs(isMarked: Bool) throws -> [MotionEpoch] {
            let recording = recording(.acceleration, rate: 50, every: 100, [walk, none, none], isMarked: isMarked)
            let source = try #require(BodySource.all(in: recording.header).first)
            var track = try MotionTrack(source, parameters: Parameters())
            events(of: recording) { track.take($0) }
            track.finish()
            return track.result.epochs
        }
        let (marked, leftOut) = (try epochs(isMarked: true), try epochs(isMarked: false))
        #expect(!marked.isEmpty && leftOut == marked)
    }

    @Test func `temperature is that of the same samples marked as missing`() throws {
        let skin = (0..<2_400).map { k in Float(33 + 0.3 * sin(Double(k) / 400)) }
        func windows(isMarked: Bool) throws -> Int {
            let recording = recording(.temperature, rate: 4, every: 8, [skin], isMarked: isMarked)
            let source = try #require(BodySource.all(in: recording.header).first)
            var track = try MotionTrack(source, parameters: Parameters())
            events(of: recording) { track.take($0) }
            track.finish()
            #expect(track.result.quality.allSatisfy { $0.coverage > 0.8 })
            return track.result.temperature.count
        }
        #expect(try windows(isMarked: true) == windows(isMarked: false))
    }
}
