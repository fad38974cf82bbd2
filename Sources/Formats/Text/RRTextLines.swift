import Foundation
import Signals

/// The lines of a text file that say something, with their numbers.
struct RRTextLines {
    let file: URL
    /// The lines without comments and blank ones, trimmed, with their numbers from 1 on.
    let lines: [(number: Int, text: Substring)]
    /// Whether the last line has no end.
    let isUnfinished: Bool
    /// Whether a comment gives a sampling rate, so that the numbers are samples of a signal.
    let statesSampleRate: Bool
    /// That rate in Hz, where it can be read.
    let sampleRate: Double?
    /// The unit of intervals that a comment states.
    let statedUnit: IntervalUnit?

    init(_ bytes: [UInt8], file: URL) throws {
        self.file = file
        guard !bytes.isEmpty else { throw FormatError(file, "is empty, expected RR intervals") }
        guard !bytes.contains(0) else { throw FormatError(file, "is not text, expected RR intervals") }
        var text = String(decoding: bytes, as: UTF8.self)[...]
        if text.first == "\u{FEFF}" { text.removeFirst() }
        var lines: [(number: Int, text: Substring)] = []
        var statesSampleRate = false
        var sampleRate: Double?
        var statedUnit: IntervalUnit?
        Self.forEachLine(of: text) { number, line in
            let trimmed = Self.trim(line)
            switch trimmed.hasPrefix("//") ? UInt8(ascii: "#") : trimmed.utf8.first {
            case nil: break
            case UInt8(ascii: "#"), UInt8(ascii: "%"):
                let words = trimmed.lowercased()
                if words.contains("sampling rate") || words.contains("sample rate") {
                    statesSampleRate = true
                    sampleRate = sampleRate ?? StatedRate.hertz(trimmed)
                } else if words.contains("unit") || words.contains("interval") || words.contains("beats") {
                    statedUnit = statedUnit ?? IntervalUnit(statedBy: words)
                }
            default: lines.append((number, trimmed))
            }
        }
        self.lines = lines
        isUnfinished = !(0x0A...0x0D).contains(bytes[bytes.count - 1])
        self.statesSampleRate = statesSampleRate
        self.sampleRate = sampleRate
        self.statedUnit = statedUnit
    }

    /// Tells each line with its number from 1 on; a line ends with LF, VT, FF, CR or CR LF.
    private static func forEachLine(of text: Substring, _ body: (Int, Substring) -> Void) {
        let bytes = text.utf8
        var (number, start, place) = (1, bytes.startIndex, bytes.startIndex)
        while place < bytes.endIndex {
            let byte = bytes[place]
            let next = bytes.index(after: place)
            if (0x0A...0x0D).contains(byte) {
                body(number, text[start..<place])
                let isBoth = byte == 0x0D && next < bytes.endIndex && bytes[next] == 0x0A
                start = isBoth ? bytes.index(after: next) : next
                place = start
                number += 1
            } else {
                place = next
            }
        }
        body(number, text[start...])
    }

    static func trim(_ text: Substring) -> Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var bytes = text.utf8
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        return Substring(bytes)
    }
}

/// What the magnitude of intervals says about their unit.
enum RRUnit: Double {
    case seconds = 1
    case milliseconds = 1000

    /// The unit of intervals with this median; nil when they are no RR intervals.
    init?(median: Double) {
        if (0.2...5).contains(median) {
            self = .seconds
        } else if (200...5000).contains(median) {
            self = .milliseconds
        } else {
            return nil
        }
    }
}

/// Polar's heart-rate monitor files, version 1.06: sections in brackets, RR intervals under `[HRData]`.
enum PolarHRM {
    static func recognizes(_ text: RRTextLines) -> Bool {
        text.lines.first?.text.lowercased() == "[params]"
    }

    static func read(_ text: RRTextLines) throws -> RRSeries {
        var parameters: [String: Substring] = [:]
        var section = ""
        var intervals: [Double] = []
        for (number, line) in text.lines {
            if line.first == "[" {
                section = line.lowercased()
            } else if section == "[params]", let mark = line.firstIndex(of: "=") {
                parameters[line[..<mark].lowercased()] = line[line.index(after: mark)...]
            } else if section == "[hrdata]" {
                guard let value = NumberParsing.double(line), value.isPlaceable else {
                    throw FormatError(
                        text.file, at: "line \(number)", "found \"\(line.prefix(40))\", expected an RR interval in ms")
                }
                // A device writes 0 where it found no beat.
                intervals.append(value > 0 ? value / 1000 : .nan)
            }
        }
        if let interval = parameters["interval"].flatMap({ Int($0) }), interval != 238 {
            throw FormatError(
                text.file, at: "[HRData]", "holds the heart rate every \(interval) s, not RR intervals (Interval=238)")
        }
        let present = intervals.filter { !$0.isNaN }
        guard !present.isEmpty else { throw FormatError(text.file, "has no RR intervals under [HRData]") }
        let median = present.upperMedian
        guard (0.2...5).contains(median) else {
            throw FormatError(text.file, at: "[HRData]", "the median interval is \(median) s, which is no RR interval")
        }
        var series = RRTextSeries.untimed(intervals)
        series.start = start(parameters["date"], parameters["starttime"])
        series.hasTimeZone = false
        return series
    }

    private static func start(_ date: Substring?, _ time: Substring?) -> Timestamp? {
        guard let date, date.count == 8, let day = Int(date), let time else { return nil }
        let parts = time.split(separator: ":").compactMap { NumberParsing.double($0) }
        let (year, month) = (day / 10_000, day / 100 % 100)
        guard parts.count == 3, Timestamp.exists(year: year, month: month, day: day % 100) else { return nil }
        let midnight = Timestamp(year: year, month: month, day: day % 100)
        return Plausible.moment(midnight.secondsSince1970 + (parts[0] * 3600 + parts[1] * 60 + parts[2]))
    }
}
