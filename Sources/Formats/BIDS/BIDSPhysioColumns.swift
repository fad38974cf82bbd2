import Signals

/// What the columns of a BIDS recording are, by its sidecar: a description that is the name of a kind tells it, as our
/// own files have it where name and unit do not.
struct BIDSPhysioColumns {
    let count: Int
    let map: ColumnMap

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
