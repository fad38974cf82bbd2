public import Foundation
public import Signals

/// Reads the ECGs in an export of Apple Health (`electrocardiograms/ecg_….csv`): lines about the recording in the language of
/// the phone, a blank line, and a sample a line.
///
/// One lead in the unit that is told, microvolts; 512 Hz or as told. Name and date of birth are not passed on; what the
/// watch called the rhythm is a note.
public final class AppleECG: RecordingReader {
    /// What the file holds.
    public let header: RecordingHeader
    private var pending: [RecordingEvent]
    private static let largest = 16 << 20

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood; it names the line whose sample is no number.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= Self.largest else { throw FormatError(url, "is too large for an ECG of a watch") }
        let lines = Self.lines(try input.read(at: 0, count: input.size))
        guard let about = Self.About(lines) else {
            throw FormatError(url, "does not tell its sample rate, expected a line \"Sample Rate,512 hertz\"")
        }
        var samples: [Float] = []
        for (index, line) in lines.enumerated().dropFirst(about.lineCount) where !line.isEmpty {
            guard let value = Self.sample(line) else {
                throw FormatError(url, at: "line \(index + 1)", "found \"\(line.prefix(40))\", expected a voltage")
            }
            samples.append(Float(value))
        }
        let stream = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: about.lead, unit: about.unit)],
            sampleRate: about.sampleRate,
            frameCount: samples.count)
        header = RecordingHeader(
            start: about.start, duration: Double(samples.count) / about.sampleRate, streams: [stream],
            format: "Apple Health ECG", notes: about.rhythm.map { ["the watch called the rhythm \"\($0)\""] } ?? [],
            hasTimeZone: about.hasTimeZone)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: about.sampleRate)
        pending =
            samples.isEmpty
            ? [] : [.samples(stream: 0, SampleBlock(samples)), .segment(stream: 0, start: start)]
    }

    /// The next piece; nil at the end.
    public func next() -> RecordingEvent? { pending.popLast() }

    /// Whether a file begins with lines about an ECG as Apple Health writes them.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        head.first != 0x23 && About(lines(head.prefix(4_096))) != nil
    }

    private static func lines(_ bytes: some Collection<UInt8>) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { RRTextLines.trim($0) }
    }

    /// A voltage; some languages write decimals behind a comma, some programs put it in quotation marks.
    private static func sample(_ line: Substring) -> Double? {
        let bare = line.replacing("\"", with: "").replacing("\u{2212}", with: "-").replacing(",", with: ".")
        return NumberParsing.double(bare)
    }

    /// What the lines above the samples tell, whatever the language of their names.
    private struct About {
        var sampleRate: Double
        var start: Timestamp?
        var hasTimeZone = true
        var lead = "Lead I"
        var unit = Signals.Unit.microvolts
        var rhythm: String?
        var lineCount: Int

        /// Nil where no line tells a rate in hertz, or no line a unit of voltage or a watch.
        init?(_ lines: [Substring]) {
            var (rate, isWatch, dated): (Double?, Bool, Int?) = (nil, false, nil)
            lineCount = 0
            for (index, line) in lines.prefix(40).enumerated() {
                guard let comma = line.firstIndex(of: ",") else {
                    if !line.isEmpty { break }
                    continue
                }
                let (name, value) = (line[..<comma], Self.bare(line[line.index(after: comma)...]))
                guard name.contains(where: \.isLetter) else { break }
                lineCount = index + 1
                if let found = Self.rate(value) { rate = rate ?? found }
                if value.hasPrefix("Watch") || value.hasPrefix("Apple Watch") { isWatch = true }
                if dated == nil, let moment = ISODate.seconds(value[...]) {
                    (start, hasTimeZone) = (Timestamp(secondsSince1970: moment), ISODate.hasZone(value[...]))
                    dated = index
                } else if let dated, index == dated + 1, !value.isEmpty {
                    rhythm = value
                }
                if Signals.Unit(value).factor(to: .volts) != nil {
                    (unit, isWatch) = (Signals.Unit(value), true)
                    if index > 0, let lead = lines[index - 1].split(separator: ",").last { self.lead = String(lead) }
                }
            }
            guard let rate, isWatch, start != nil else { return nil }
            sampleRate = rate
        }

        /// `512 hertz`, `512,844 Hertz`, `512 hercios`.
        private static func rate(_ value: String) -> Double? {
            let words = value.split(separator: " ")
            guard words.count == 2, words[1].lowercased().hasPrefix("h") else { return nil }
            let rate = NumberParsing.double(words[0].replacing(",", with: "."))
            return rate.flatMap { Plausible.sampleRates.contains($0) ? $0 : nil }
        }

        private static func bare(_ value: Substring) -> String {
            String(RRTextLines.trim(value)).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        }
    }
}
