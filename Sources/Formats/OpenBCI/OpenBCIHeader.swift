import Foundation
import Signals

/// What the comments at the beginning of an OpenBCI file say, and which of its columns are what.
///
/// From version 5 of the GUI on a row of names follows the comments. Before, comments tell what the first and the last
/// columns are: sample number, channels, three axes, and times of day, milliseconds since 1970 or both.
struct OpenBCIHeader {
    /// A column with samples.
    struct Column {
        var place: Int
        var channel: Channel
        var kind: StreamKind
    }

    /// The board's name, such as `CytonSerialDaisy`; empty where it is not told.
    private(set) var board = ""
    private(set) var sampleRate = 0.0
    private(set) var columns: [Column] = []
    /// The columns of sample numbers, of times of arrival, and of markers.
    private(set) var index: Int?
    private(set) var time: Int?
    private(set) var marker: Int?
    /// What was left out, for a note.
    private(set) var leftOut: [String] = []

    static let magic = Array("%OpenBCI".utf8)

    /// - Throws: `FormatError` where there is no sample rate that can be right, or no column of a channel.
    init(_ head: [UInt8], _ dialect: DelimitedDialect, file: URL) throws {
        var told: [String: String] = [:]
        for line in head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(40) where line.first == 0x25 {
            let parts = String(decoding: line.dropFirst(), as: UTF8.self).split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            told[parts[0].trimmingCharacters(in: .whitespaces).lowercased()] =
                parts[1].trimmingCharacters(in: .whitespaces)
        }
        let rate = told["sample rate"].flatMap { NumberParsing.double($0.prefix { $0 != " " }) }
        guard let rate, Plausible.sampleRates.contains(rate) else {
            throw FormatError(file, "has no comment \"%Sample Rate = … Hz\" with a rate that is possible")
        }
        sampleRate = rate
        board = told["board"].map { $0.replacing("OpenBCI_GUI$", with: "").replacing("Board", with: "") } ?? ""
        if dialect.names.isEmpty {
            byPlace(told, dialect)
        } else {
            byName(dialect)
        }
        guard columns.contains(where: { $0.kind == .eeg }) else {
            throw FormatError(
                file, "has no columns \"EXG Channel\" and no comment that tells how many channels there are")
        }
    }

    private mutating func add(_ place: Int, _ label: String, _ kind: StreamKind, _ unit: Signals.Unit) {
        columns.append(Column(place: place, channel: Channel(label: label, unit: unit), kind: kind))
    }

    // MARK: names

    private mutating func byName(_ dialect: DelimitedDialect) {
        let names = dialect.names
        let axes = names.indices.filter { names[$0].hasPrefix("Accel Channel") }
        // A Cyton sends what its pins read in place of the acceleration.
        let isMoving = !axes.isEmpty && !Self.areZero(axes, dialect)
        for (place, name) in names.enumerated() {
            switch name {
            case "Sample Index": index = place
            case "Timestamp": time = place
            case "Marker Channel", "Marker": marker = place
            case "Other" where place > 0 && names[place - 1] == "Timestamp": marker = place
            case "Timestamp (Formatted)", "Not Used", "": break
            case "Other": if leftOut.isEmpty { leftOut.append("the columns called Other") }
            case _ where name.hasPrefix("EXG Channel"): add(place, name, .eeg, .microvolts)
            case _ where name.hasPrefix("Accel Channel"): if isMoving { add(place, name, .acceleration, .g) }
            case _ where name.hasPrefix("Analog Channel") || name.hasPrefix("Digital Channel"):
                if !isMoving { add(place, name, .other, .unknown) }
            default: add(place, name, .other, .unknown)
            }
        }
    }

    // MARK: places

    private mutating func byPlace(_ told: [String: String], _ dialect: DelimitedDialect) {
        var first = 0
        if told["first column"]?.lowercased().hasPrefix("time") == true {
            (time, first) = (0, 1)
        }
        index = first
        first += 1
        var end = dialect.columnCount
        while end > first, let form = Self.timeForm(end - 1, dialect) {
            // Milliseconds since 1970 know the day.
            if time == nil || form == .sinceEpoch { time = end - 1 }
            end -= 1
        }
        let counts = [4, 8, 16]
        let stated = told["number of channels"].flatMap { Int($0) }
        let count = stated ?? counts.last { $0 == end - first - 3 || $0 == end - first } ?? 0
        guard count > 0, first + count <= end else { return }
        for channel in 0..<count { add(first + channel, "EXG Channel \(channel)", .eeg, .microvolts) }
        let axes = Array(first + count..<end)
        guard axes.count == 3 else {
            if !axes.isEmpty { leftOut.append("columns behind the channels") }
            return
        }
        guard !Self.areZero(axes, dialect) else { return }
        for (axis, place) in axes.enumerated() { add(place, "Accel Channel \(axis)", .acceleration, .g) }
    }

    private enum TimeForm { case ofDay, sinceEpoch }

    private static func timeForm(_ column: Int, _ dialect: DelimitedDialect) -> TimeForm? {
        guard let cell = dialect.sample.first.flatMap({ column < $0.count ? $0[column] : nil }) else { return nil }
        if DelimitedTime.timeOfDay(cell) != nil { return .ofDay }
        return NumberParsing.double(cell).map { $0 > 5e8 } == true ? .sinceEpoch : nil
    }

    private static func areZero(_ columns: [Int], _ dialect: DelimitedDialect) -> Bool {
        dialect.sample.allSatisfy { row in
            columns.allSatisfy { $0 >= row.count || NumberParsing.double(row[$0]) == 0 }
        }
    }
}
