/// Values by their place in a run, the oldest forgotten.
struct PlacedValues {
    private var values: [Double] = []
    private(set) var start = 0
    var end: Int { start + values.count }

    mutating func append(_ value: Double) { values.append(value) }
    subscript(place: Int) -> Double { values[place - start] }
    func sum(_ places: ClosedRange<Int>) -> Double {
        values[places.lowerBound - start...places.upperBound - start].reduce(0, +)
    }

    mutating func forget(before place: Int) {
        let gone = place - start
        guard gone > 1_024, gone <= values.count else { return }
        values.removeFirst(gone)
        start = place
    }
}

/// Turning points of a signal that are followed by a swing of at least a threshold.
struct TurningPoints {
    private enum Direction { case unknown, up, down }
    private var direction = Direction.unknown
    private var low = (value: Double.infinity, place: 0)
    private var high = (value: -Double.infinity, place: 0)
    /// The last trough that was confirmed.
    private(set) var trough: Int?
    /// The peak before that trough; nil where none was seen.
    private(set) var crest: Int?

    /// Takes the next value; the place of a peak where one is confirmed by it.
    mutating func push(_ value: Double, at place: Int, threshold: Double) -> Int? {
        guard threshold > 0 else { return nil }
        if value < low.value { low = (value, place) }
        if value > high.value { high = (value, place) }
        if direction != .up, value > low.value + threshold {
            // The first extreme of a run is where the run begins, no trough that was seen.
            trough = direction == .down || low.place > 0 ? low.place : nil
            crest = direction == .down ? high.place : nil
            direction = .up
            high = (value, place)
        } else if direction != .down, value < high.value - threshold {
            let wasRising = direction == .up
            direction = .down
            low = (value, place)
            return wasRising ? high.place : nil
        }
        return nil
    }
}
