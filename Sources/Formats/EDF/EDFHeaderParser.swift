import Foundation
import Signals

/// Parses the header of an EDF or BDF file: strict where a wrong reading would give wrong numbers, tolerant elsewhere.
struct EDFHeaderParser {
    private let file: InputFile
    private let bytes: [UInt8]
    private var header: EDFHeader
    private var coarse: [String] = []

    /// Reads and parses the header of `file`.
    /// - Throws: `FormatError` with the field, its byte, what stands there and what was expected.
    static func parse(_ file: InputFile) throws -> EDFHeader {
        var parser = try EDFHeaderParser(file)
        try parser.parseMain()
        try parser.parseSignals()
        try parser.check()
        return parser.header
    }

    private init(_ file: InputFile) throws {
        self.file = file
        guard file.size > 0 else { throw FormatError(file.url, "is empty, expected an EDF or BDF header") }
        let main = try file.read(at: 0, count: 256)
        let isBDF = try Self.version(main, file)
        guard main.count == 256 else {
            throw FormatError(file.url, at: "byte \(main.count)", "ends within the header, expected at least 256 bytes")
        }
        let count = try Self.integer(main, 252, 4, "number of signals", file)
        guard (1...9999).contains(count) else {
            throw FormatError(
                file.url, at: "byte 252 (number of signals)", "found \(count), expected a number from 1 to 9999")
        }
        bytes = try file.read(at: 0, count: (count + 1) * 256)
        guard bytes.count == (count + 1) * 256 else {
            throw FormatError(
                file.url, at: "byte \(bytes.count)",
                "ends within the header, which for \(count) signals has \((count + 1) * 256) bytes")
        }
        let blank = EDFSignal(
            label: "", transducer: "", dimension: "", physicalMinimum: 0, physicalMaximum: 0, digitalMinimum: 0,
            digitalMaximum: 0, prefiltering: "", samplesPerRecord: 0)
        header = EDFHeader(
            bytesPerSample: isBDF ? 3 : 2, continuity: .plain, patient: "", recording: "", start: nil,
            recordCount: nil, recordDuration: 0, recordDurationRounding: 0,
            signals: Array(repeating: blank, count: count), notes: [])
    }

    private static func version(_ main: [UInt8], _ file: InputFile) throws -> Bool {
        if main.starts(with: edfMagic) { return false }
        if main.starts(with: bdfMagic) { return true }
        throw FormatError(
            file.url, at: "byte 0 (version)",
            "found \(quoted(text(main, 0, 8))), expected '0' and 7 blanks (EDF) or byte 255 and 'BIOSEMI' (BDF)")
    }

    static let edfMagic: [UInt8] = Array("0       ".utf8)
    static let bdfMagic: [UInt8] = [0xFF] + Array("BIOSEMI".utf8)

    private mutating func parseMain() throws {
        header.patient = Self.text(bytes, 8, 80)
        header.recording = Self.text(bytes, 88, 80)
        let stated = try Self.integer(bytes, 184, 8, "header length", file)
        guard stated == bytes.count else {
            throw FormatError(
                file.url, at: "byte 184 (header length)",
                "found \(stated), expected \(bytes.count) for \(header.signals.count) signals")
        }
        let reserved = Self.text(bytes, 192, 44)
        let plus = header.bytesPerSample == 2 ? "EDF+" : "BDF+"
        if reserved.hasPrefix(plus + "C") {
            header.continuity = .continuous
        } else if reserved.hasPrefix(plus + "D") {
            header.continuity = .discontinuous
        } else if reserved.hasPrefix(plus) {
            header.continuity = .continuous
            header.notes.append("the header says \(plus) without C or D; records are placed where they say they start")
        }
        let records = try Self.integer(bytes, 236, 8, "number of data records", file)
        guard records >= -1 else {
            throw FormatError(
                file.url, at: "byte 236 (number of data records)",
                "found \(records), expected a count, or -1 for unknown")
        }
        header.recordCount = records > 0 ? records : nil
        try parseDuration()
        header.start = startMoment()
    }

    private mutating func parseDuration() throws {
        let place = "byte 244 (duration of a data record)"
        let duration = try number(244, 8, "duration of a data record")
        guard duration >= 0, duration.isPlaceable else {
            throw FormatError(file.url, at: place, "found \(duration), expected seconds, from 0 to less than 1e12")
        }
        header.recordDuration = duration
        let text = Self.text(bytes, 244, 8)
        // A text that fills the field may have lost digits: 1/3 s is written 0.333333.
        if text.utf8.count == 8, let mark = text.firstIndex(of: "."), text.allSatisfy({ $0.isNumber || $0 == "." }) {
            let decimals = text.distance(from: mark, to: text.endIndex) - 1
            header.recordDurationRounding = 0.5 / powersOfTen[decimals]
        }
    }

