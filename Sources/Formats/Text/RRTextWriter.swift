public import Foundation
public import Signals

/// Writes RR intervals as text that Kubios and other programs for heart-rate variability import: a row an interval, the
/// time of the beat that ends it and its length, both in seconds, separated by a tab, in full precision.
public enum RRTextWriter {
    /// Writes the recording's only stream of intervals.
    /// - Returns: what a user should know of the file.
    /// - Throws: `FormatError` when there is none or there are several, or the file cannot be written.
    public static func write(_ reader: any RecordingReader, to url: URL) throws -> [String] {
        let places = reader.header.streams.indices.filter { reader.header.streams[$0].kind == .ibi }
        guard let place = places.first, places.count == 1 else {
            throw FormatError(
                url, "needs one stream of inter-beat intervals, there are \(places.count)",
                advice: places.isEmpty
                    ? "find the beats first, as with marey beats FILE -o beats.tsv, and convert that table"
                    : "choose one with --stream")
        }
        let scale = IntervalScale(reader.header.streams[place].channels.first?.unit ?? .unknown)
        let file = try AtomicFile(url)
        var missing = 0
        var end: Seconds?
        var breaks = 0
        while let event = try reader.next() {
            guard case .values(place, let values) = event else { continue }
            var text = ""
            for value in values {
                guard let interval = value.values.first.map(scale.seconds), interval.isFinite else {
                    missing += 1
                    continue
                }
                if let end, abs(value.onset - interval - end) > 0.1 { breaks += 1 }
                end = value.onset
                text += "\((value.onset * 1e6).rounded() / 1e6)\t\(interval)\n"
            }
            try file.write(text)
        }
        try file.commit()
        var notes: [String] = []
        if let start = reader.header.start {
            let told = start.told(inUTC: reader.header.hasTimeZone)
            notes.append("times count from \(told), for which the format has no place")
        }
        if missing > 0 {
            notes.append("\(missing.counted("missing interval")) \(missing.word("is", "are")) left out")
        }
        if breaks > 0 {
            notes.append("\(breaks.counted("pause")) \(breaks.word("shows", "show")) only in the column of times")
        }
        return notes
    }
}
