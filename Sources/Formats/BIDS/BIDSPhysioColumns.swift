import Signals

/// What the columns of a BIDS recording are, by its sidecar: a description that is the name of a kind tells it, as our
/// own files have it where name and unit do not.
struct BIDSPhysioColumns {
    let count: Int
    private let map: ColumnMap

    init(_ names: [String], _ sidecar: BIDSSidecar, rate: Double) {
        count = names.count
        map = ColumnMap(
            delimiter: "\t", decimalMark: ".", commentPrefix: "", sampleRate: rate,
            columns: names.enumerated().map { place, name in
                let unit = sidecar.text(ofColumn: name, "Units")
                let described = sidecar.text(ofColumn: name, "Description").flatMap(StreamKind.init(rawValue:))
                return ColumnMap.MappedColumn(
                    column: "\(place + 1)", kind: described ?? Self.kind(name, Unit(unit ?? "")), unit: unit ?? "",
                    label: name)
            }, hasHeader: false)
    }

    /// The columns of a file that begins with `head`, with more lines from all over it. A trigger that is a voltage, with
    /// noise of which each sample would be a marker, is a signal: numbers that are not whole, or one of eight rows another
    /// than the one above.
    func map(at head: [UInt8], _ further: [[UInt8]]) -> ColumnMap {
        var map = map
        let stretches = ([head[..<(head.lastIndex(of: 0x0A) ?? 0)]] + further.map { $0[...] }).map { bytes in
            LineStretches.lines(bytes).map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        }
        for place in 0..<count where map.columns?[place].kind == .marker {
            let cells = stretches.map { rows in rows.compactMap { $0.indices.contains(place) ? $0[place] : nil } }
            if !MarkerColumn.hasMarkers(cells, mark: UInt8(ascii: ".")) { map.columns?[place].kind = .other }
        }
        return map
    }

    /// The names that BIDS prescribes, else the kind that name and unit tell.
    static func kind(_ name: String, _ unit: Unit) -> StreamKind {
        switch name.lowercased() {
        case "cardiac": unit.factor(to: .volts) != nil ? .ecg : .bvp
        case "respiratory": .respiration
        case "trigger": .marker
        default: SignalKind.kind(label: name, transducer: "", unit: unit)
        }
    }
}
