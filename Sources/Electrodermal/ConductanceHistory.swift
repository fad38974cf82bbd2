import Signals

/// The latest samples of a run, by their place in it.
struct ConductanceHistory: Sendable {
    private var values: [Double] = []
    private var artefacts: [Bool] = []
    /// Place of the first value kept.
    private var first = 0
    private let kept: Int

    /// Keeps at least the last `seconds`.
    init(seconds: Seconds, sampleRate: Double) {
        kept = Int((seconds * sampleRate).rounded(.up))
    }

    /// The place after the last sample.
    var end: Int { first + values.count }

    mutating func append(_ value: Double, _ isArtefact: Bool) {
        if values.count >= 4 * kept + 1_024 {
            first += values.count - kept
            values.removeFirst(values.count - kept)
            artefacts.removeFirst(artefacts.count - kept)
        }
        values.append(value)
        artefacts.append(isArtefact)
    }

    @inline(__always)
    subscript(place: Int) -> Double { values[place - first] }

    /// The value between two samples.
    func value(at place: Double) -> Double {
        let low = Swift.min(Swift.max(Int(place.rounded(.down)), first), end - 1)
        let high = Swift.min(low + 1, end - 1)
        return self[low] + (place - Double(low)) * (self[high] - self[low])
    }

    /// The sum of weights times the samples around a place.
    @inline(__always)
    func weighted(_ weights: [Double], around centre: Int) -> Double {
        let from = centre - weights.count / 2 - first
        var sum = 0.0
        for index in weights.indices { sum += weights[index] * values[from + index] }
        return sum
    }

    func hasArtefact(_ places: ClosedRange<Int>) -> Bool {
        let (low, high) = (Swift.max(places.lowerBound, first), Swift.min(places.upperBound, end - 1))
        return low <= high && artefacts[low - first...high - first].contains(true)
    }
}
