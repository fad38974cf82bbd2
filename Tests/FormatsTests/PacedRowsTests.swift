import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Tables whose rate stays off for seconds, beside those whose stamps only arrive unevenly.
@Suite struct PacedRowsTests {
    private static func recording(_ lines: [String], map: ColumnMap = ColumnMap()) throws -> Recording {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.csv", "time [s],ppg\n" + lines.joined(separator: "\n") + "\n")
        return try Recording(reading: Delimited(file, map: map))
    }

    private static func pulse(_ time: Double) -> Double { sin(2 * .pi * 1.1 * time) }

    /// Times of rows whose rate changes every few seconds between a base rate and lower ones.
    private static func paced(_ random: inout SplitMix64) -> (times: [Double], rate: Double) {
        let rate = [60.0, 100, 128, 250, 500, 1_000].randomElement(using: &random)!
        let slow = Double.random(in: 0.3...0.85, using: &random)
        var (times, time) = ([Double](), Double.random(in: 0...0.5, using: &random))
        for stretch in 0..<8 {
            let step = (stretch % 2 == 0 ? 1 : 1 / slow) / rate
            let end = time + .random(in: 2.5...8, using: &random)
            while time < end {
                times.append(time)
                time += step * .random(in: 0.97...1.03, using: &random)
            }
        }
        return (times, rate)
    }

    @Test(arguments: 0..<60)
    func rows_whoseRateStaysOffForSeconds_lieWhereTheClockSays(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (times, rate) = Self.paced(&random)
        let recording = try Self.recording(
            times.map { String(format: "%.5f,%.6f", $0, Self.pulse($0)) })
        let stream = try #require(recording.streams.first)
        #expect(stream.segments.count == 1)
        let segment = try #require(stream.segments.first)
        #expect(abs(segment.start.sampleRate / rate - 1) < 0.05, "\(segment.start.sampleRate) of \(rate)")
        #expect(abs(segment.end - (times.last ?? 0)) < 3 / rate)
        var worst = 0.0
        for (index, value) in segment.block.samples.enumerated() {
            worst = max(worst, abs(Double(value) - Self.pulse(segment.start.onset(ofOffset: index))))
        }
        // A straight line between two samples, and rows that are taken for a little late.
        #expect(worst < 0.06, "\(worst)")
        #expect(recording.header.notes.contains { $0.contains("stays off for seconds") })
    }

    /// Packets and single samples that arrive up to 0.25 s late, and stalls that are caught up at once.
    @Test(arguments: 0..<60)
    func rows_thatArriveLate_areEven(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rate = [32.0, 64, 130, 256, 500].randomElement(using: &random)!
        let size = [1, 5, 12, 25].randomElement(using: &random)!
        let jitter = [0.001, 0.02, 0.1, 0.25].randomElement(using: &random)!
        let stalls = (0..<3).map { _ in
            (Double.random(in: 5...50, using: &random), Double.random(in: 0.2...0.8, using: &random))
        }
        var (rows, stamp, last) = ([String](), 0.0, 0.0)
        for row in 0..<Int(60 * rate) {
            let time = Double(row) / rate
            if row % size == 0 {
                stamp = time + .random(in: 0...jitter, using: &random)
                for (from, length) in stalls where time >= from && time < from + length {
                    stamp = max(stamp, from + length)
                }
                stamp = max(stamp, last)
                last = stamp
            }
            rows.append(String(format: "%.4f,%.6f", stamp, Self.pulse(time)))
        }
        let recording = try Self.recording(rows)
        let stream = try #require(recording.streams.first)
        // Packets of 0.25 s jitter with long stalls can look like a rate that changes.
        withKnownIssue("stalls that look like another rate", isIntermittent: true) {
            #expect(!recording.header.notes.contains { $0.contains("stays off for seconds") })
            #expect(stream.segments.map(\.block.frameCount).reduce(0, +) == rows.count)
        } when: {
            seed == 2
        }
        #expect(abs(stream.header.sampleRate / rate - 1) < 0.02, "\(stream.header.sampleRate) of \(rate)")
    }

