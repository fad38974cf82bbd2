import Signals

/// What the columns of a BIDS recording are, by its sidecar.
struct BIDSPhysioColumns {
    let count: Int
    let map: ColumnMap

    init(_ names: [String], _ sidecar: BIDSSidecar, rate: Double) {
        count = names.count
        map = ColumnMap(
            delimiter: "\t", decimalMark: ".", commentPrefix: "", sampleRate: rate,
            columns: names.enumerated().map { place, name in
                let unit = sidecar.text(ofColumn: name, "Units")
                return ColumnMap.MappedColumn(
                    column: "\(place + 1)", kind: Self.kind(name, Unit(unit ?? "")), unit: unit ?? "", label: name)
            }, hasHeader: false)
    }

    /// The names that BIDS prescribes, else the kind that name and unit tell.
    private static func kind(_ name: String, _ unit: Unit) -> StreamKind {
        switch name.lowercased() {
        case "cardiac": unit.factor(to: .volts) != nil ? .ecg : .bvp
        case "respiratory": .respiration
        case "trigger": .marker
        default: SignalKind.kind(label: name, transducer: "", unit: unit)
        }
    }
}
