import Brain
import Cardiac
import Electrodermal
import Formats
import Foundation
import Motion
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Two runs with a minute of nothing between them.
private let runs: [Range<Double>] = [0..<90, 150..<240]

/// A recording of all signals of the body, cut into `runs`, written as EDF and opened again.
private func analysis() throws -> RecordingAnalysis {
    var simulation = SimulationParameters()
    simulation.duration = 240
    var streams = SimulatedSession(simulation).recording().streams.map { stream in
        cut(stream.header, stream.segments[0].block)
    }
    var eeg = EEGSignal(EEGParameters(), seed: 2)
    let rendered = eeg.render(0..<256 * 240)
    streams.append(made("eeg", .eeg, EEGParameters().labels, .microvolts, 256, rendered))
    let skin = (0..<4 * 240).map { place -> Double in
        let time = Double(place) / 4
        return 4 + 0.5 * sin(time / 60) + 0.2 * max(0, sin(time / 5))
    }
    streams.append(made("eda", .eda, ["EDA"], .microsiemens, 4, [skin]))
    let warm = (0..<4 * 240).map { 33 + 0.02 * sin(Double($0) / 7) }
    streams.append(made("temp", .temperature, ["T"], .degreesCelsius, 4, [warm]))
    let swing = (0..<32 * 240).map { 0.2 * sin(Double($0) / 6) }
    streams.append(
        made("acc", .acceleration, ["x", "y", "z"], .g, 32, [swing, swing.map { $0 / 3 }, swing.map { 1 + $0 / 9 }]))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("marey-\(UUID().uuidString).edf")
    defer { try? FileManager.default.removeItem(at: file) }
    let start = Timestamp(secondsSince1970: 1_700_000_000)
    let report = try EDFWriter.write(
        Recording(header: RecordingHeader(start: start, duration: 240, format: "test"), streams: streams), to: file)
    #expect(report.format == "EDF+C")
    return try RecordingAnalysis(EDFReader(file), parameters: Parameters(), file: "cut.edf")
}

private func made(
    _ name: String, _ kind: StreamKind, _ labels: [String], _ unit: Signals.Unit, _ rate: Double, _ rows: [[Double]]
) -> Signals.Stream {
    let channels = labels.map { Channel(label: $0, unit: unit) }
    return cut(
        StreamHeader(name: name, kind: kind, channels: channels, sampleRate: rate),
        SampleBlock(channelCount: rows.count, samples: rows.flatMap { $0.map(Float.init) }))
}

private func cut(_ header: StreamHeader, _ block: SampleBlock) -> Signals.Stream {
    let segments = runs.enumerated().map { index, run in
        let frames = Int(run.lowerBound * header.sampleRate)..<Int(run.upperBound * header.sampleRate)
        let gap = index > 0 ? Gap(onset: 90, duration: 60, reason: .deviceLost) : nil
        let start = SegmentStart(
            onset: run.lowerBound, sample: frames.lowerBound, sampleRate: header.sampleRate, gap: gap)
        return Segment(start: start, block: block.frames(frames))
    }
    return Signals.Stream(header: header, segments: segments)
}

/// Seconds of a window that were recorded.
private func recorded(_ onset: Double, _ duration: Double) -> Double {
    runs.reduce(0) { $0 + max(0, min($1.upperBound, onset + duration) - max($1.lowerBound, onset)) }
}

@Test("Of a recording with a gap no window of any signal mixes two runs, and coverage says how much was there")
func noWindowMixesTwoRuns() throws {
    let analysis = try analysis()
    #expect(analysis.results.count == 2 && analysis.brains.count == 1)
    #expect(analysis.electrodermal.count == 1 && analysis.motion.count == 2)
    var windows: [(String, [QualityWindow])] = analysis.results.map { ($0.source.name, $0.quality) }
    windows += analysis.electrodermal.map { ($0.source.name, $0.quality) }
    windows += analysis.motion.map { ($0.source.name, $0.quality) }
    windows += analysis.brains.map { ($0.source.name, $0.quality) }
    for (name, all) in windows {
        #expect(!all.isEmpty)
        for window in all {
            let expected = recorded(window.onset, window.duration) / window.duration
            // Samples and seconds lie on their own grids.
            #expect(abs(window.coverage - expected) < 0.11, "\(name) at \(window.onset) s")
        }
    }
    for result in analysis.results {
        #expect(result.beats.count > 150)
        #expect(result.beats.allSatisfy { recorded($0.onset - 0.2, 0.4) > 0 })
        let spanning = result.intervals.filter { recorded($0.onset - $0.duration, $0.duration) < $0.duration - 0.1 }
        #expect(spanning.isEmpty, "\(result.source.name): \(spanning)")
    }
}

@Test("Of a discontinuous file no epoch of EEG, skin or motion mixes two runs")
func noEpochMixesTwoRuns() throws {
    let analysis = try analysis()
    for epoch in analysis.brains[0].epochs {
        let isWhole = recorded(epoch.onset, epoch.duration) > epoch.duration - 0.01
        #expect(epoch.channels[0].reasons.contains(.gap) == !isWhole, "epoch at \(epoch.onset) s")
        #expect(isWhole || epoch.values.numbers.allSatisfy(\.isNaN))
    }
    for pair in analysis.brains[0].pairs {
        #expect(recorded(pair.onset, pair.duration) > pair.duration - 0.1, "pairs at \(pair.onset) s")
    }
    for window in analysis.electrodermal[0].windows {
        #expect(abs(window.coverage - recorded(window.onset, window.duration) / window.duration) < 0.05)
    }
    #expect(analysis.electrodermal[0].samples.allSatisfy { recorded($0.onset - 0.3, 0.6) > 0 })
    for response in analysis.electrodermal[0].responses {
        #expect(recorded(response.onset, response.peak - response.onset) > response.peak - response.onset - 0.3)
    }
    for epoch in analysis.motion.flatMap(\.epochs) {
        #expect(abs(epoch.coverage - recorded(epoch.onset, epoch.duration) / epoch.duration) < 0.05)
    }
    // Half of the half minute from 90 s on is not there.
    for epoch in analysis.motion.flatMap(\.sleep) where epoch.onset > 60 && epoch.onset < 150 {
        #expect(epoch.asleep == nil && epoch.reason == .gap)
    }
}