    private mutating func parseSignals() throws {
        let count = header.signals.count
        var place = 256
        func field(_ width: Int, _ take: (Int) throws -> Void) rethrows {
            for signal in 0..<count { try take(place + signal * width) }
            place += count * width
        }
        func index(_ at: Int, _ width: Int) -> Int { (at - place) / width }
        field(16) { header.signals[index($0, 16)].label = Self.text(bytes, $0, 16) }
        field(80) { header.signals[index($0, 80)].transducer = Self.text(bytes, $0, 80) }
        field(8) { header.signals[index($0, 8)].dimension = Self.text(bytes, $0, 8) }
        func name(_ field: String, _ signal: Int) -> String {
            "\(field) of signal \(signal + 1) \(Self.quoted(header.signals[signal].label))"
        }
        func extreme(_ at: Int, _ field: String) throws -> Double {
            let signal = index(at, 8)
            // Annotation signals have no scale; some writers leave theirs blank.
            if header.signals[signal].isAnnotations { return (try? number(at, 8, "")) ?? 0 }
            return try number(at, 8, name(field, signal))
        }
        func level(_ at: Int, _ field: String) throws -> Int {
            let value = try extreme(at, field)
            guard let whole = Int(exactly: value), whole.magnitude <= 1 << 31 else {
                throw FormatError(
                    file.url, at: "byte \(at) (\(name(field, index(at, 8))))",
                    "found \(Self.quoted(Self.text(bytes, at, 8))), expected a whole number")
            }
            return whole
        }
        try field(8) { header.signals[index($0, 8)].physicalMinimum = try extreme($0, "physical minimum") }
        try field(8) { header.signals[index($0, 8)].physicalMaximum = try extreme($0, "physical maximum") }
        try field(8) { header.signals[index($0, 8)].digitalMinimum = try level($0, "digital minimum") }
        try field(8) { header.signals[index($0, 8)].digitalMaximum = try level($0, "digital maximum") }
        field(80) { header.signals[index($0, 80)].prefiltering = Self.text(bytes, $0, 80) }
        try field(8) {
            let signal = index($0, 8)
            let samples = try Self.integer(bytes, $0, 8, name("samples per record", signal), file)
            guard samples >= 0 else {
                throw FormatError(
                    file.url, at: "byte \($0) (\(name("samples per record", signal)))",
                    "found \(samples), expected a count")
            }
            header.signals[signal].samplesPerRecord = samples
        }
    }

    private mutating func check() throws {
        let sampled = header.signals.filter { !$0.isAnnotations && $0.samplesPerRecord > 0 }
        if header.recordDuration == 0, let first = sampled.first {
            throw FormatError(
                file.url, at: "byte 244 (duration of a data record)",
                "found 0, so \(Self.quoted(first.label)) has no sample rate, expected seconds above 0",
                advice: "only files with nothing but annotations may say 0")
        }
        for signal in sampled {
            let rate = Double(signal.samplesPerRecord) / header.recordDuration
            guard Plausible.sampleRates.contains(rate) else {
                throw FormatError(
                    file.url, at: "byte 244 (duration of a data record)",
                    "found \(header.recordDuration) s, in which \(Self.quoted(signal.label)) would have \(rate) Hz")
            }
        }
        let annotated = header.signals.contains { $0.isAnnotations && $0.samplesPerRecord > 0 }
        if header.continuity == .discontinuous, !annotated {
            throw FormatError(
                file.url, at: "byte 192 (reserved)",
                "says \(header.format), but no 'EDF Annotations' signal says when each record starts")
        }
        if header.continuity == .plain, annotated {
            header.notes.append("holds annotations though the header does not say EDF+ or BDF+; they are read")
        }
        var labels: Set<String> = []
        for signal in sampled where !labels.insert(signal.label).inserted {
            header.notes.append("more than one signal is called \(Self.quoted(signal.label))")
        }
        for (number, signal) in header.signals.enumerated() where !signal.isAnnotations {
            noteOddities(of: signal, number: number + 1)
        }
        noteCoarse()
    }

    private mutating func noteOddities(of signal: EDFSignal, number: Int) {
        let name = "signal \(number) \(Self.quoted(signal.label))"
        if signal.samplesPerRecord == 0 { header.notes.append("\(name) has no samples and is left out") }
        guard let scale = signal.scale else {
            let which = signal.digitalMinimum == signal.digitalMaximum ? "digital" : "physical"
            header.notes.append(
                "\(name) has the same \(which) minimum and maximum: it has no scale, its samples are the stored numbers "
                    + "and have no unit")
            return
        }
        if signal.digitalMinimum > signal.digitalMaximum {
            header.notes.append("\(name) has its digital minimum above its maximum; both are used as they stand")
        }
        let largest = max(abs(signal.physicalMinimum), abs(signal.physicalMaximum))
        if Double(Float(largest).ulp) > 2 * abs(scale.gain) { coarse.append(signal.label) }
    }

