import Foundation

/// The means of a recording's indexes over its windows.
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

        mutating func add(_ value: Double?, hasTimes: Bool = false) {
            windows += 1
            guard let value else { return }
            if hasTimes { self.hasTimes = true }
            present += 1
            sum += value
        }

        /// nil where no window has a value.
        var value: Double? { present > 0 ? sum / Double(present) : nil }
    }

    /// The indexes in the order they came.
    private(set) var keys: [Key] = []
    private(set) var means: [Key: Mean] = [:]
    private(set) var units: [Key: ResultColumns.Index] = [:]
    private(set) var coverage: [String: Mean] = [:]
    private(set) var quality: [String: Mean] = [:]

    mutating func add(_ value: ResultTables.Value) {
        let key = Key(signal: value.signal, index: value.index.name)
        if means[key] == nil {
            keys.append(key)
            units[key] = value.index
        }
        let hasTimes = value.onset != nil && value.duration != nil
        means[key, default: Mean()].add(Self.number(value.text), hasTimes: hasTimes)
        coverage[value.signal, default: Mean()].add(Self.number(value.coverage))
        quality[value.signal, default: Mean()].add(Self.number(value.quality))
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}
