import Foundation
import Signals

/// The header of an OpenSignals text file: a line that names the format, an object of JSON with an entry for each device,
/// and `EndOfHeader`, all of them comments.
struct OpenSignalsHeader {
    /// A device, whose columns stand beside those of the others.
    struct Device {
        /// Its address, by which the header calls it.
        var address: String
        /// Its model, such as `biosignalsplux`; empty where the header does not tell.
        var model: String
        var sampleRate: Double
        var start: Timestamp?
        /// Its columns in the file: of the sequence numbers, where it has such; of the digital inputs, with their names;
        /// of the channels.
        var counter: Int?
        var inputs: [(column: Int, name: String)]
        var channels: [Channel]
        /// Bits of the sequence numbers, where the header tells.
        var counterBits: Int?
        /// Whether its values are in their units already.
        var isConverted: Bool

        /// One of its channels.
        struct Channel {
            var column: Int
            var label: String
            /// What is plugged in, as the header calls it: `ECG`, `EDABITREV`, `RAW`.
            var sensor: String
            /// Bits of the converter, where the header tells.
            var bits: Int?
        }
    }

    static let magic = Array("# OpenSignals Text File Format".utf8)

    private(set) var devices: [Device] = []
    /// Columns of all devices.
    private(set) var columnCount = 0

    /// Takes the header from a file's beginning.
    /// - Parameter rowWidth: cells in a row, for headers that name no columns.
    /// - Throws: `FormatError` where it is missing or cannot be right.
    init(_ head: [UInt8], rowWidth: Int, file: URL) throws {
        let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let place = lines.firstIndex(where: { $0.first == 0x23 && $0.contains(UInt8(ascii: "{")) }) else {
            throw FormatError(file, "has no line \"# {…}\" that describes the devices")
        }
        let json = Data(lines[place].drop { $0 != UInt8(ascii: "{") })
        let at = "line \(place + 1)"
        guard let object = try? JSONSerialization.jsonObject(with: json) as? [String: Any],
            case let entries = object.compactMapValues({ $0 as? [String: Any] }), !entries.isEmpty
        else { throw FormatError(file, at: at, "is no JSON object with an entry for each device") }
        // A JSON object has no order, but the columns stand in that of the text.
        let text = String(decoding: json, as: UTF8.self)
        let order = entries.keys.sorted { position(of: $0) < position(of: $1) }
        for address in order {
            try add(address, entries[address] ?? [:], rowWidth: order.count == 1 ? rowWidth : nil, (file, at))
        }
        guard columnCount == rowWidth else {
            throw FormatError(
                file, at: at, "describes \(columnCount) columns, the rows below have \(rowWidth)")
        }
        guard Set(devices.map(\.sampleRate)).count == 1 else {
            throw FormatError(
                file, at: at, "has devices of different sample rates in the same rows",
                advice: "save a file for each of them")
        }
        func position(of key: String) -> String.Index { text.range(of: "\"\(key)\"")?.lowerBound ?? text.endIndex }
    }

    private mutating func add(
        _ address: String, _ entry: [String: Any], rowWidth: Int?, _ place: (file: URL, at: String)
    ) throws {
        let rate = (entry["sampling rate"] as? NSNumber)?.doubleValue ?? 0
        guard Plausible.sampleRates.contains(rate) else {
            throw FormatError(place.file, at: place.at, "device \(address) has no sampling rate that is possible")
        }
        let sensors = (entry["sensor"] as? [Any] ?? []).map { $0 as? String ?? "" }
        let labels = (entry["label"] as? [Any] ?? []).map { $0 as? String ?? "" }
        let count = max(sensors.count, labels.count)
        guard count > 0 else {
            throw FormatError(place.file, at: place.at, "device \(address) has no list of sensors")
        }
        // Old headers name no columns: sequence numbers come first, channels last.
        let names = entry["column"] as? [String]
        guard let width = names?.count ?? rowWidth, width >= count else {
            throw FormatError(
                place.file, at: place.at, "device \(address) has \(count) channels and no columns for them")
        }
        let columns = names ?? ["nSeq"] + Array(repeating: "", count: width - 1)
        let first = columnCount
        columnCount += width
        // A list of as many as there are columns has the bits of all of them, a shorter one those of the channels.
        let bits = entry["resolution"] as? [Any]
        let channels = (0..<count).map { number in
            let column = width - count + number
            let listed = bits.flatMap { $0.count >= count ? $0[$0.count - count + number] : nil }
            return Device.Channel(
                column: first + column,
                label: number < labels.count && !labels[number].isEmpty
                    ? labels[number] : columns[column].isEmpty ? "A\(number + 1)" : columns[column],
                sensor: number < sensors.count ? sensors[number] : "",
                bits: Self.bits(listed ?? entry["resolution"]))
        }
        let isCounted = columns[0].lowercased() == "nseq" && width > count
        devices.append(
            Device(
                address: address, model: entry["device"] as? String ?? "", sampleRate: rate, start: Self.start(entry),
                counter: isCounted ? first : nil,
                inputs: columns[..<(width - count)].enumerated().filter { Self.isInput($0.element) }
                    .map { (first + $0.offset, $0.element) },
                channels: channels,
                counterBits: bits.flatMap { $0.count == width ? Self.bits($0[0]) : nil },
                isConverted: (entry["convertedValues"] as? NSNumber)?.boolValue ?? false))
    }

    private static func bits(_ value: Any?) -> Int? {
        (value as? NSNumber).map(\.intValue).flatMap { (1...24).contains($0) ? $0 : nil }
    }

    /// `I1`, `I2` of a BITalino, `DI` of the others; its outputs are what somebody set.
    private static func isInput(_ name: String) -> Bool { ["I1", "I2", "DI"].contains(name.uppercased()) }

    /// `date` as year-month-day and `time` as hour:minute:second.millisecond, all of them without leading zeros.
    private static func start(_ entry: [String: Any]) -> Timestamp? {
        guard let date = entry["date"] as? String, let time = entry["time"] as? String else { return nil }
        let day = date.split(separator: "-").map { Int($0) ?? -1 }
        let clock = time.split { $0 == ":" || $0 == "." }.map { Int($0) ?? -1 }
        guard day.count == 3, (1_900...9_999).contains(day[0]),
            Timestamp.exists(year: day[0], month: day[1], day: day[2]), (3...4).contains(clock.count),
            (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2]), clock.count == 3 || (0...999).contains(clock[3])
        else { return nil }
        let second = Double(clock[2]) + (clock.count == 4 ? Double(clock[3]) / 1_000 : 0)
        return Timestamp(year: day[0], month: day[1], day: day[2], hour: clock[0], minute: clock[1], second: second)
    }
}
