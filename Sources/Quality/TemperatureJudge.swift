import Kernels
import Signals

/// Tells good from bad skin temperature, in °C: off the body it is colder than skin in a room, and falls faster than
/// skin cools.
///
/// Skin cools by a degree or two over many minutes, in cold and under stress; where it cools by 1.5 °C within a minute
/// and to below 32 °C, the sensor came off, and stays so until it warms again or an hour has passed. A sensor of such
/// mass, or in so warm a room, that it cools more slowly cannot be told from skin.
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
        /// Samples since the sensor came off.
        var off = 0
        /// Whether samples are so far apart that skin may turn between two of them.
        var isSparse = false
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
    private var isSparse = false
    private var fall = Self.watch(sampleRate: 4)
    /// Samples before the step at hand that came since the sensor came off, as is now known.
    private var offBefore = 0
    /// The lowest rate, in Hz, at which skin does not turn between two samples: they lie about 10 s apart.
    private static let lowestRate = 0.1
    /// So many second differences, those of 10 s at the working rate, tell how large noise is.
    private static let manyBends = 40.0
    /// Within how many seconds a sensor that comes off cools.
    private static let fallTime: Seconds = 60

    private static func watch(sampleRate: Double) -> LastingFall {
        LastingFall(sampleRate: sampleRate, size: 1.5, time: fallTime, limit: 32, memory: 3_600)
    }

    mutating func begin(sampleRate: Double, after missing: Int?, into measures: inout Measures) {
        length = max(1, Int(min(sampleRate, 1e6) / 4))
        (part, squares, taken, earlier, before, latest) = (0, 0, 0, nil, nil, nil)
        isSparse = sampleRate < 0.95 * Self.lowestRate
        if let missing, Double(missing) < Self.fallTime * sampleRate {
            // Told as missing samples, so short a loss changes nothing either.
            let begun = fall.pass(over: missing)
            if begun > 0 { cameOff(begun, in: &measures) }
        } else {
            fall = Self.watch(sampleRate: sampleRate)
        }
    }

    mutating func take(_ sample: Float, into m: inout Measures) {
        m.sum += Double(sample)
        m.count += 1
        m.isSparse = isSparse
        let begun = fall.take(Double(sample))
        if fall.isDown { m.off += 1 }
        if begun > 0 { cameOff(begun, in: &m) }
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

    mutating func pass(into m: inout Measures) {
        let begun = fall.take(.nan)
        if begun > 0 { cameOff(begun, in: &m) }
    }

    mutating func close(_ measures: inout Measures) {}

    /// As many samples ago the sensor came off.
    private mutating func cameOff(_ begun: Int, in m: inout Measures) {
        m.off = max(m.off, min(m.count, begun))
        offBefore = max(0, begun - m.count)
    }

    mutating func revise(_ steps: inout [JudgedStep<Measures>]) {
        for place in steps.indices.reversed() where offBefore > 0 {
            let here = min(offBefore, steps[place].present)
            steps[place].measures.off = max(steps[place].measures.off, here)
            offBefore -= here
        }
        offBefore = 0
    }

    static func judge(_ steps: [Measures], into aspects: inout Aspects) {
        let known = steps.filter { $0.count > 0 }
        guard let first = known.first, let last = known.last else { return }
        let count = Double(known.reduce(0) { $0 + $1.count })
        let mean = known.reduce(0) { $0 + $1.sum } / count
        aspects.add(.offBody, Aspects.score(mean, good: 27, limit: 24))
        aspects.add(.offBody, Aspects.score(Double(known.reduce(0) { $0 + $1.off }) / count, good: 0, limit: 0.5))
        aspects.add(.outOfRange, Aspects.score(mean, good: 40, limit: 43))
        aspects.add(.outOfRange, Aspects.score(mean, good: 10, limit: -10))
        let means = known.map { $0.sum / Double($0.count) }
        if !last.isSparse { judgeNoise(known, means, into: &aspects) }
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
        let bendCount = Double(max(1, steps.reduce(0) { $0 + $1.bendCount }))
        let bends = steps.reduce(0) { $0 + $1.bends } / bendCount
        let quick = (bends / 6).squareRoot()
        // Of few samples the same noise shows now little and now much.
        let fewness: Double = max(0, 1 / bendCount - 1 / manyBends)
        let leeway = (1 + 6 * fewness).squareRoot()
        aspects.add(.noise, Aspects.score(quick, good: 0.015, limit: leeway * max(0.03, resolution)))
        let around = steps.reduce(0) { $0 + $1.around } / Double(max(1, steps.reduce(0) { $0 + $1.aroundCount }))
        aspects.add(.noise, Aspects.score(around.squareRoot(), good: 0.03, limit: max(0.08, resolution)))
        guard means.count > 4 else { return }
        let slow = (4..<means.count).reduce(0.0) { sum, place in
            let bend = means[place] - 2 * means[place - 2] + means[place - 4]
            return sum + bend * bend
        }
        let wander = (slow / Double(means.count - 4) / 6).squareRoot()
        aspects.add(.noise, Aspects.score(wander, good: 0.02, limit: leeway * max(0.035, resolution)))
    }
}
