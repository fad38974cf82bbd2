public import Cardiac
import Formats
public import Foundation
public import Signals

/// Reads a beats table back.
public enum BeatsTable {
    /// Whether a file begins like a beats table: a header row with the columns `onset` and `ibi` or `confidence`.
    public static func recognizes(_ url: URL) -> Bool {
        guard let head = try? InputFile(url).read(at: 0, count: 4_096),
            let line = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).first
        else { return false }
        let names = line.split(separator: "\t")
        return names.contains("onset") && (names.contains("ibi") || names.contains("confidence"))
    }

    /// The beats of a table and the intervals between them: its column `ibi`, or without one the times between beats.
    /// - Throws: `FormatError` when it is no table of beats, or its beats are not in order of time.
    public static func read(_ url: URL) throws -> (beats: [Beat], intervals: [IBI]) {
        let table = try TextTable(reading: url)
        let onsets = try table.numbers("onset")
        let samples = table.has("sample") ? try table.integers("sample") : []
        let kinds = table.has("kind") ? try table.texts("kind") : []
        let confidences = table.has("confidence") ? try table.numbers("confidence") : []
        let intervals = table.has("ibi") ? try table.numbers("ibi") : []
        let feet = table.has("foot") ? try table.numbers("foot") : []
        var beats: [Beat] = []
        beats.reserveCapacity(onsets.count)
        for (row, onset) in onsets.enumerated() {
            let place = "line \(table.line(ofRow: row))"
            guard onset.isFinite else { throw FormatError(url, at: place, "a beat without an onset") }
            guard onset.isPlaceable else {
                throw FormatError(url, at: place, "the beat's onset is \(onset) s, expected less than 1e12 s")
            }
            if let last = beats.last, onset <= last.onset {
                throw FormatError(url, at: place, "the beat at \(onset) s does not follow the one at \(last.onset) s")
            }
            beats.append(
                Beat(
                    onset: onset, sample: (row < samples.count ? samples[row] : nil) ?? 0,
                    kind: (row < kinds.count ? kinds[row] : nil).flatMap(BeatKind.init) ?? .beat,
                    confidence: row < confidences.count ? Float(confidences[row]) : .nan,
                    followsBreak: row == 0 || (row < intervals.count && !intervals[row].isFinite),
                    foot: row < feet.count && feet[row].isFinite ? feet[row] : nil))
        }
        return (beats, series(intervals, beats) ?? series(of: beats))
    }

    /// The intervals of a table as a recording of them.
    /// - Throws: as `read`.
    public static func recording(_ url: URL) throws -> any RecordingReader {
        let intervals = try read(url).intervals
        return RRText(
            RRSeries(
                intervals: intervals.map(\.duration), onsets: intervals.map(\.onset),
                followsBreak: intervals.map { !$0.isContiguous }), format: "table of beats")
    }

    /// From the start of the signal in which the beats were found to its end, by the sidecar that was written with the
    /// table; nil where there is none, or the beats lie elsewhere, so that it belongs to another table.
    static func extent(_ url: URL, holding beats: [Beat]) -> Range<Seconds>? {
        let sidecar = url.jsonSidecar
        guard let first = beats.first, let last = beats.last, let input = try? InputFile(sidecar),
            input.size <= 1 << 20,
            let bytes = try? input.read(at: 0, count: input.size),
            let columns = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let onset = columns["onset"] as? [String: Any], let start = onset["Minimum"] as? Double,
            let end = onset["Maximum"] as? Double, start.isPlaceable, end.isPlaceable,
            // Onsets are written on a grid.
            start - 1e-4 <= first.onset, last.onset <= end + 1e-4
        else { return nil }
        return start..<max(start, end)
    }

    private static func series(_ durations: [Double], _ beats: [Beat]) -> [IBI]? {
        guard !durations.isEmpty else { return nil }
        var series = IBISeries()
        return zip(beats, durations).compactMap { beat, duration in
            duration.isFinite ? series.next(endingAt: beat.onset, duration: duration, kind: beat.kind) : nil
        }
    }

    private static func series(of beats: [Beat]) -> [IBI] {
        var stage = IBIStage()
        var intervals: [IBI] = []
        stage.push(beats.span, into: &intervals)
        return intervals
    }
}