    private mutating func noteCoarse() {
        guard let first = coarse.first else { return }
        let others = coarse.count > 1 ? " and \(coarse.count - 1) others" : ""
        header.notes.append(
            "\(Self.quoted(first))\(others) lie so far from 0 that single precision keeps coarser steps than the file")
    }
}

extension EDFHeaderParser {
    /// The characters of a field without the blanks around them. The specification wants ASCII; what is not is read as
    /// Latin-1, in which makers write `µV`.
    static func text(_ bytes: [UInt8], _ at: Int, _ width: Int) -> String {
        var first = min(at, bytes.count)
        var end = min(at + width, bytes.count)
        while first < end, isBlank(bytes[first]) { first += 1 }
        while first < end, isBlank(bytes[end - 1]) { end -= 1 }
        let field = bytes[first..<end]
        if field.allSatisfy({ $0 < 0x7F && $0 >= 0x20 }) { return String(decoding: field, as: UTF8.self) }
        return String(String.UnicodeScalarView(field.map { Unicode.Scalar(isBlank($0) ? 0x20 : $0) }))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

    static func quoted(_ text: String) -> String { "'\(text)'" }

    private static func integer(
        _ bytes: [UInt8], _ at: Int, _ width: Int, _ name: String, _ file: InputFile
    ) throws -> Int {
        let text = text(bytes, at, width)
        if let value = Int(text) { return value }
        // "250.0" and the like.
        if let value = plainNumber(text), let whole = Int(exactly: value) { return whole }
        throw FormatError(file.url, at: "byte \(at) (\(name))", "found \(quoted(text)), expected a whole number")
    }

    private mutating func number(_ at: Int, _ width: Int, _ name: String) throws -> Double {
        let text = Self.text(bytes, at, width)
        if let value = Self.plainNumber(text) { return value }
        if let value = Self.plainNumber(text.replacingOccurrences(of: ",", with: ".")) {
            if !header.notes.contains(Self.commaNote) { header.notes.append(Self.commaNote) }
            return value
        }
        throw FormatError(file.url, at: "byte \(at) (\(name))", "found \(Self.quoted(text)), expected a number")
    }

    private static let commaNote = "numbers of the header have decimal commas; read as points"

    /// A finite number in digits; no `nan`, no `inf`.
    private static func plainNumber(_ text: String) -> Double? {
        guard let value = NumberParsing.double(text), value.isFinite else { return nil }
        return value
    }

    // MARK: start

    private static let months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]

    private mutating func startMoment() -> Timestamp? {
        let date = Self.text(bytes, 168, 8)
        let time = Self.text(bytes, 176, 8)
        guard let clock = Self.threeNumbers(time), clock.0 < 24, clock.1 < 60, clock.2 < 60 else {
            header.notes.append("the start time \(Self.quoted(time)) is no time of day; the start is unknown")
            return nil
        }
        guard let day = startDay(date) else { return nil }
        return Timestamp(
            year: day.year, month: day.month, day: day.day, hour: clock.0, minute: clock.1, second: Double(clock.2))
    }

    /// The day: from the recording field in EDF+, which has four-digit years, else from the start date (1985 to 2084).
    private mutating func startDay(_ date: String) -> (year: Int, month: Int, day: Int)? {
        let fields = header.recording.split(separator: " ").map(String.init)
        let isTold = fields.count >= 2 && fields[0] == "Startdate"
        if isTold, header.continuity != .plain, let day = Self.longDate(fields[1]) { return day }
        // The specification's spelling of "not known", given so that nobody can be found by it; in plain files too.
        if isTold, fields[1] == "X", date == "01.01.85" { return nil }
        guard let short = Self.threeNumbers(date) else {
            header.notes.append("the start date \(Self.quoted(date)) is not dd.mm.yy; the start is unknown")
            return nil
        }
        let year = short.2 + (short.2 >= 85 ? 1900 : 2000)
        guard Timestamp.exists(year: year, month: short.1, day: short.0) else {
            header.notes.append("the start date \(Self.quoted(date)) does not exist; the start is unknown")
            return nil
        }
        return (year, short.1, short.0)
    }

    private static func threeNumbers(_ text: String) -> (Int, Int, Int)? {
        let parts = text.split(omittingEmptySubsequences: false) { ".:-/".contains($0) }
        guard parts.count == 3 else { return nil }
        let numbers = parts.compactMap { part -> Int? in
            let digits = part.drop { $0 == " " }
            guard !digits.isEmpty, digits.count <= 2, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                return nil
            }
            return Int(digits)
        }
        return numbers.count == 3 ? (numbers[0], numbers[1], numbers[2]) : nil
    }

    private static func longDate(_ text: String) -> (year: Int, month: Int, day: Int)? {
        let parts = text.split(separator: "-")
        guard parts.count == 3, let day = Int(parts[0]), let year = Int(parts[2]), (1000...9999).contains(year),
            let month = months.firstIndex(of: parts[1].uppercased()),
            Timestamp.exists(year: year, month: month + 1, day: day)
        else { return nil }
        return (year, month + 1, day)
    }
}
