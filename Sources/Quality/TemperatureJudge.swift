import Signals

/// Tells good from bad skin temperature, in °C: off the body it is colder than skin in a room, and falls faster than
/// skin cools.
struct TemperatureJudge: WindowJudge {
    struct Measures: Sendable {
        var sum = 0.0
        var count = 0
        var bends = 0.0
        var bendCount = 0
        var first: Double?
        var last = 0.0
    }

    static let flatFrom: Seconds = 60
    static let nothing = Measures()
    static func isPresent(_ sample: Float) -> Bool { sample.isFinite }

    private var (earlier, before): (Double?, Double?) = (nil, nil)

    mutating func begin(sampleRate: Double) { (earlier, before) = (nil, nil) }

    mutating func take(_ sample: Float, into m: inout Measures) {
        let value = Double(sample)
        m.sum += value
        m.count += 1
        m.first = m.first ?? value
        m.last = value
        if let earlier, let before {
            let bend = value - 2 * before + earlier
            m.bends += bend * bend
            m.bendCount += 1
        }
        (earlier, before) = (before, value)
    }

    mutating func close(_ measures: inout Measures) {}

    static func judge(_ steps: [Measures], into aspects: inout Aspects) {
        let known = steps.filter { $0.count > 0 }
        guard let first = known.first, let last = known.last else { return }
        let mean = known.reduce(0) { $0 + $1.sum } / Double(known.reduce(0) { $0 + $1.count })
        aspects.add(.offBody, Aspects.score(mean, good: 27, limit: 24))
        aspects.add(.outOfRange, Aspects.score(mean, good: 40, limit: 43))
        aspects.add(.outOfRange, Aspects.score(mean, good: 10, limit: -10))
        let bends = known.reduce(0) { $0 + $1.bends } / Double(max(1, known.reduce(0) { $0 + $1.bendCount }))
        aspects.add(.noise, Aspects.score((bends / 6).squareRoot(), good: 0.03, limit: 0.08))
        // From the first to the last second: far less than these in a worn sensor.
        let (from, to) = (first.sum / Double(first.count), last.sum / Double(last.count))
        aspects.add(.offBody, Aspects.score(from - to, good: 0.3, limit: 0.8))
        let means = known.map { $0.sum / Double($0.count) }
        let range = (means.max() ?? 0) - (means.min() ?? 0)
        aspects.add(.implausibleChange, Aspects.score(range, good: 0.5, limit: 1))
    }
}
