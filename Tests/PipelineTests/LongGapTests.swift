import Cardiac
import Formats
import Foundation
import Pipeline
import Quality
import Signals
import Simulation
import TestSupport
import Testing

/// Gaps of days and years, and times that nobody can mean, cost a few rows.
struct LongGapTests {
    private let header = RecordingHeader(
        streams: [
            StreamHeader(name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        ], format: "test")

    private func result(_ intervals: [(onset: Double, length: Double)]) throws -> CardiacResult {
        var parameters = Parameters()
        parameters.correction.method = .none
        let source = try SourceRequest().source(in: header, file: "f")
        var track = try CardiacTrack(source, parameters: parameters)
        track.take(.values(stream: 0, intervals.map { TimedValue(onset: $0.onset, values: [$0.length]) }))
        track.finish()
        return track.result
    }

    /// 125 intervals of 0.8 s, the first of which begins at `start`.
    private func beats(from start: Double) -> [(onset: Double, length: Double)] {
        (1...125).map { (start + 0.8 * Double($0), 0.8) }
    }

    @Test(arguments: [1e6, 1e9])
    func aGapBetweenMeasuredIntervalsIsOneWindowOfQuality(onset: Double) throws {
        let windows = try result(beats(from: 0) + beats(from: onset)).quality
        let gap = try #require(windows.first { $0.duration > 10 })
        #expect(gap.onset == 100 && gap.onset + gap.duration == onset)
        #expect(gap.coverage == 0 && gap.quality == 0 && gap.reasons == [.gap])
        // On both sides the windows that reach into it, and those wholly covered.
        #expect(windows.map(\.onset) == (0...100).map(Double.init) + (0...99).map { onset - 9 + Double($0) })
        #expect(windows.filter { $0.duration == 10 }.count { $0.coverage > 0.999 } == 2 * 91)
    }

    @Test func anIntervalOfYearsCoversNothing() throws {
        let windows = try result(beats(from: 0) + [(9e8, 9e8 - 100)] + beats(from: 9e8)).quality
        #expect(windows.count < 300)
        #expect(windows.contains { $0.duration > 8.9e8 && $0.coverage == 0 })
    }

    @Test(arguments: [1e12, 1e15, 1e16, 1e300])
    func intervalsAtNoTimeAreNone(far: Double) throws {
        let expected = try result(beats(from: 0) + beats(from: 300))
        let found = try result(beats(from: 0) + [(far, 0.8), (200, far)] + beats(from: 300))
        #expect(found.intervals == expected.intervals)
        #expect(found.quality == expected.quality && found.windows == expected.windows)
    }

    @Test func aBeatAtNoTimeIsRefusedWithItsLine() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("beats.tsv")
            try Data("onset\tconfidence\n0.8\t1\n1.6\t1\n1e300\t1\n".utf8).write(to: url)
            #expect {
                try BeatsTable.read(url)
            } throws: {
                "\($0)".contains("line 4: the beat's onset is 1e+300 s, expected less than 1e12 s")
            }
        }
    }

    @Test func whatAGapLacksIsToldOnceForAllIndexes() throws {
        let found = try result(beats(from: 0) + beats(from: 1e6))
        let parameters = HRVParameters()
        let table = CardiacTables.missing(found.windows, parameters: parameters)
        #expect(found.windows.count < 40 && table.rows.count == found.windows.count)
        #expect(table.rows.allSatisfy { $0[2] == .text("all") })
        #expect(table.rows.contains { $0[3] == .text("coverage 0 % is below 80 %") })
        // Reasons that differ keep a row each, and one index its name.
        let short = try result(Array(beats(from: 0).prefix(3)))
        let each = CardiacTables.missing(short.windows, parameters: parameters)
        #expect(each.rows.count == short.windows[0].missing.count { $0 != nil } && each.rows.count > 10)
        #expect(each.rows.allSatisfy { $0[2] != .text("all") })
        var one = parameters
        one.indexes = ["rmssd"]
        let windows = try HRV.windows(of: found.nn, parameters: one)
        #expect(CardiacTables.missing(windows, parameters: one).rows.allSatisfy { $0[2] == .text("rmssd") })
    }

    @Test func respirationOfBeatsOnBothSidesOfAGapIsFusedWindowByWindow() throws {
        var parameters = SimulationParameters()
        parameters.duration = 200
        let recording = SimulatedSession(parameters).recording()
        let source = try SourceRequest(kind: .ecg).source(in: recording.header, file: "f")
        let block = recording.streams[source.stream].segments[0].block
        func windows(cutting count: Int) throws -> [RespirationWindow] {
            var track = try CardiacTrack(source, parameters: Parameters())
            for onset in [0, 1e6] {
                let start = SegmentStart(onset: onset, sample: 0, sampleRate: source.sampleRate)
                track.take(.segment(stream: source.stream, start: start))
                for first in stride(from: 0, to: block.frameCount, by: count) {
                    let frames = first..<min(first + count, block.frameCount)
                    track.take(.samples(stream: source.stream, block.frames(frames)))
                }
            }
            track.finish()
            return track.result.respiration
        }
        let found = try windows(cutting: block.frameCount)
        #expect(found.count < 200 && found.contains { $0.duration > 9e5 })
        #expect(try windows(cutting: 777) == found)
        for window in found where window.method == .fusion {
            let others = found.filter { $0.method != .fusion && $0.onset == window.onset }
            #expect(others.count == 2 && others.allSatisfy { $0.duration == window.duration })
        }
        #expect(found.count { $0.method == .fusion && $0.rate != nil && $0.onset > 9e5 } > 5)
    }

    @Test(arguments: [2_000.25, 3_000, 1e8, 1e11])
    func blinksHaveARowASecondAndAGapOfHoursHasOne(onset: Seconds) throws {
        var signal = EEGSignal(EEGParameters(), seed: 3)
        let block = SampleBlock(channelCount: 4, samples: signal.render(0..<256 * 60).flatMap { $0.map { Float($0) } })
        let channels = EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) }
        let stream = StreamHeader(name: "eeg", kind: .eeg, channels: channels, sampleRate: 256)
        let header = RecordingHeader(streams: [stream], format: "test")
        let source = try BrainSource.meant(by: nil, in: header, file: "f")
        var track = try BrainTrack(source, in: header, parameters: Parameters(), computing: .eyes)
        for start in [0, onset] {
            let place = SegmentStart(onset: start, sample: 0, sampleRate: 256)
            track.take(.segment(stream: 0, start: place))
            track.take(.samples(stream: 0, block))
        }
        track.finish()
        let rows = track.result.blinkSeconds
        let begin = onset.rounded(.down)
        let gap = Int(begin) - 60 > WindowGrid.mostEmpty ? [60] : (60..<Int(begin)).map(Double.init)
        let after = (0..<(begin == onset ? 60 : 61)).map { begin + Double($0) }
        #expect(rows.map(\.onset) == (0..<60).map(Double.init) + gap + after)
        #expect(rows.allSatisfy { $0.onset < 60 || $0.onset >= begin || $0.blink == nil })
        #expect(rows.allSatisfy { $0.onset >= 60 && $0.onset <= begin || $0.onset >= begin + 60 || $0.blink != nil })
        #expect(rows.contains { $0.onset < 60 && $0.blink == 1 } && rows.contains { $0.onset > begin && $0.blink == 1 })
    }
}
