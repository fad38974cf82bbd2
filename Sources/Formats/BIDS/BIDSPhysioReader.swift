import Foundation
import Signals

/// Reads BIDS recordings of continuous signals, `…_physio.tsv.gz` and `…_stim.tsv.gz` with their JSON sidecars (BIDS
/// 1.10, "Physiological recordings").
///
/// Rate, columns and units come from the sidecar, also from one farther up that the inheritance principle applies.
/// Columns are put into streams by their names and units; what `cardiac` is, an ECG or a pulse, its description tells, else
/// the file's name (`recording-ecg`), else its unit. `n/a` is missing. Time 0 is the start of the run, or of the recording
/// where that began earlier. A `trigger` gives markers, unless it is a voltage.
final class BIDSPhysioReader: RecordingReader {
    let header: RecordingHeader
    private let base: any RecordingReader
    private let shift: Seconds

    /// Opens a recording.
    /// - Parameter told: what its columns are, where somebody knows better than the sidecar.
    /// - Throws: `FormatError` when it or its sidecar is missing or cannot be understood.
    init(_ url: URL, columns told: ColumnMap? = nil) throws {
        guard let name = BIDSName(url.lastPathComponent) else { throw FormatError(url, "has no BIDS name") }
        let sidecar = try BIDSSidecar(for: url, named: name)
        let expected = name.with(suffix: name.suffix, ending: ".json").text
        guard !sidecar.files.isEmpty else {
            throw FormatError(
                url, "has no sidecar, so its sample rate and columns are unknown",
                advice: "put \(expected) with SamplingFrequency, StartTime and Columns beside it")
        }
        guard let rate = sidecar.number("SamplingFrequency"), Plausible.sampleRates.contains(rate) else {
            let found = sidecar.found("SamplingFrequency").map { "its SamplingFrequency is \($0)" }
            throw FormatError(
                sidecar.files.last ?? url, "\(found ?? "has no SamplingFrequency"), expected a number of Hz above 0")
        }
        guard let columns = sidecar.texts("Columns"), !columns.isEmpty else {
            throw FormatError(sidecar.files.last ?? url, "does not name the Columns")
        }
        var notes: [String] = []
        if sidecar.number("StartTime") == nil { notes.append("the sidecar has no StartTime; 0 was taken") }
        let runStart = try Self.runStart(sidecar, url)
        if runStart > 0 { notes.append("the recording began \(Float(runStart)) s before the run") }
        let described = BIDSPhysioColumns(columns, sidecar, rate: rate, recording: name["recording"], told: told)
        notes += described.notes
        base = try Self.open(url, described)
        let shift = try Self.startTime(sidecar, url) + runStart
        self.shift = shift
        var header = base.header
        header.duration = header.duration.map { $0 + shift }
        header.subject = name["sub"]
        header.session = name["ses"]
        header.task = name["task"]
        header.format = "BIDS \(name.suffix)"
        header.notes = notes + header.notes
        header.sourceOrigin = runStart > 0 ? runStart : nil
        self.header = header
    }

    /// Whether a file is called as a BIDS recording of continuous signals is, and is compressed as such.
    static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard let name = BIDSName(url.lastPathComponent), isOurs(name) else { return false }
        return GzipFile.recognizes(head, url: url)
    }

    /// Whether a name is that of a recording of continuous signals.
    static func isOurs(_ name: BIDSName) -> Bool {
        ["physio", "stim"].contains(name.suffix) && name.ending == ".tsv.gz"
    }

    /// The files that a recording is made of: it and its sidecars.
    /// - Throws: `FormatError` when a sidecar cannot be read.
    static func files(of url: URL) throws -> [URL] {
        guard let name = BIDSName(url.lastPathComponent) else { return [url] }
        return [url] + (try BIDSSidecar(for: url, named: name).files)
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    func next() throws -> RecordingEvent? {
        guard let event = try base.next() else { return nil }
        switch event {
        case .segment(let stream, var start):
            start.onset += shift
            start.gap?.onset += shift
            return .segment(stream: stream, start: start)
        case .marker(var marker):
            marker.onset += shift
            return .marker(marker)
        case .samples, .values: return event
        }
    }

    private static func open(_ url: URL, _ columns: BIDSPhysioColumns) throws -> any RecordingReader {
        try GzipFile.open(url) { file in
            let input = try InputFile(file)
            let head = try input.read(at: 0, count: DelimitedDialect.headSize)
            let cells = head.prefix { $0 != 0x0A }.count { $0 == 0x09 } + 1
            guard cells == columns.count || head.isEmpty else {
                throw FormatError(
                    file, at: "line 1", "has \(cells) columns, its sidecar names \(columns.count)",
                    advice: "Columns in the sidecar must name them all")
            }
            return try Delimited(
                file, map: columns.map(at: head, LineStretches.read(input, after: DelimitedDialect.headSize)),
                splitsRates: false)
        }
    }

    /// When the recording begins, in seconds from the start of the run.
    private static func startTime(_ sidecar: BIDSSidecar, _ url: URL) throws -> Seconds {
        let start = sidecar.number("StartTime") ?? 0
        guard start.isPlaceable else {
            throw FormatError(
                sidecar.files.last ?? url, "its StartTime is \(start), expected seconds from the run's start")
        }
        return start
    }

    /// When the run begins, in seconds from the recording's time 0.
    private static func runStart(_ sidecar: BIDSSidecar, _ url: URL) throws -> Seconds {
        max(0, -(try startTime(sidecar, url)))
    }

    /// When the run begins that a file of this name was recorded in, in seconds from the recording's time 0; nil for
    /// files of other kinds.
    /// - Throws: `FormatError` when a sidecar cannot be read, or its StartTime is no time.
    static func runStart(in url: URL) throws -> Seconds? {
        guard let name = BIDSName(url.lastPathComponent), isOurs(name) else { return nil }
        return try runStart(BIDSSidecar(for: url, named: name), url)
    }
}
