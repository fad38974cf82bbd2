public import Foundation
import Signals

extension WFDBHeader {
    /// The largest header that is read, in bytes; a header of 10 000 segments has less than one megabyte.
    static let largestSize = 16 << 20
    /// The most frames a record may claim: 34 years at 1 kHz.
    static let mostFrames = 1 << 40
    /// The most samples a frame may claim.
    static let mostSlots = 1 << 20

    /// Reads a `.hea` file.
    /// - Throws: `FormatError` naming the line that is wrong.
    public init(reading url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= Self.largestSize else {
            throw FormatError(url, "has \(input.size) bytes, too many for a WFDB header")
        }
        try self.init(parsing: input.read(at: 0, count: input.size), file: url)
    }

    /// Reads a header from bytes that came from `file`.
    /// - Throws: `FormatError` naming the line that is wrong.
    public init(parsing bytes: [UInt8], file: URL) throws {
        var parser = WFDBHeaderParser(file: file)
        self = try parser.parse(bytes)
    }
}

/// Takes a header apart line by line.
struct WFDBHeaderParser {
    let file: URL
    private var line = 0
    private var comments: [String] = []
    private var content: [(line: Int, text: Substring)] = []

    init(file: URL) {
        self.file = file
    }

    mutating func parse(_ bytes: [UInt8]) throws -> WFDBHeader {
        guard !bytes.isEmpty else { throw FormatError(file, "is empty, expected a WFDB header") }
        guard !bytes.contains(0) else { throw FormatError(file, "is not text, expected a WFDB header") }
        let text = String(decoding: bytes, as: UTF8.self)
        sort(text)
        guard let first = content.first else { throw FormatError(file, "has no record line, only comments") }
        line = first.line
        var record = try recordLine(first.text)
        record.header.comments = comments
        let rest = content.dropFirst()
        if let segments = record.segmentCount {
            record.header.segments = try lines(rest, segments, "segment").map {
                line = $0.line
                return try segmentLine($0.text)
            }
            try check(segmentsOf: &record.header)
        } else {
            record.header.signals = try lines(rest, record.signalCount, "signal").map {
                line = $0.line
                return try signalLine($0.text)
            }
            try check(signalsOf: &record.header)
        }
        return record.header
    }

