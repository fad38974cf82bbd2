import Signals

/// What the events of a recording tell, and when: a trigger's number at the same moment, in an event that is called by it,
/// tells it twice.
struct ToldMoments {
    private let told: [(onset: Seconds, label: String)]
    private let tolerance: Seconds
    /// How many triggers were told already.
    private(set) var count = 0

    /// Triggers lag behind by a sample at most, and lists of events are often rounded to milliseconds.
    init(_ markers: [Marker], sampleRate: Double) {
        told = markers.map { ($0.onset, $0.label) }.sorted { $0.onset < $1.onset }
        tolerance = min(max(0.002, sampleRate > 0 ? 1.5 / sampleRate : 0), 0.01)
    }

    /// Whether an event tells of this number at this moment already; counted.
    mutating func hold(_ onset: Seconds, _ number: String) -> Bool {
        var (low, high) = (0, told.count)
        while low < high {
            let middle = (low + high) / 2
            if told[middle].onset < onset - tolerance { low = middle + 1 } else { high = middle }
        }
        while low < told.count, told[low].onset <= onset + tolerance {
            if told[low].label.split(whereSeparator: { !$0.isNumber }).contains(number[...]) {
                count += 1
                return true
            }
            low += 1
        }
        return false
    }

    /// What is to be said of those that were left out; nil where none was.
    func note(_ name: String) -> String? {
        guard count > 0 else { return nil }
        return
            "\(count == 1 ? "1 number" : "\(count) numbers") of \(name) gave no marker: events of the same moment have it"
    }
}
