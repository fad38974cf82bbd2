import Signals

/// Tells good from bad skin temperature, in °C: off the body it is colder than skin in a room, and falls faster than
/// skin cools.
struct TemperatureJudge: WindowJudge {
    struct Measures: Sendable {
        var sum = 0.0
        var count = 0
        /// Sum of squares of second differences at the working rate, and how many.
        var bends = 0.0
        var bendCount = 0
        /// Sum of squares of the distances from the samples at the working rate, and how many freedoms these have.
        var around = 0.0
        var aroundCount = 0
        /// The smallest change from a sample to the next: the sensor's resolution, where it is coarse.
        var smallest = Double.infinity
    }

    static let flatFrom: Seconds = 60
    static let nothing = Measures()
    static func isPresent(_ sample: Float) -> Bool { sample.isFinite }

    /// Samples that are one at the working rate: sensors follow the skin in seconds.
    private var length = 1
    private var (part, squares, taken) = (0.0, 0.0, 0)
    private var origin = 0.0
    private var (earlier, before): (Double?, Double?) = (nil, nil)
    private var latest: Float?

    mutating func begin(sampleRate: Double) {
        length = max(1, Int(min(sampleRate, 1e6) / 4))
        (part, squares, taken, earlier, before, latest) = (0, 0, 0, nil, nil, nil)
    }

    mutating func take(_ sample: Float, into m: inout Measures) {
        m.sum += Double(sample)
        m.count += 1
        if let latest, latest != sample { m.smallest = min(m.smallest, Double(abs(sample - latest))) }
        latest = sample
        if taken == 0 { origin = Double(sample) }
        let offset = Double(sample) - origin
        part += offset
        squares += offset * offset
        taken += 1
        guard taken == length else { return }
        let value = origin + part / Double(length)
        m.around += max(0, squares - part * part / Double(length))
        m.aroundCount += length - 1
        if let earlier, let before {
            let bend = value - 2 * before + earlier
            m.bends += bend * bend
            m.bendCount += 1
        }
        (earlier, before) = (before, value)
        (part, squares, taken) = (0, 0, 0)
    }

    mutating func close(_ measures: inout Measures) {}

    static func judge(_ steps: [Measures], into aspects: inout Aspects) {
        let known = steps.filter { $0.count > 0 }
        guard let first = known.first, let last = known.last else { return }
        let mean = known.reduce(0) { $0 + $1.sum } / Double(known.reduce(0) { $0 + $1.count })
        aspects.add(.offBody, Aspects.score(mean, good: 27, limit: 24))
        aspects.add(.outOfRange, Aspects.score(mean, good: 40, limit: 43))
        aspects.add(.outOfRange, Aspects.score(mean, good: 10, limit: -10))
        let means = known.map { $0.sum / Double($0.count) }
        judgeNoise(known, means, into: &aspects)
        // From the first to the last second: far less than these in a worn sensor.
        let (from, to) = (first.sum / Double(first.count), last.sum / Double(last.count))
        aspects.add(.offBody, Aspects.score(from - to, good: 0.3, limit: 0.8))
        let range = (means.max() ?? 0) - (means.min() ?? 0)
        aspects.add(.implausibleChange, Aspects.score(range, good: 0.5, limit: 1))
    }

    /// Skin and sensor have a mass that keeps them from going to and fro within seconds. A sensor whose values lie far apart
    /// may hesitate between two of them.
    private static func judgeNoise(_ steps: [Measures], _ means: [Double], into aspects: inout Aspects) {
        let resolution = steps.reduce(0.25) { min($0, $1.smallest) }
        let bends = steps.reduce(0) { $0 + $1.bends } / Double(max(1, steps.reduce(0) { $0 + $1.bendCount }))
        let quick = (bends / 6).squareRoot()
        aspects.add(.noise, Aspects.score(quick, good: 0.015, limit: max(0.03, resolution)))
        let around = steps.reduce(0) { $0 + $1.around } / Double(max(1, steps.reduce(0) { $0 + $1.aroundCount }))
        aspects.add(.noise, Aspects.score(around.squareRoot(), good: 0.03, limit: max(0.08, resolution)))
        guard means.count > 4 else { return }
        let slow = (4..<means.count).reduce(0.0) { sum, place in
            let bend = means[place] - 2 * means[place - 2] + means[place - 4]
            return sum + bend * bend
        }
        let wander = (slow / Double(means.count - 4) / 6).squareRoot()
        aspects.add(.noise, Aspects.score(wander, good: 0.02, limit: max(0.035, resolution)))
    }
}
