public import Foundation
public import Signals

/// Reads CSV files that muse-lsl records: `timestamps` in seconds, then the electrodes in µV, and the stimuli in columns
/// called `Marker…`, which become markers. Files of its PPG, accelerometer and gyroscope, told by their names, are read
/// too. Times are those of LSL's clock; where it has no date, time 0 is the first sample.
public final class MuseLSLReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public init(_ url: URL) throws {
        let head = try InputFile(url).read(at: 0, count: 1 << 12)
        let map = ColumnMap(
            delimiter: ",", time: ColumnMap.TimeColumn(column: "timestamps", unit: .seconds),
            columns: Self.names(head).dropFirst().map { Self.column($0, url) })
        base = try Delimited(url, map: map, isClocked: true, splitsRates: false)
        var header = base.header
        header.format = "muse-lsl"
        self.header = header
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? { try base.next() }

    /// Whether a file begins with the header row of one of muse-lsl's files.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let names = names(head)
        guard names.first == "timestamps", names.count > 1 else { return false }
        let isEEG = names.contains("TP9") && names.contains("AF7")
        return isEEG || names.dropFirst() == ["X", "Y", "Z"] || names[1] == "PPG1"
    }

    private static func names(_ head: [UInt8]) -> [String] {
        String(decoding: head.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func column(_ name: String, _ url: URL) -> ColumnMap.MappedColumn {
        let file = url.lastPathComponent.uppercased()
        switch name {
        case _ where name.hasPrefix("Marker"): return .init(column: name, kind: .marker)
        case "X", "Y", "Z":
            let isTurning = file.contains("GYRO")
            return .init(
                column: name, kind: isTurning ? .gyroscope : .acceleration, unit: isTurning ? "deg/s" : "g")
        case _ where name.hasPrefix("PPG"): return .init(column: name, kind: .bvp)
        // The auxiliary electrode floats where nothing is plugged in.
        case "Right AUX", "AUX", "Left AUX": return .init(column: name, kind: .other, unit: "uV")
        default: return .init(column: name, kind: .eeg, unit: "uV")
        }
    }
}
