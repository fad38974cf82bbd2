import Signals

/// What the events of a recording tell, and when: a trigger's number at the same moment, in an event that is called by it,
/// tells it twice.
struct ToldMoments {
    private let told: [(onset: Seconds, names: [String])]
    private let tolerance: Seconds
    /// How many were told already.
    private(set) var count = 0

    init(_ markers: [Marker], sampleRate: Double) {
        self.init(markers.map { ($0.onset, [$0.label]) }, sampleRate: sampleRate)
    }

    /// - Parameter events: when each was and all that it is called.
    ///
    /// Triggers lag behind by a sample at most, and lists of events are often rounded to milliseconds.
    init(_ events: [(onset: Seconds, names: [String])], sampleRate: Double) {
        told = events.sorted { $0.onset < $1.onset }
        tolerance = min(max(0.002, sampleRate > 0 ? 1.5 / sampleRate : 0), 0.01)
    }

    /// Whether an event tells of this number, or of what is called so, at this moment already; counted.
    mutating func hold(_ onset: Seconds, _ label: String) -> Bool {
        guard tell(onset, [label]) else { return false }
        count += 1
        return true
    }

    /// Whether an event of this moment is called by one of the names.
    func tell(_ onset: Seconds, _ names: [String]) -> Bool {
        var (low, high) = (0, told.count)
        while low < high {
            let middle = (low + high) / 2
            if told[middle].onset < onset - tolerance { low = middle + 1 } else { high = middle }
        }
        while low < told.count, told[low].onset <= onset + tolerance {
            if told[low].names.contains(where: { text in names.contains { Self.isSaid($0, in: text) } }) { return true }
            low += 1
        }
        return false
    }

    /// Whether `text` says what `label` does: the same, but for case and for the kind of an event before a stroke, or the
    /// number that `label` ends with.
    private static func isSaid(_ label: String, in text: String) -> Bool {
        if let number = numbers(label).last, numbers(text).contains(number) { return true }
        return plain(label) == plain(text)
    }

    private static func numbers(_ text: String) -> [Substring] { text.split(whereSeparator: { !$0.isNumber }) }

    private static func plain(_ text: String) -> String {
        let last = text.split(separator: "/").last ?? text[...]
        return last.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    }

    /// What is to be said of those that were left out; nil where none was.
    func note(_ name: String) -> String? {
        guard count > 0 else { return nil }
        return
            "\(count == 1 ? "1 number" : "\(count) numbers") of \(name) gave no marker: events of the same moment have it"
    }
}
