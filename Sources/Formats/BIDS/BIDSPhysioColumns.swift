import Signals

/// What the columns of a BIDS recording are: as somebody tells by a column map, else as its sidecar does. There a description
/// that is the name of a kind tells it, as our own files have it where name and unit do not.
struct BIDSPhysioColumns {
    let count: Int
    /// What is to be said of them.
    private(set) var notes: [String] = []
    private let map: ColumnMap
    /// The places of those whose kind was told by a column map.
    private let chosen: Set<Int>

    /// - Parameters:
    ///   - recording: the label of the entity `recording` in the file's name.
    ///   - told: what is said of columns by those who read the file; nil: nothing.
    init(
        _ names: [String], _ sidecar: BIDSSidecar, rate: Double, recording: String? = nil, told: ColumnMap? = nil
    ) {
        count = names.count
        var (notes, mapped) = ([String](), [Int: ColumnMap.MappedColumn]())
        for column in told?.columns ?? [] {
            if let place = Self.place(of: column.column, in: names) {
                mapped[place] = column
            } else {
                notes.append(
                    "the column map tells of \(column.column), the sidecar has \(names.joined(separator: ", "))")
            }
        }
        if let stated = told?.sampleRate, stated != rate {
            notes.append(
                "the stated sample rate of \(NumberFormatting.text(stated)) Hz is not used: the sidecar says "
                    + "\(NumberFormatting.text(rate)) Hz")
        }
        let columns = names.enumerated().map { place, name in
            let own = mapped[place]
            let unit = own?.unit ?? sidecar.text(ofColumn: name, "Units") ?? ""
            let described = sidecar.text(ofColumn: name, "Description").flatMap(StreamKind.init(rawValue:))
            let kind = own?.kind ?? described ?? Self.kind(name, Unit(unit), sidecar, recording, &notes)
            return ColumnMap.MappedColumn(
                column: "\(place + 1)", kind: kind, unit: unit, label: own?.label ?? name)
        }
        map = ColumnMap(
            delimiter: "\t", decimalMark: ".", commentPrefix: "", sampleRate: rate, columns: columns, hasHeader: false)
        chosen = Set(mapped.filter { $0.value.kind != nil }.keys)
        self.notes = notes
    }

    /// The column that a map means: by its name, however it is capitalised, or by its number from 1 on.
    private static func place(of text: String, in names: [String]) -> Int? {
        if let place = names.firstIndex(of: text) { return place }
        if let place = names.firstIndex(where: { $0.lowercased() == text.lowercased() }) { return place }
        return Int(text).flatMap { $0 >= 1 && $0 <= names.count ? $0 - 1 : nil }
    }

    /// The columns of a file that begins with `head`, with more lines from all over it. A trigger that is a voltage, with
    /// noise of which each sample would be a marker, is a signal: numbers that are not whole, or one of eight rows another
    /// than the one above.
    func map(at head: [UInt8], _ further: [[UInt8]]) -> ColumnMap {
        var map = map
        let stretches = ([head[..<(head.lastIndex(of: 0x0A) ?? 0)]] + further.map { $0[...] }).map { bytes in
            LineStretches.lines(bytes).map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        }
        for place in 0..<count where map.columns?[place].kind == .marker && !chosen.contains(place) {
            let cells = stretches.map { rows in rows.compactMap { $0.indices.contains(place) ? $0[place] : nil } }
            if !MarkerColumn.hasMarkers(cells, mark: UInt8(ascii: ".")) { map.columns?[place].kind = .other }
        }
        return map
    }

    /// The names that BIDS prescribes, else the kind that name and unit tell.
    static func kind(_ name: String, _ unit: Unit) -> StreamKind {
        switch name.lowercased() {
        case cardiac: unit.factor(to: .volts) != nil ? .ecg : .bvp
        case "respiratory": .respiration
        case "trigger": .marker
        default: SignalKind.kind(label: name, transducer: "", unit: unit)
        }
    }

    /// What BIDS calls both an ECG and a pulse.
    static let cardiac = "cardiac"

    /// The same, where what is cardiac is told by what the sidecar says of it, then by the name of the file, and only then by
    /// its unit: pulses come in volts, too.
    private static func kind(
        _ name: String, _ unit: Unit, _ sidecar: BIDSSidecar, _ recording: String?, _ notes: inout [String]
    ) -> StreamKind {
        let guess = kind(name, unit)
        guard name.lowercased() == cardiac else { return guess }
        let texts = ["Description", "LongName", "Model", "PhysioType"].map { sidecar.text(ofColumn: name, $0) }
        for case let text? in texts + [recording] {
            if let told = SignalKind.cardiac(saidBy: text) { return told }
        }
        let reason = unit == .unknown ? "it has no unit" : "its unit is \(unit)"
        let (taken, other, word) = guess == .ecg ? ("an ECG", "a pulse", "pulse") : ("a pulse", "an ECG", "ECG")
        notes.append(
            "\(name): taken for \(taken) only because \(reason); if it is \(other), say so in the sidecar: "
                + "\"\(name)\": {\"Description\": \"\(word)\"}")
        return guess
    }
}
