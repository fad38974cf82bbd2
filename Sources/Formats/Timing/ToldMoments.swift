import Signals

/// Moments of which events of a recording tell already: a trigger's number at one of them tells it twice.
struct ToldMoments {
    private let onsets: [Seconds]
    private let tolerance: Seconds
    /// How many triggers were at such moments.
    private(set) var count = 0

    /// Triggers lag behind by a sample at most, and lists of events are often rounded to milliseconds.
    init(_ onsets: [Seconds], sampleRate: Double) {
        self.onsets = onsets.sorted()
        tolerance = max(0.002, sampleRate > 0 ? 1.5 / sampleRate : 0)
    }

    /// Whether what happened at a moment is told already; counted.
    mutating func hold(_ onset: Seconds) -> Bool {
        var (low, high) = (0, onsets.count)
        while low < high {
            let middle = (low + high) / 2
            if onsets[middle] < onset - tolerance { low = middle + 1 } else { high = middle }
        }
        guard low < onsets.count, onsets[low] <= onset + tolerance else { return false }
        count += 1
        return true
    }

    /// What is to be said of those that were left out; nil where none was.
    func note(_ name: String) -> String? {
        guard count > 0 else { return nil }
        let (what, moments) = count == 1 ? ("1 number", "a moment") : ("\(count) numbers", "moments")
        return "\(what) of \(name) at \(moments) that the events tell gave no marker"
    }
}
