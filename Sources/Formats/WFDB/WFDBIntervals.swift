public import Foundation
import Signals

/// The times between the beats that a WFDB annotation file tells: `100.atr`, or the records of databases that hold beats
/// and no signals.
///
/// Rules:
/// - A beat is what WFDB's `isqrs` (ecgmap.h) says, normal or not; a note counts them by symbol.
/// - Times are seconds from the record's start. Their ticks are what the file says, else the rate of the header beside it.
/// - Ventricular flutter (from `[` to `]`, and its waves `!`) and a signal marked as unreadable (`~` with subtype −1) have no
///   beats that count: the interval around them is left out, and the next one follows a break.
/// - Marks at one moment are one beat, seen in several signals.
/// - Each value is labelled with the symbol of the beat that ends the interval.
public enum WFDBIntervals {
    /// Annotation files as databases and programs call them.
    static let extensions = ["atr", "qrs", "qrsc", "wqrs", "gqrs", "ari", "man"]

    /// Whether a file is beside the header of its record, and tells beats.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let header = url.deletingPathExtension().appendingPathExtension("hea")
        return !head.isEmpty && !url.pathExtension.isEmpty && header != url
            && FileManager.default.fileExists(atPath: header.path) && (try? read(url)) != nil
    }

    /// The files that the intervals rest on.
    static func files(of url: URL) -> [URL] {
        let header = url.deletingPathExtension().appendingPathExtension("hea")
        return FileManager.default.fileExists(atPath: header.path) ? [url, header] : [url]
    }

    /// Reads them as a recording with one stream of kind `ibi`.
    /// - Throws: `FormatError`, see `read`.
    static func open(_ url: URL) throws -> RRText {
        let header = url.deletingPathExtension().appendingPathExtension("hea")
        let record = FileManager.default.fileExists(atPath: header.path) ? try WFDBHeader(reading: header) : nil
        var series = try read(url)
        series.start = record?.start
        return RRText(series, format: "WFDB annotations")
    }

    /// The whole series.
    /// - Throws: `FormatError` when the file is damaged or cut off, has no two beats, they are not in order of time, or are not
    ///   as far apart as heart beats: some files mark minutes of sleep with `N`.
    public static func read(_ url: URL) throws -> RRSeries {
        let annotations = try WFDBAnnotations(reading: url)
        guard !annotations.isCutOff else {
            throw FormatError(url, "has no end mark, so a part of it may be missing", advice: "get the file again")
        }
        let rate = try annotations.sampleRate(beside: url)
        var (intervals, onsets, followsBreak) = ([Double](), [Seconds](), [Bool]())
        var symbols: [String] = []
        var last: Int?
        var isBroken = true
        var (isIntact, isFlutter) = (true, false)
        var counts: [String: Int] = [:]
        for annotation in annotations.list {
            switch annotation.code {
            case Code.flutterBegins: (isFlutter, isIntact) = (true, false)
            case Code.flutterEnds: (isFlutter, isIntact) = (false, false)
            case Code.flutterWave: isIntact = false
            case Code.noise where annotation.subtype == -1: isIntact = false
            case _ where annotation.isBeat && !isFlutter:
                if annotation.sample == last { continue }
                if let last {
                    guard annotation.sample > last else {
                        throw FormatError(
                            url, at: "the beat at sample \(annotation.sample)",
                            "stands behind the one at \(last), expected beats in order of time")
                    }
                    if isIntact {
                        intervals.append(Double(annotation.sample - last) / rate)
                        onsets.append(Double(annotation.sample) / rate)
                        followsBreak.append(isBroken)
                        symbols.append(annotation.symbol)
                    }
                    isBroken = !isIntact
                }
                counts[annotation.symbol, default: 0] += 1
                (last, isIntact) = (annotation.sample, true)
            default: break
            }
        }
        guard !intervals.isEmpty else {
            throw FormatError(url, "tells no two beats that follow each other, expected annotated beats")
        }
        let typical = intervals.upperMedian
        guard plausible.contains(typical) else {
            throw FormatError(url, "has marks \(typical) s apart (median), expected beats of a heart, 0.2 to 3 s apart")
        }
        guard let end = onsets.last, end.isPlaceable else {
            throw FormatError(url, "its beats end after a time that no recording lasts")
        }
        let kinds = counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.map { "\($0.key) \($0.value)" }
        return RRSeries(
            intervals: intervals, onsets: onsets, followsBreak: followsBreak,
            notes: annotations.notes + ["beats by annotation: \(kinds.joined(separator: ", "))"], symbols: symbols)
    }

    /// Seconds between the beats of a heart.
    private static let plausible = 0.2...3.0

    /// Codes of ecgcodes.h.
    private enum Code {
        static let noise: UInt8 = 14
        static let flutterWave: UInt8 = 31
        static let flutterBegins: UInt8 = 32
        static let flutterEnds: UInt8 = 33
    }
}
