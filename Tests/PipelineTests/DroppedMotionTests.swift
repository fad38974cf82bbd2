import Foundation
import Motion
import Pipeline
import Quality
import Signals
import TestSupport
import Testing

/// Acceleration and temperature whose middle is noise.
struct DroppedMotionTests {
    private static let noisy = 180.0..<420

    /// Ten minutes of a stream; from 180 s to 420 s noise of this size is added to each channel.
    private func track(
        _ kind: StreamKind, rate: Double, noise: Double, block: Seconds = 1, epoch: Seconds = 5,
        _ channels: [(Seconds) -> Double],
        watch: (MotionResult, Seconds) -> Void = { _, _ in }
    ) throws -> MotionResult {
        var random = SplitMix64(seed: 11)
        let frames = Int(600 * rate)
        let samples = channels.flatMap { channel in
            (0..<frames).map { k -> Float in
                let time = Double(k) / rate
                let unit = (0..<12).reduce(-6.0) { sum, _ in sum + Double(random.next() >> 11) / 9_007_199_254_740_992 }
                return Float(channel(time) + (Self.noisy.contains(time) ? noise : min(noise, 0.001)) * unit)
            }
        }
        let unit: Signals.Unit = kind == .temperature ? .degreesCelsius : .g
        let header = StreamHeader(
            name: "sensor", kind: kind, channels: channels.indices.map { Channel(label: "c\($0)", unit: unit) },
            sampleRate: rate, frameCount: frames)
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: rate),
            block: SampleBlock(channelCount: channels.count, samples: samples))
        let recording = Recording(
            header: RecordingHeader(duration: 600, streams: [header], format: "test"),
            streams: [Signals.Stream(header: header, segments: [segment])])
        let source = try #require(BodySource.all(in: recording.header).first)
        var parameters = Parameters()
        parameters.motion.epoch = epoch
        var track = try MotionTrack(source, parameters: parameters)
        let events = RecordedEvents(recording, blockDuration: block)
        var frame = 0
        while let event = events.next() {
            track.take(event)
            if case .samples(_, let block) = event { frame += block.frameCount }
            watch(track.result, Double(frame) / rate)
        }
        track.finish()
        return track.result
    }

    private func steady(block: Seconds = 1) throws -> MotionResult {
        try track(.temperature, rate: 4, noise: 2, block: block, [{ 33 + 0.2 * sin($0 / 200) }])
    }

    @Test func `of temperature that is noise nothing is told`() throws {
        let result = try steady()
        try #require(result.temperature.count == 10)
        for row in result.table.rows[4..<6] { #expect(row[2] == .number(0) && row[3...].allSatisfy { $0 == .missing }) }
        for (row, window) in zip(result.table.rows, result.temperature) where window.onset < 120 || window.onset >= 480
        {
            #expect(row[2] == .number(1) && row[5] == .integer(1) && row[3] != .missing && row[4] != .missing)
        }
    }

    @Test func `a sensor off the body is told as not worn`() throws {
        let result = try track(.temperature, rate: 4, noise: 0.001, [{ $0 < 300 ? 33 : max(21, 33 - ($0 - 300) / 5) }])
        #expect(result.quality.contains { !$0.isGood } && result.temperature.allSatisfy { !$0.isDropped })
        #expect(result.temperature.map(\.isWorn) == (0..<10).map { $0 < 5 })
    }

    @Test func `noise in acceleration makes no steps`() throws {
        let axes: [(Seconds) -> Double] = [{ _ in 0 }, { _ in 0 }, { 1 + 0.3 * sin(2 * .pi * 1.8 * $0) }]
        let result = try track(.acceleration, rate: 32, noise: 0.4, axes)
        let epochs = zip(result.table.rows, result.epochs)
        for (row, epoch) in epochs where epoch.onset >= 190 && epoch.onset < 410 {
            #expect(row[2] == .number(0) && row[3...].allSatisfy { $0 == .missing })
        }
        let walking = result.epochs.filter { $0.onset >= 10 && $0.onset < 165 || $0.onset >= 435 && $0.onset < 590 }
        #expect(walking.count == 62 && walking.allSatisfy { $0.coverage == 1 && !$0.isDropped && ($0.steps ?? 0) >= 8 })
    }

    @Test func `what noise adds to an epoch that it fills in part is in neither counts nor steps`() throws {
        let axes: [(Seconds) -> Double] = [{ _ in 0 }, { _ in 0 }, { 1 + 0.3 * sin(2 * .pi * 1.8 * $0) }]
        let epochs = try track(.acceleration, rate: 32, noise: 0.4, epoch: 100, axes).epochs
        try #require(epochs.count == 6)
        #expect(epochs.map(\.isDropped) == [false, false, true, true, false, false])
        let whole = epochs[0]
        #expect(whole.coverage == 1 && abs((whole.steps ?? 0) - 180) <= 2)
        for epoch in [epochs[1], epochs[4]] {
            #expect(epoch.coverage > 0.7 && epoch.coverage < 0.8)
            let (counts, steps) = (epoch.counts / epoch.coverage, Double(epoch.steps ?? 0) / epoch.coverage)
            #expect(abs(counts - whole.counts) < 0.05 * whole.counts, "\(counts) \(whole.counts)")
            #expect(abs(steps - 180) < 6, "\(steps)")
        }
        #expect(epochs.allSatisfy { $0.moments.isEmpty })
    }

    @Test(arguments: [0.25, 13, 600])
    func `rows wait for their quality in whatever pieces samples come`(block: Seconds) throws {
        #expect(try steady(block: block).temperature == steady().temperature)
    }

    @Test func `a sensor that is stuck is told from when that has lasted a minute`() throws {
        let result = try track(.temperature, rate: 4, noise: 0, [{ 33 + 0.2 * sin(min($0, 300) / 200) }])
        #expect(result.temperature.map(\.isDropped) == (0..<10).map { $0 > 5 })
        #expect(result.temperature[5].coverage > 0.9 && result.temperature[5].coverage < 1)
    }

    @Test func `rows come seconds after their time, not a minute`() throws {
        var told: [Seconds] = []
        let temperature = try track(.temperature, rate: 4, noise: 2, block: 0.25, [{ 33 + 0.2 * sin($0 / 200) }]) {
            while told.count < $0.temperature.count { told.append($1) }
        }
        let lates = zip(temperature.temperature, told).map { $1 - $0.onset - $0.duration }
        // The last ones come at the end.
        #expect(lates.count == 9 && lates.allSatisfy { $0 <= 10 })
        told = []
        let axes: [(Seconds) -> Double] = [{ _ in 0 }, { _ in 0 }, { 1 + 0.3 * sin(2 * .pi * 1.8 * $0) }]
        let motion = try track(.acceleration, rate: 32, noise: 0.4, block: 0.25, axes) {
            while told.count < $0.epochs.count { told.append($1) }
        }
        #expect(try track(.acceleration, rate: 32, noise: 0.4, axes).epochs == motion.epochs)
        let epochs = zip(motion.epochs, told).map { $1 - $0.onset - $0.duration }
        #expect(epochs.count > 110 && epochs.allSatisfy { $0 <= 10 })
    }
}
