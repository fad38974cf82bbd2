import Formats

/// The means of a recording's indexes over its windows. A window that is covered in part has part of the events: of counts
/// and sums the mean is that per window which is covered whole, their total over the windows' coverage in all.
struct RecordingMeans {
    /// An index of a signal.
    struct Key: Hashable {
        var signal: String
        var index: String
    }

    /// What is known of one index of one signal.
    struct Mean {
        private(set) var windows: Int32 = 0
        private(set) var present: Int32 = 0
        /// Whether a window with a value has a start and a length.
        private(set) var hasTimes = false
        /// The mean length of the windows with a value, in seconds; 0 where it is not known.
        private var length: Float = 0
        private var sum = 0.0
        private var weight = 0.0

        /// - Parameters:
        ///   - share: the part of a window that the value is of, 0…1.
        ///   - hasTimes: whether the window has a start and a length.
        ///   - seconds: its length; nil where the value is none of a window.
        mutating func add(
            _ value: Double?, ofShare share: Double = 1, hasTimes: Bool = false, length seconds: Double? = nil
        ) {
            windows += 1
            guard let value else { return }
            if hasTimes { self.hasTimes = true }
            present += 1
            if let seconds { length += (Float(seconds) - length) / Float(present) }
            sum += value
            weight += share
        }

        /// nil where no window has a value.
        var value: Double? { weight > 0 ? sum / weight : nil }

        /// The mean length of the windows with a value, in seconds; nil where they are no windows, or none has one.
        var windowLength: Double? { length > 0 ? Double(length) : nil }
    }

    /// Indexes that add up over time.
    private static let totals: Set<String> = ["nSCR", "sumAmplitude", "counts", "steps"]

    private let catalog: IndexCatalog
    /// By the catalog's numbers; without windows where the recording lacks the index.
    private var means: [Mean] = []
    private(set) var coverage: [String: Mean] = [:]
    private(set) var quality: [String: Mean] = [:]
    /// The length that was read last: that of the next value, most likely.
    private var latest: (text: String, seconds: Double?) = ("", nil)

    /// - Parameter catalog: shared by all recordings of a cohort.
    init(_ catalog: IndexCatalog) {
        self.catalog = catalog
    }

    /// What is known of an index; nil where the recording lacks it.
    subscript(_ key: Key) -> Mean? { catalog.place(of: key).flatMap { mean($0) } }

    /// The recording's indexes in the order they came.
    var keys: [Key] { places.map { catalog.keys[$0] } }

    /// The recording's indexes in the order they came, with what they are.
    var indexes: [(key: Key, index: ResultColumns.Index)] {
        places.map { (catalog.keys[$0], catalog.indexes[$0]) }
    }

    /// What is known of all its indexes.
    var all: [Mean] { places.map { means[$0] } }

    /// What is known of the indexes of a signal, in the order they came.
    func all(ofSignal signal: String) -> [Mean] { catalog.places(ofSignal: signal).compactMap { mean($0) } }

    private var places: [Int] { means.indices.filter { means[$0].windows > 0 } }

    private func mean(_ place: Int) -> Mean? {
        place < means.count && means[place].windows > 0 ? means[place] : nil
    }

    mutating func add(_ value: ResultTables.Value) {
        let key = Key(signal: value.signal, index: value.index.name)
        let hasTimes = value.onset != nil && value.duration != nil
        let share = Self.totals.contains(key.index) ? value.share ?? Self.number(value.coverage) ?? 1 : 1
        let place = catalog.place(of: key, value.index)
        if place >= means.count { means += Array(repeating: Mean(), count: place + 1 - means.count) }
        let length = value.window == nil ? nil : seconds(value.duration)
        means[place].add(Self.number(value.text), ofShare: share, hasTimes: hasTimes, length: length)
        coverage[value.signal, default: Mean()].add(Self.number(value.coverage))
        quality[value.signal, default: Mean()].add(Self.number(value.quality))
    }

    private mutating func seconds(_ text: String?) -> Double? {
        guard let text else { return nil }
        if text != latest.text { latest = (text, Self.number(text)) }
        return latest.seconds
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { NumberParsing.double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}
