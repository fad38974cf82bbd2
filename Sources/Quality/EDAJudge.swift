import Signals

/// Tells good from bad skin conductance, in µS.
///
/// Range and slope after Kleckner et al., IEEE Trans Biomed Eng 65(7):1460–1467, 2018; a response neither reverses
/// within half a second nor falls faster than it recovers. Where samples are further apart than that, skin itself may
/// turn between two of them: then spikes and noise are told only where it does so all the time.
struct EDAJudge: WindowJudge {
    struct Measures: Sendable {
        var samples = 0
        var low = 0
        var high = 0
        /// Changes no skin makes.
        var steep = 0
        /// Sums of squares of first and second differences at the working rate, and how many.
        var changes = 0.0
        var bends = 0.0
        var count = 0
        /// Whether samples are so far apart that skin may turn between two of them, and so near that they show its course.
        var isSparse = false
        var isDense = false
        /// Largest of the smaller sides of spikes, µS.
        var spike = 0.0
        /// Mean square of the fast noise, and of the mains' hum, at the full rate.
        var fast = 0.0
        var mains = 0.0
    }

    static let flatFrom: Seconds = 8
    static let nothing = Measures()
    static func isPresent(_ sample: Float) -> Bool { sample.isFinite }

    private var rate = 4.0
    private var length = 1
    private var (isSparse, isDense) = (false, false)
    /// The lowest rates, in Hz, at which skin does not turn between two samples, and at which they show its course.
    private static let (lowestRate, lowestDenseRate) = (2.0, 4.0)
    private var (sum, taken) = (0.0, 0)
    private var last: (Double, Double)?
    private var lastOne: Double?
    /// The samples of the step, at rates that show the mains.
    private var samples: [Float] = []
    private var tones: [MainsTone] = []

    mutating func begin(sampleRate: Double, after missing: Int?, into measures: inout Measures) {
        rate = sampleRate
        length = max(1, Int(sampleRate / 4))
        isSparse = sampleRate < 0.95 * Self.lowestRate
        isDense = sampleRate >= 0.95 * Self.lowestDenseRate
        (sum, taken, last, lastOne, samples) = (0, 0, nil, nil, [])
        tones = MainsTone.frequencies(seenAt: sampleRate).filter { _ in sampleRate <= 10_000 }.map {
            MainsTone.of(frequency: $0, sampleRate: sampleRate, length: Int(sampleRate) * 2)
        }
    }

    mutating func take(_ sample: Float, into m: inout Measures) {
        if length > 1, samples.count < 20_000 { samples.append(sample) }
        sum += Double(sample)
        taken += 1
        guard taken >= length else { return }
        add(sum / Double(length), into: &m)
        (sum, taken) = (0, 0)
    }

    private mutating func add(_ value: Double, into m: inout Measures) {
        m.samples += 1
        (m.isSparse, m.isDense) = (isSparse, isDense)
        if value < 0.05 { m.low += 1 }
        if value > 60 { m.high += 1 }
        defer { (last, lastOne) = (lastOne.map { ($0, value) }, value) }
        guard let before = lastOne else { return }
        let change = value - before
        let slope = change * rate / Double(length)
        if abs(slope) > 10 || -slope > 0.5 * max(before, 0.1) { m.steep += 1 }
        guard let (earlier, _) = last else { return }
        let previous = before - earlier
        m.changes += change * change
        m.bends += (change - previous) * (change - previous)
        m.count += 1
        if change * previous < 0 { m.spike = max(m.spike, min(abs(change), abs(previous))) }
    }

    mutating func close(_ m: inout Measures) {
        defer { samples.removeAll(keepingCapacity: true) }
        guard samples.count > 2 else { return }
        m.fast = max(bends, aroundLines)
        samples.withUnsafeBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return }
            m.mains = tones.reduce(0) { max($0, Double($1.power(in: base, count: min(pointer.count, Int(rate) * 2)))) }
        }
    }

    /// The mean square of noise that is white at the full rate, from second differences.
    private var bends: Double {
        var sum = 0.0
        for k in 2..<samples.count {
            let bend = Double(samples[k] - 2 * samples[k - 1] + samples[k - 2])
            sum += bend * bend
        }
        return sum / Double(samples.count - 2) / 6
    }

    /// The mean square of all that is faster than the working rate: of the distances from a line through each of its
    /// periods.
    private var aroundLines: Double {
        guard length > 3, samples.count >= length else { return 0 }
        let middle = Double(length - 1) / 2
        let spread = Double(length) * (Double(length) * Double(length) - 1) / 12
        var sum = 0.0
        for first in stride(from: 0, through: samples.count - length, by: length) {
            let origin = samples[first]
            var (level, slope, squares) = (0.0, 0.0, 0.0)
            for k in 0..<length {
                let value = Double(samples[first + k] - origin)
                level += value
                slope += value * (Double(k) - middle)
                squares += value * value
            }
            sum += max(0, squares - level * level / Double(length) - slope * slope / spread)
        }
        return sum / Double((length - 2) * (samples.count / length))
    }

    static func judge(_ steps: [Measures], into aspects: inout Aspects) {
        var sum = Measures()
        for step in steps { sum.add(step) }
        let samples = Double(max(1, sum.samples))
        aspects.add(.lowConductance, Aspects.score(Double(sum.low) / samples, good: 0, limit: 0.1))
        aspects.add(.saturated, Aspects.score(Double(sum.high) / samples, good: 0, limit: 0.1))
        aspects.add(.implausibleChange, Aspects.score(Double(sum.steep), good: 0, limit: 1))
        func isKnown(_ step: Measures) -> Bool { step.count > 0 || step.fast > 0 }
        let known = steps.allSatisfy(isKnown) ? steps : steps.filter(isKnown)
        func middle(_ value: (Measures) -> Double) -> Double {
            Double(MiddleValue.of(known.count) { Float(value(known[$0])) })
        }
        let noise = middle { ($0.bends / Double(max(1, $0.count)) / 6).squareRoot() }
        // Differences of white noise and of random walks bend as much as they change; those of skin do not, and much less
        // where samples show its course.
        let isRough = sum.bends > (sum.isDense ? 1 : 1.5) * sum.changes
        let tellsNoise = isRough || !sum.isSparse
        if tellsNoise { aspects.add(.noise, Aspects.score(noise, good: 0.005, limit: isRough ? 0.015 : 0.03)) }
        // At low rates there is nothing faster than the working rate.
        if sum.fast != 0 || sum.mains != 0 {
            let (fast, mains) = (middle { $0.fast.squareRoot() }, middle { $0.mains.squareRoot() })
            let isHum = mains > 0.03 && mains > 0.5 * fast
            // From 0.05 µS on a response counts, and so does what hides it.
            aspects.add(isHum ? .mains : .noise, Aspects.score(max(fast, mains), good: 0.02, limit: 0.05))
        }
        if tellsNoise, noise < 0.5 * sum.spike {
            aspects.add(.motion, Aspects.score(sum.spike, good: 0.03, limit: 0.1))
        }
    }
}

extension EDAJudge.Measures {
    /// What this and another step show together.
    mutating func add(_ step: Self) {
        samples += step.samples
        low += step.low
        high += step.high
        steep += step.steep
        changes += step.changes
        bends += step.bends
        count += step.count
        isSparse = isSparse || step.isSparse
        isDense = isDense || step.isDense
        spike = max(spike, step.spike)
        fast += step.fast
        mains += step.mains
    }
}