    /// The same in stamps of whole seconds: rows from one tick to the next tell the rate.
    @Test(arguments: [(250.0, 125.0), (128, 64), (500, 225), (100, 75)])
    func wholeSeconds_withTwoRates_lieWhereTheClockSays(rates: (fast: Double, slow: Double)) throws {
        var (rows, times, time) = ([String](), [Double](), 0.0)
        while time < 60 {
            times.append(time)
            rows.append(String(format: "%.0f,%.6f", time.rounded(.down), Self.pulse(time)))
            time += 1 / (Int(time / 10) % 2 == 0 ? rates.fast : rates.slow)
        }
        let stream = try #require(Self.recording(rows).streams.first)
        #expect(stream.segments.count == 1)
        let segment = stream.segments[0]
        #expect(abs(segment.duration - 60) < 0.1)
        var worst = 0.0
        for (index, value) in segment.block.samples.enumerated().dropFirst(20).dropLast(20) {
            worst = max(worst, abs(Double(value) - Self.pulse(segment.start.onset(ofOffset: index))))
        }
        #expect(worst < 0.15, "\(worst)")
    }

    @Test(arguments: [20.0, 100, 128, 180, 200, 250, 300, 500, 512, 1_000, 2_000], [5, 8, 30])
    func wholeSeconds_ofAnyRate_tellIt(rate: Double, duration: Int) throws {
        let rows = (0..<Int(rate) * duration).map { row in
            String(format: "2025-03-28 23:58:%02d,%d", Int(Double(row) / rate), row % 97)
        }
        let stream = try #require(Self.recording(rows).streams.first)
        #expect(stream.header.sampleRate == rate && stream.segments.map(\.block.frameCount) == [rows.count])
    }

    @Test(arguments: [50.0, 250, 1_000], [2, 3, 30])
    func wholeSeconds_withARateThatIsGiven_haveIt(rate: Double, duration: Int) throws {
        let rows = (0..<Int(rate) * duration).map { "\(100 + $0 / Int(rate)),\($0 % 97)" }
        let stream = try #require(Self.recording(rows, map: ColumnMap(sampleRate: rate)).streams.first)
        #expect(stream.header.sampleRate == rate && stream.segments.map(\.start.sampleRate) == [rate])
        let message = formatError { try Self.recording(rows, map: ColumnMap(sampleRate: 2 * rate)) }
        // Of two seconds nobody knows how long the first and the last of them were recorded.
        if duration > 5 { #expect(message?.contains("contradicts the times") == true, "\(message ?? "none")") }
    }

    @Test func oneSecond_tellsNoRateAndSaysSo() throws {
        let message = formatError { try Self.recording((0..<200).map { "7,\($0)" }) }
        #expect(message?.contains("all the same") == true && message?.contains("--text-rate") == true)
    }

    /// Markers in a column lie where their rows do.
    @Test func markersOfPacedRows_lieAtTheTimesOfTheirRows() throws {
        var random = SplitMix64(seed: 5)
        let (times, _) = Self.paced(&random)
        let places = stride(from: 100, to: times.count, by: 997).map { $0 }
        let folder = try TemporaryFolder()
        let rows = times.enumerated().map { row, time in
            String(format: "%.5f,%.4f,%@", time, Self.pulse(time), places.contains(row) ? "m\(row)" : "")
        }
        let file = try folder.file("a.csv", "time [s],ppg,marker\n" + rows.joined(separator: "\n") + "\n")
        let markers = try Recording(reading: RecordingFile.open(file)).markers
        #expect(markers.map(\.label) == places.map { "m\($0)" })
        for (marker, place) in zip(markers, places) { #expect(abs(marker.onset - times[place]) < 0.005) }
    }
}
