import Kernels
import Signals

/// Tells good from bad acceleration of a worn sensor, in g: gravity is always in it, and what moves a body is smooth.
struct AccelerationJudge: WindowJudge {
    struct Measures: Sendable {
        var count = 0
        /// Of the magnitude.
        var sum = 0.0
        var squares = 0.0
        var vector = SIMD3<Double>.zero
        /// Of the differences, all axes together.
        var changes = 0.0
        var bends = 0.0
        /// Of the second differences: each axis with itself, and with the next one.
        var alone = SIMD3<Double>.zero
        var together = SIMD3<Double>.zero
        var clipped = 0
        var sampleRate = 0.0
    }

    static let flatFrom: Seconds = 60
    static let nothing = Measures()
    static func isPresent(_ sample: SIMD3<Float>) -> Bool {
        sample.x.isFinite && sample.y.isFinite && sample.z.isFinite
    }

    private var (earlier, before): (SIMD3<Double>?, SIMD3<Double>?) = (nil, nil)
    private var held = SIMD3<Int>.zero
    private var sampleRate = 0.0
    /// From this rate, in Hz, on a body's movement is smooth from sample to sample, in whichever direction it goes.
    private static let smoothFrom = 16.0
    /// Bodies step and swing by up to as many hertz.
    private static let fastest = 3.0

    mutating func begin(sampleRate: Double, after missing: Int?, into measures: inout Measures) {
        (earlier, before, held) = (nil, nil, .zero)
        self.sampleRate = sampleRate
    }

    mutating func take(_ sample: SIMD3<Float>, into m: inout Measures) {
        let value = SIMD3<Double>(Double(sample.x), Double(sample.y), Double(sample.z))
        let size = (value * value).sum()
        m.count += 1
        m.sampleRate = sampleRate
        m.sum += size.squareRoot()
        m.squares += size
        m.vector += value
        if let before {
            let change = value - before
            m.changes += (change * change).sum()
            if let earlier {
                let bend = change - (before - earlier)
                m.bends += (bend * bend).sum()
                m.alone += bend * bend
                m.together += bend * SIMD3(bend.y, bend.z, bend.x)
            }
            var isClipped = false
            for axis in 0..<3 {
                // Far beyond gravity a value does not stay the same.
                held[axis] = abs(value[axis]) > 1.5 && change[axis] == 0 ? held[axis] + 1 : 0
                if held[axis] >= 2 { isClipped = true }
            }
            if isClipped { m.clipped += 1 }
        }
        (earlier, before) = (before, value)
    }

    mutating func close(_ measures: inout Measures) {}

    static func judge(_ steps: [Measures], into aspects: inout Aspects) {
        let count = Double(max(1, steps.reduce(0) { $0 + $1.count }))
        let clipped = Double(steps.reduce(0) { $0 + $1.clipped }) / count
        aspects.add(.saturated, Aspects.score(clipped, good: 0, limit: 0.05))
        let changes = steps.reduce(0) { $0 + $1.changes } / count
        let bends = steps.reduce(0) { $0 + $1.bends } / count
        let fast = (bends / 6 / 3).squareRoot()
        let rate = steps.reduce(0.0) { max($0, $1.sampleRate) }
        let isSmooth = rate >= 0.95 * smoothFrom
        let (stride, gait) = bendOfSteps(rate)
        // Bodies move by fits and starts; noise is there all the time.
        let each = steps.filter { $0.count > 0 }.map { ($0.bends / Double($0.count) / 18).squareRoot() }.sorted()
        let steady = each.isEmpty ? 0 : each[each.count * 3 / 10]
        if isSmooth, bends > max(1.8, gait) * changes {
            aspects.add(.noise, Aspects.score(fast, good: 0.05, limit: 0.15))
            aspects.add(.noise, Aspects.score(steady, good: 0.03, limit: 0.065))
        }
        // And in a direction: what is as large in every one, all the time, is no body's. Few samples are less even.
        if bends > max(1.8, stride) * changes, evenness(steps) > (isSmooth ? 0.93 : 0.9) {
            aspects.add(.noise, Aspects.score(steady, good: 0.01, limit: 0.015))
        }
        // How far the magnitude is from gravity, beyond what moving the body makes of it.
        var (distance, moved) = (0.0, 0.0)
        let known = steps.filter { $0.count > 0 }
        for step in known {
            let mean = step.sum / Double(step.count)
            distance += abs(mean - 1)
            moved += max(0, step.squares / Double(step.count) - mean * mean)
        }
        // Turning the arm shortens gravity's mean over the window a little; without gravity there is none.
        let vector = known.reduce(SIMD3<Double>.zero) { $0 + $1.vector } / count
        let gravity = (vector * vector).sum().squareRoot()
        aspects.add(.outOfRange, Aspects.score(gravity, good: 0.8, limit: 0.55))
        aspects.add(.outOfRange, Aspects.score(gravity, good: 1.1, limit: 1.25))
        let parts = Double(max(1, known.count))
        let body = (moved / parts).squareRoot()
        aspects.add(.outOfRange, Aspects.score(distance / parts, good: 0.1 + 0.3 * body, limit: 0.2 + 0.6 * body))
        // However a sensor is turned, gravity stays as large; what changes the mean over a second shakes it within.
        let means = known.map { $0.sum / Double($0.count) }
        let mean = means.reduce(0, +) / parts
        let spread = (means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / parts).squareRoot()
        aspects.add(.outOfRange, Aspects.score(spread - 0.5 * body, good: 0.005, limit: 0.012))
    }

    /// The squares of second differences over those of first ones, where steps come as fast as they may: of their own
    /// wave alone, and with a first harmonic half as large. White noise has 3; where samples come too seldom for a wave
    /// as fast as these steps, the first is as large as any.
    private static func bendOfSteps(_ rate: Double) -> (stride: Double, gait: Double) {
        /// Of a wave of so many hertz.
        func bend(_ frequency: Double) -> Double {
            2 - 2 * Elementary.cosine(turns: min(frequency / max(rate, 1e-9), 0.5))
        }
        let (own, harmonic) = (bend(fastest), bend(2 * fastest))
        return (own, (own * own + 0.25 * harmonic * harmonic) / (own + 0.25 * harmonic))
    }

    /// How evenly the second differences go in all directions: 1 where no direction has more than another, 0 where all go
    /// in one.
    private static func evenness(_ steps: [Measures]) -> Double {
        let alone = steps.reduce(SIMD3<Double>.zero) { $0 + $1.alone }
        let together = steps.reduce(SIMD3<Double>.zero) { $0 + $1.together }
        let sum = alone.sum()
        guard sum > 0 else { return 0 }
        // The squares of the shares of the three directions add up to 1/3…1.
        let squares = ((alone * alone).sum() + 2 * (together * together).sum()) / (sum * sum)
        return 1.5 * (1 - squares)
    }
}
