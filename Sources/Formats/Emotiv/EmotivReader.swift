public import Foundation
public import Signals

/// Reads CSV files that EmotivPRO exports: a line about the recording, a row of names, and a row a sample.
///
/// `EEG.AF3` and its like are EEG in µV, called by their electrodes, with the headset's constant level of some 4,200 µV. Samples
/// that `EEG.Interpolated` says the program made up are missing. `MOT.Acc…` is acceleration in g, `MOT.Gyro…` rotation,
/// `EEG.BatteryPercent` the battery; `EEG.MarkerHardware` and `MarkerValueInt` give markers. `Timestamp` counts seconds since
/// 1970. What the program computes itself (contact and signal qualities, powers of bands, performance metrics) is left out
/// with a note.
public final class EmotivReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited
    /// The stream of EEG and its channel that tells which samples were made up; nil where no column does.
    private let told: (stream: Int, channel: Int)?

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public init(_ url: URL) throws {
        let head = try InputFile(url).read(at: 0, count: DelimitedDialect.headSize)
        let (names, rowsBefore) = Self.names(head)
        let columns = names.compactMap(Self.column)
        guard columns.contains(where: { $0.kind == .eeg && $0.label != Self.madeUp }) else {
            throw FormatError(url, at: "line \(rowsBefore + 1)", "has no columns of EEG, expected EEG.AF3 and its like")
        }
        let map = ColumnMap(
            delimiter: ",", decimalMark: ".", skipRows: rowsBefore,
            time: ColumnMap.TimeColumn(column: "Timestamp", unit: .seconds), columns: columns, hasHeader: true)
        base = try Delimited(url, map: map, splitsRates: true)
        var header = base.header
        header.format = "EmotivPRO"
        told =
            header.streams.indices.lazy.compactMap { stream in
                let channels = header.streams[stream].channels
                return channels.count < 2 ? nil : channels.firstIndex { $0.label == Self.madeUp }.map { (stream, $0) }
            }.first
        if let told { header.streams[told.stream].channels.remove(at: told.channel) }
        let others = Set(names.compactMap { name in Self.computed.first { name.hasPrefix($0) } })
        if !others.isEmpty {
            let list = others.sorted().map { $0 + "…" }.joined(separator: ", ")
            header.notes.append("what EmotivPRO computed is left out: \(list)")
        }
        self.header = header
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? {
        guard let event = try base.next() else { return nil }
        guard let told, case .samples(let stream, let block) = event, stream == told.stream else { return event }
        let frames = block.frameCount
        let isMadeUp = block.channel(told.channel)
        var samples = block.samples
        samples.removeSubrange(block.range(ofChannel: told.channel))
        for frame in 0..<frames where isMadeUp[frame] != 0 {
            for channel in 0..<block.channelCount - 1 { samples[channel * frames + frame] = .nan }
        }
        return .samples(stream: stream, SampleBlock(channelCount: block.channelCount - 1, samples: samples))
    }

    /// Whether a file begins with the rows of one of EmotivPRO's files.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let names = names(head).names
        return names.contains("Timestamp") && names.contains("EEG.Counter")
            && names.contains { column($0)?.kind == .eeg }
    }

    private static let madeUp = "Interpolated"
    /// What the columns of the program's own values begin with.
    private static let computed = ["CQ.", "EQ.", "PM.", "POW.", "FE.", "MC."]
    /// Columns of EEG that are no electrodes.
    private static let beside: Set<String> = ["Counter", "RawCq", "Battery", "MarkerHardware", "Markers"]

    /// The names of the columns, and how many lines stand above them.
    private static func names(_ head: [UInt8]) -> (names: [String], rowsBefore: Int) {
        let lines = head.prefix(1 << 14).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
        let row = lines.count > 1 && lines[0].hasPrefix("title:") ? 1 : 0
        return (lines[row].split(separator: ",", omittingEmptySubsequences: false).map(String.init), row)
    }

    private static func column(_ name: String) -> ColumnMap.MappedColumn? {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            return name == "MarkerValueInt" ? .init(column: name, kind: .marker) : nil
        }
        switch (parts[0], parts[1]) {
        case ("EEG", "MarkerHardware"), ("EEG", "Markers"): return .init(column: name, kind: .marker)
        case ("EEG", "BatteryPercent"): return .init(column: name, kind: .battery, unit: "%", label: "Battery")
        case ("EEG", let electrode) where !beside.contains(electrode):
            return .init(column: name, kind: .eeg, unit: "uV", label: electrode)
        case ("MOT", let axis) where axis.hasPrefix("Acc"):
            return .init(column: name, kind: .acceleration, unit: "g", label: axis)
        case ("MOT", let axis) where axis.hasPrefix("Gyro"): return .init(column: name, kind: .gyroscope, label: axis)
        default: return nil
        }
    }
}