    private mutating func sort(_ text: String) {
        // Character by character a "\r\n" is one line end.
        for (index, text) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = text.drop { $0 == " " || $0 == "\t" }
            if trimmed.first == "#" {
                comments.append(trimmed.dropFirst().trimmingCharacters(in: .whitespaces))
            } else if !trimmed.isEmpty {
                content.append((index + 1, trimmed))
            }
        }
    }

    private func lines(
        _ rest: ArraySlice<(line: Int, text: Substring)>, _ count: Int, _ what: String
    ) throws -> [(line: Int, text: Substring)] {
        guard rest.count >= count else {
            throw FormatError(file, at: "line \(line)", "claims \(count) \(what)s, \(rest.count) \(what) lines follow")
        }
        return Array(rest.prefix(count))
    }

    // MARK: record line

    private func recordLine(_ text: Substring) throws -> (header: WFDBHeader, signalCount: Int, segmentCount: Int?) {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count >= 2 else { throw wrong("is no record line (name, number of signals, rate, length)") }
        let names = words[0].split(separator: "/", omittingEmptySubsequences: false)
        guard names.count <= 2, let name = names.first, !name.isEmpty else {
            throw wrong("\"\(words[0].prefix(60))\" is no record name")
        }
        let segmentCount = names.count == 2 ? Int(names[1]) : nil
        if names.count == 2, (segmentCount ?? 0) < 1 { throw wrong("\"\(names[1])\" is no number of segments") }
        guard let signalCount = Int(words[1]), signalCount >= 0 else {
            throw wrong("\"\(words[1].prefix(60))\" is no number of signals")
        }
        var header = WFDBHeader(
            name: String(name), sampleRate: 250, counterFrequency: nil, baseCounter: nil, frameCount: nil,
            baseTime: nil, baseDate: nil, signals: [], segments: [], comments: [], notes: [])
        if words.count > 2 {
            try parseRate(words[2], into: &header)
        } else {
            header.notes.append("the header gives no sample rate, 250 Hz is the format's default")
        }
        if words.count > 3 {
            guard let count = Int(words[3]), (0...WFDBHeader.mostFrames).contains(count) else {
                throw wrong("\"\(words[3].prefix(60))\" is no possible number of samples")
            }
            header.frameCount = count == 0 ? nil : count
        }
        if words.count > 4 { header.baseTime = try time(words[4]) }
        if words.count > 5 { header.baseDate = try date(words[5]) }
        return (header, signalCount, segmentCount)
    }

    private func parseRate(_ word: Substring, into header: inout WFDBHeader) throws {
        let parts = word.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let rate = NumberParsing.double(first), rate.isFinite, rate >= 0 else {
            throw wrong("\"\(word.prefix(60))\" is no sample rate")
        }
        guard Plausible.sampleRates.contains(rate) else { throw wrong("a sample rate of \(rate) Hz is not possible") }
        header.sampleRate = rate
        guard parts.count == 2 else { return }
        let counter = parts[1].split { $0 == "(" || $0 == ")" }
        if let first = counter.first {
            guard let frequency = NumberParsing.double(first), frequency.isFinite else {
                throw wrong("\"\(word.prefix(60))\" has no valid counter frequency")
            }
            header.counterFrequency = frequency > 0 ? frequency : nil
        }
        if counter.count > 1 {
            guard let base = NumberParsing.double(counter[1]), base.isFinite else {
                throw wrong("\"\(word.prefix(60))\" has no valid base counter")
            }
            header.baseCounter = base
        }
    }

    private func time(_ word: Substring) throws -> Seconds {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            guard let value = NumberParsing.double(part), value >= 0, value < (index == 0 ? 100 : 60) else {
                throw wrong("\"\(word.prefix(60))\" is no time of day (HH:MM:SS)")
            }
            seconds = seconds * 60 + value
        }
        guard parts.count <= 3 else { throw wrong("\"\(word.prefix(60))\" is no time of day (HH:MM:SS)") }
        return seconds
    }

    private func date(_ word: Substring) throws -> WFDBDate {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard parts.count == 3, (0...9999).contains(parts[2]),
            Timestamp.exists(year: parts[2], month: parts[1], day: parts[0])
        else { throw wrong("\"\(word.prefix(60))\" is no date (DD/MM/YYYY)") }
        return WFDBDate(year: parts[2], month: parts[1], day: parts[0])
    }

    // MARK: signal line

    private func signalLine(_ text: Substring) throws -> WFDBSignal {
        var rest = text
        func word() -> Substring? {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            let word = rest.prefix { $0 != " " && $0 != "\t" }
            rest = rest.dropFirst(word.count)
            return word.isEmpty ? nil : word
        }
        var signal = WFDBSignal()
        guard let file = word(), let format = word() else { throw wrong("is no signal line (file, format, …)") }
        signal.file = try fileName(file)
        try parseFormat(format, into: &signal)
        guard let gain = word() else { return signal }
        let hasBaseline = try parseGain(gain, into: &signal)
        func integer(_ what: String) throws -> Int? {
            guard let word = word() else { return nil }
            guard let value = Int(word), value.magnitude <= 1 << 40 else {
                throw wrong("\"\(word.prefix(60))\" is no \(what)")
            }
            return value
        }
        signal.adcResolution = try integer("ADC resolution")
        signal.adcZero = try integer("ADC zero") ?? 0
        signal.initialValue = try integer("initial value") ?? signal.adcZero
        signal.checksum = try integer("checksum")
        signal.blockSize = try integer("block size") ?? 0
        signal.description = rest.trimmingCharacters(in: .whitespaces)
        signal.unit = SignalKind.meant(signal.unit, label: signal.description)
        if !hasBaseline { signal.baseline = signal.adcZero }
        return signal
    }

    private func fileName(_ word: Substring) throws -> String? {
        if word == "~" { return nil }
        guard word != "-", word != ".", word != "..", !word.contains("/"), !word.contains("\\") else {
            throw wrong("the signal file \"\(word.prefix(60))\" is not in the header's folder")
        }
        return String(word)
    }

    private func parseFormat(_ word: Substring, into signal: inout WFDBSignal) throws {
        var rest = word
        func number() throws -> Int {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            guard let number = Int(digits), number <= 1 << 40 else {
                throw wrong("\"\(word.prefix(60))\" is no signal format")
            }
            return number
        }
        let code = try number()
        while let mark = rest.first {
            rest = rest.dropFirst()
            switch mark {
            case "x": signal.samplesPerFrame = max(1, try number())
            case ":": signal.skew = try number()
            case "+": signal.byteOffset = try number()
            default: throw wrong("\"\(word.prefix(60))\" is no signal format")
            }
        }
        guard signal.file != nil, code != 0 else {
            signal.file = nil
            return
        }
        guard let format = WFDBSignalFormat(rawValue: code) else {
            let known = WFDBSignalFormat.allCases.map { String($0.rawValue) }.joined(separator: ", ")
            throw FormatError(
                file, at: "line \(line)", "signal format \(code) is not known (known are \(known))",
                advice: [508, 516, 524].contains(code) ? "convert the record with WFDB's xform first" : nil)
        }
        signal.format = format
    }

    /// Whether a baseline was given.
    private func parseGain(_ word: Substring, into signal: inout WFDBSignal) throws -> Bool {
        let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty { signal.unit = parts[1] == "?" ? .unknown : Unit(String(parts[1])) }
        let numbers = parts[0].split(omittingEmptySubsequences: false) { $0 == "(" || $0 == ")" }
        guard let gain = NumberParsing.double(numbers[0]), gain.isFinite else {
            throw wrong("\"\(word.prefix(60))\" is no gain")
        }
        if gain != 0 {
            signal.gain = gain
            signal.isUncalibrated = false
        }
        guard numbers.count > 1 else { return false }
        guard let baseline = Int(numbers[1]), baseline.magnitude <= 1 << 40 else {
            throw wrong("\"\(word.prefix(60))\" has no valid baseline")
        }
        signal.baseline = baseline
        return true
    }

    private func check(signalsOf header: inout WFDBHeader) throws {
        var slots = 0
        for signal in header.signals {
            slots += signal.samplesPerFrame
            guard slots <= WFDBHeader.mostSlots else {
                throw FormatError(file, "claims more than \(WFDBHeader.mostSlots) samples in a frame")
            }
            let rate = header.sampleRate * Double(signal.samplesPerFrame)
            guard Plausible.sampleRates.contains(rate) else {
                throw FormatError(
                    file, at: "signal \(signal.description)", "a sample rate of \(rate) Hz is not possible")
            }
        }
        for signal in header.signals where signal.isUncalibrated && signal.file != nil {
            header.notes.append(
                "signal \(signal.description) is not calibrated, 200 ADC units per \(signal.unit) assumed")
        }
    }

    // MARK: segment line

    private func segmentLine(_ text: Substring) throws -> WFDBSegment {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count >= 2, let count = Int(words[1]), (0...WFDBHeader.mostFrames).contains(count) else {
            throw wrong("is no segment line (name, number of samples)")
        }
        let parts = words[0].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }), !words[0].contains("\\") else {
            throw wrong("the segment \"\(words[0].prefix(60))\" is not below the header's folder")
        }
        return WFDBSegment(name: words[0] == "~" ? nil : String(words[0]), frameCount: count)
    }

    private func check(segmentsOf header: inout WFDBHeader) throws {
        var total = 0
        for segment in header.segments { total += segment.frameCount }
        guard total <= WFDBHeader.mostFrames else { throw FormatError(file, "claims more samples than are possible") }
        if let count = header.frameCount, count != total {
            header.notes.append("the record line claims \(count) samples, the segments have \(total)")
        }
        header.frameCount = total
        guard header.segments.contains(where: { $0.name != nil && $0.frameCount > 0 }) else {
            throw FormatError(file, "has no segment with samples")
        }
    }

    private func wrong(_ problem: String) -> FormatError {
        FormatError(file, at: "line \(line)", problem)
    }
}
