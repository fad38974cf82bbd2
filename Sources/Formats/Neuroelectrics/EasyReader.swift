public import Foundation
public import Signals

/// Reads `.easy` files of Neuroelectrics' Enobio and Starstim: a row a sample, tabs between EEG in nV, three axes in mm/s²
/// where the accelerometer was on, the trigger, and milliseconds since 1970.
///
/// The file `.info` beside it names the electrodes and tells how many there are; without it there are 8, 20 or 32, called by
/// their numbers. Triggers other than 0 are markers.
public final class EasyReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, or has other columns than `.info` tells.
    public init(_ url: URL) throws {
        let head = try InputFile(url).read(at: 0, count: DelimitedDialect.headSize)
        let count = Self.cells(head).count
        let info = try EasyInfo(beside: url)
        let electrodes = info.map(\.electrodeCount) ?? Self.electrodeCount(of: count)
        guard let electrodes, let axes = Self.axisCount(count, electrodes) else {
            throw FormatError(
                url, at: "line 1",
                "has \(count) cells, expected \(electrodes.map { "\($0)" } ?? "8, 20 or 32") electrodes, none or three axes, "
                    + "the trigger and the time",
                advice: info == nil ? "put the file .info of the recording beside it" : nil)
        }
        var columns = (0..<electrodes).map { place in
            let label = info?.labels[place + 1] ?? "Ch\(place + 1)"
            return ColumnMap.MappedColumn(
                column: "\(place + 1)", kind: SignalKind.kind(saidToBeEEG: label), unit: "nV", label: label)
        }
        for (axis, name) in ["X", "Y", "Z"].prefix(axes).enumerated() {
            columns.append(
                .init(column: "\(electrodes + axis + 1)", kind: .acceleration, unit: "mm/s^2", label: "ACC \(name)"))
        }
        columns.append(.init(column: "\(count - 1)", kind: .marker))
        let time = ColumnMap.TimeColumn(column: "\(count)", unit: .milliseconds)
        base = try Delimited(
            url, map: ColumnMap(delimiter: "\t", decimalMark: ".", time: time, columns: columns, hasHeader: false),
            splitsRates: false)
        var header = base.header
        header.format = "Neuroelectrics easy"
        if info == nil { header.notes.append("there is no file .info beside it, which names the electrodes") }
        self.header = header
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? { try base.next() }

    /// Whether a file is called as those of Neuroelectrics, and begins with a row of as many numbers as they have.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        guard url.pathExtension.lowercased() == "easy" else { return false }
        let cells = cells(head)
        return cells.count > 3 && cells.allSatisfy { NumberParsing.double($0) != nil }
    }

    /// The file and that which tells of it.
    static func files(of url: URL) -> [URL] { [url] + (EasyInfo.file(for: url).map { [$0] } ?? []) }

    private static func cells(_ head: [UInt8]) -> [String] {
        String(decoding: head.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
            .split(separator: "\t").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func electrodeCount(of cells: Int) -> Int? { [8, 20, 32].first { axisCount(cells, $0) != nil } }

    /// How many axes the columns beside the electrodes are.
    private static func axisCount(_ cells: Int, _ electrodes: Int) -> Int? {
        [0, 3].first { electrodes + $0 + 2 == cells }
    }
}

/// What the file `.info` beside an `.easy` file says.
struct EasyInfo {
    private(set) var electrodeCount: Int?
    /// The electrodes' names by their numbers from 1 on.
    private(set) var labels: [Int: String] = [:]
    private static let largest = 1 << 20

    /// Reads it; nil where there is none.
    /// - Throws: `FormatError` where it cannot be read.
    init?(beside recording: URL) throws {
        guard let file = Self.file(for: recording) else { return nil }
        let input = try InputFile(file)
        guard input.size <= Self.largest else { throw FormatError(file, "is too large for what it should tell") }
        for line in String(decoding: try input.read(at: 0, count: input.size), as: UTF8.self).split(
            whereSeparator: \.isNewline)
        {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2 else { continue }
            if parts[0].lowercased() == "number of eeg channels" { electrodeCount = Int(parts[1]) }
            if parts[0].hasPrefix("Channel "), let number = Int(parts[0].dropFirst(8)), !parts[1].isEmpty {
                labels[number] = parts[1]
            }
        }
    }

    /// Where it lies; nil where there is none.
    static func file(for recording: URL) -> URL? {
        let file = recording.deletingPathExtension().appendingPathExtension("info")
        return access(file.path, R_OK) == 0 ? file : nil
    }
}
