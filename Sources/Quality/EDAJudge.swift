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
        /// Whether samples are so far apart that skin may turn between two of them.
        var isSparse = false
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
    private var isSparse = false
    /// The lowest rate, in Hz, at which skin does not turn between two samples.
    private static let lowestDenseRate = 2.0
    private var (sum, taken) = (0.0, 0)
    private var last: (Double, Double)?
    private var lastOne: Double?
    /// The samples of the step, at rates that show the mains.
    private var samples: [Float] = []
    private var tones: [MainsTone] = []

    mutating func begin(sampleRate: Double) {
        rate = sampleRate
        length = max(1, Int(sampleRate / 4))
        isSparse = sampleRate < 0.95 * Self.lowestDenseRate
        (sum, taken, last, lastOne, samples) = (0, 0, nil, nil, [])
        tones = MainsTone.frequencies(seenAt: sampleRate).filter { _ in sampleRate <= 10_000 }.map {
            MainsTone(frequency: $0, sampleRate: sampleRate, length: Int(sampleRate) * 2)
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
        m.isSparse = isSparse
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
        var bends = 0.0
        for k in 2..<samples.count {
            let bend = Double(samples[k] - 2 * samples[k - 1] + samples[k - 2])
            bends += bend * bend
        }
        m.fast = bends / Double(samples.count - 2) / 6
        samples.withUnsafeBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return }
            m.mains = tones.reduce(0) { max($0, Double($1.power(in: base, count: min(pointer.count, Int(rate) * 2)))) }
        }
    }

    static func judge(_ steps: [Measures], into aspects: inout Aspects) {
        let samples = Double(max(1, steps.reduce(0) { $0 + $1.samples }))
        func share(_ count: (Measures) -> Int) -> Double { Double(steps.reduce(0) { $0 + count($1) }) / samples }
        aspects.add(.lowConductance, Aspects.score(share(\.low), good: 0, limit: 0.1))
        aspects.add(.saturated, Aspects.score(share(\.high), good: 0, limit: 0.1))
        aspects.add(.implausibleChange, Aspects.score(share(\.steep) * samples, good: 0, limit: 1))
        func middle(_ value: (Measures) -> Double) -> Double {
            let known = steps.filter { $0.count > 0 || $0.fast > 0 }
            return Double(MiddleValue.of(known.count) { Float(value(known[$0])) })
        }
        let noise = middle { ($0.bends / Double(max(1, $0.count)) / 6).squareRoot() }
        let changes = steps.reduce(0) { $0 + $1.changes }
        // Differences of white noise and of random walks bend as much as they change; those of skin do not.
        let isRough = steps.reduce(0) { $0 + $1.bends } > 1.5 * changes
        let tellsNoise = isRough || !steps.contains(where: \.isSparse)
        if tellsNoise { aspects.add(.noise, Aspects.score(noise, good: 0.005, limit: isRough ? 0.015 : 0.03)) }
        let (fast, mains) = (middle { $0.fast.squareRoot() }, middle { $0.mains.squareRoot() })
        let isHum = mains > 0.05 && mains > 0.5 * fast
        aspects.add(isHum ? .mains : .noise, Aspects.score(max(fast, mains), good: 0.03, limit: 0.1))
        let spike = steps.reduce(0) { max($0, $1.spike) }
        if tellsNoise, noise < 0.5 * spike { aspects.add(.motion, Aspects.score(spike, good: 0.03, limit: 0.1)) }
    }
}
