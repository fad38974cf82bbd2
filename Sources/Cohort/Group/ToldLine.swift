import Formats

/// What there is to tell of a recording's tables, as a line of text: records of fields.
///
/// `Q`: path and hash of a table of signal quality, end of its last window, mean quality, mean coverage. `S`: path and hash of
/// a table of samples or epochs, its header. `R`, below it: signal, onset, duration, coverage and quality that values have in
/// common, and for each of them the place of its index, the value, on how many rows it rests, and its share. What is missing is
/// empty.
struct ToldLine {
    static let record = Unicode.Scalar(0x1E as UInt8)
    static let field = Unicode.Scalar(0x1F as UInt8)

    /// The line; empty where there is nothing to tell, or nothing that a line can.
    var text: String { isPlain && scalars.utf8.count < Self.longest ? scalars : "" }

    /// More bytes are not told: whoever wants them reads the tables.
    private static let longest = 1 << 18
    private var scalars = ""
    private var isPlain = true

    /// Adds a table of signal quality.
    mutating func add(_ output: DoneMarker.Output, _ quality: JudgedQuality) {
        begin(["Q", output.path, output.sha256])
        add(quality.end)
        add(quality.means?.quality)
        add(quality.means?.coverage)
    }

    /// Adds a table of samples or epochs.
    mutating func add(
        _ output: DoneMarker.Output, _ names: [String], _ indexes: [ResultColumns.Index], _ values: [ResultTables.Value]
    ) {
        begin(["S", output.path, output.sha256] + names)
        let places = Dictionary(zip(indexes.map(\.name), indexes.indices), uniquingKeysWith: { first, _ in first })
        var latest: ResultTables.Value?
        for value in values {
            if latest.map({ Self.isOneRun($0, value) }) != true {
                begin(["R", value.signal, value.onset ?? "", value.duration ?? ""])
                add(value.coverage)
                add(value.quality)
            }
            latest = value
            add(places[value.index.name].map(String.init))
            add(value.text)
            add(value.count)
            add(value.share)
        }
    }

    private static func isOneRun(_ one: ResultTables.Value, _ other: ResultTables.Value) -> Bool {
        one.signal == other.signal && one.coverage == other.coverage && one.quality == other.quality
            && one.onset == other.onset && one.duration == other.duration
    }

    private mutating func begin(_ fields: [String]) {
        if !scalars.isEmpty { scalars.unicodeScalars.append(Self.record) }
        scalars += fields[0]
        for field in fields.dropFirst() { add(field) }
    }

    private mutating func add(_ number: Double?) {
        // Its shortest text reads back to the bit.
        add(number.map { $0.isFinite ? "\($0)" : "nan" })
    }

    private mutating func add(_ field: String?) {
        scalars.unicodeScalars.append(Self.field)
        guard let field else { return }
        if field.utf8.contains(where: { $0 < 0x20 }) { isPlain = false }
        scalars += field
    }
}
