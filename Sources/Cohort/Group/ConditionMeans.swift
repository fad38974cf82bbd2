import Signals

/// The means that comparisons of conditions are made of, before anything is averaged over recordings: a row per recording,
/// condition and index.
struct ConditionMeans: TableContent {
    /// A condition of a recording.
    private struct Part {
        var unit: CohortUnit
        var condition: String
        var means: RecordingMeans
        /// The accepted intervals that indexes over the whole condition rest on.
        var accepted: [RecordingMeans.Key: AcceptedData]
        /// Why indexes have no value.
        var lacks: [RecordingMeans.Key: ConditionLack]
        /// Which of the cohort's indexes it has.
        var places: [Int]
        /// The row of the first.
        var start: Int
    }

    let columns =
        GroupColumns.labels + [
            Column("condition", "The condition, as events call it"),
            Column("signal", "The signal, and what tells its rows apart, such as the method or the channel"),
            Column("index", "The index, defined in the sidecar of the recording's own table"),
            Column(
                "value",
                "Its mean over the windows of the condition, which begin with it, of which comparisons are made; of counts and sums the total over these windows' coverage, as in indexes_wide; meanHR, meanNN and rmssd are computed over all accepted intervals of the condition at once"
            ),
            Column("unit", "Its unit"),
            Column(
                "windows", unit: .dimensionless,
                "Number of windows within the condition; 1 for a table of epochs or samples, which counts as a whole, and for an index over all accepted intervals"
            ),
            Column("present", unit: .dimensionless, "How many of them have a value"),
            Column(
                "coverage", unit: .dimensionless, "Mean coverage of the signal's windows within the condition, 0 to 1"),
            Column("quality", unit: .dimensionless, "Mean quality of the signal in these windows, 0 to 1"),
            Column(
                "seconds", unit: .seconds,
                "Seconds of accepted intervals within the condition; n/a for indexes that are computed window by window"
            ),
            Column("reason", "Why it has no value"),
        ]
    let rowCount: Int
    private let keys: [(key: RecordingMeans.Key, index: ResultColumns.Index)]
    private let parts: [Part]

    /// All conditions of all recordings of a cohort, in the order of the recordings.
    init(_ summary: GroupSummary) {
        keys = summary.keys
        var parts: [Part] = []
        var start = 0
        for recording in summary.recordings {
            for (condition, means) in recording.conditions.sorted(by: { $0.key < $1.key }) {
                let places = summary.keys.indices.filter { means[summary.keys[$0].key] != nil }
                let lacks = places.compactMap { place in
                    let key = summary.keys[place].key
                    return recording.lack(of: key, under: condition).map { (key, $0) }
                }
                parts.append(
                    Part(
                        unit: recording.unit, condition: condition, means: means,
                        accepted: recording.accepted[condition] ?? [:], lacks: Dictionary(uniqueKeysWithValues: lacks),
                        places: places, start: start))
                start += places.count
            }
        }
        self.parts = parts
        rowCount = start
    }

    /// Tells some of the rows.
    func write<Sink: TableSink>(_ rows: Range<Int>, to sink: inout Sink) {
        let first = parts.partitioningIndex { $0.start + $0.places.count > rows.lowerBound }
        for part in parts[first...].prefix(while: { $0.start < rows.upperBound }) {
            let own = rows.clamped(to: part.start..<part.start + part.places.count)
            for row in own { Self.write(part, keys[part.places[row - part.start]], to: &sink) }
        }
    }

    private static func write(
        _ part: Part, _ index: (key: RecordingMeans.Key, index: ResultColumns.Index), to sink: inout some TableSink
    ) {
        let mean = part.means[index.key]
        sink.text(part.unit.participant)
        for label in [part.unit.session, part.unit.task, part.unit.acquisition] { sink.text(label ?? "") }
        if let run = part.unit.run { sink.integer(run) } else { sink.missing() }
        sink.text(part.condition)
        sink.text(index.key.signal)
        sink.text(index.key.index)
        sink.number(mean?.value)
        sink.text(index.index.unit)
        sink.integer(Int(mean?.windows ?? 0))
        sink.integer(Int(mean?.present ?? 0))
        sink.number(part.means.coverage[index.key.signal]?.value)
        sink.number(part.means.quality[index.key.signal]?.value)
        sink.number(part.accepted[index.key]?.seconds)
        if let lack = part.lacks[index.key] { sink.text(lack.text) } else { sink.missing() }
        sink.endRow()
    }
}
