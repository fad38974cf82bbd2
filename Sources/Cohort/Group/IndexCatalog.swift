/// The indexes of a cohort, each with a number, in the order they came: what is kept of every recording goes by these
/// numbers, as names would take far more room than values.
final class IndexCatalog {
    private(set) var keys: [RecordingMeans.Key] = []
    private(set) var indexes: [ResultColumns.Index] = []
    private var places: [RecordingMeans.Key: Int] = [:]
    private var ofSignals: [String: [Int]] = [:]

    /// The number of an index; nil where no recording has it.
    func place(of key: RecordingMeans.Key) -> Int? { places[key] }

    /// The number of an index, a new one where it is the first of its kind.
    func place(of key: RecordingMeans.Key, _ index: ResultColumns.Index) -> Int {
        if let place = places[key] { return place }
        places[key] = keys.count
        ofSignals[key.signal, default: []].append(keys.count)
        keys.append(key)
        indexes.append(index)
        return keys.count - 1
    }

    /// The numbers of all indexes of a signal, in order.
    func places(ofSignal signal: String) -> [Int] { ofSignals[signal] ?? [] }
}
