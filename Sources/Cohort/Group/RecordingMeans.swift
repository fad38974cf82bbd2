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
        private(set) var windows = 0
        private(set) var present = 0
        /// Whether a window with a value has a start and a length.
        private(set) var hasTimes = false
        private var sum = 0.0
        private var weight = 0.0

        /// - Parameter share: the part of a window that the value is of, 0…1.
        mutating func add(_ value: Double?, ofShare share: Double = 1, hasTimes: Bool = false) {
            windows += 1
            guard let value else { return }
            if hasTimes { self.hasTimes = true }
            present += 1
            sum += value
            weight += share
        }

        /// nil where no window has a value.
        var value: Double? { weight > 0 ? sum / weight : nil }
    }

    /// Indexes that add up over time.
    private static let totals: Set<String> = ["nSCR", "sumAmplitude", "counts", "steps"]

    /// The indexes in the order they came.
    private(set) var keys: [Key] = []
    private(set) var means: [Key: Mean] = [:]
    private(set) var units: [Key: ResultColumns.Index] = [:]
    private(set) var coverage: [String: Mean] = [:]
    private(set) var quality: [String: Mean] = [:]

    mutating func add(_ value: ResultTables.Value) {
        let key = Key(signal: value.signal, index: value.index.name)
        let hasTimes = value.onset != nil && value.duration != nil
        let share = Self.totals.contains(key.index) ? value.share ?? Self.number(value.coverage) ?? 1 : 1
        let number = Self.number(value.text)
        if let place = means.index(forKey: key) {
            means.values[place].add(number, ofShare: share, hasTimes: hasTimes)
        } else {
            keys.append(key)
            units[key] = value.index
            means[key, default: Mean()].add(number, ofShare: share, hasTimes: hasTimes)
        }
        coverage[value.signal, default: Mean()].add(Self.number(value.coverage))
        quality[value.signal, default: Mean()].add(Self.number(value.quality))
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { NumberParsing.double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}
