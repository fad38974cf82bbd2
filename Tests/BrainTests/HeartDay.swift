import Brain
import Kernels
import Signals

/// The heart of somebody who sits, walks, exercises and sleeps: intervals between beats, and what was sleep.
///
/// In wake the rate goes from stretch to stretch: quiet sitting of up to two hours, standing, walking. In sleep it is
/// lower by `dip` than the mean of wake without exercise, falls in the first hours, rises in REM sleep, with short and
/// longer awakenings.
struct HeartDay {
    var hours = 24.0
    /// From when to when, in hours.
    var sleeps = [15.0..<23]
    var wake = 78.0
    var dip = 13.0
    /// By how much the rate has risen at the end for no reason of sleep.
    var drift = 0.0
    var exercises = true
    var seed: UInt64 = 1

    private var count: Int { Int(hours * 120) }

    /// Whether each 30 s is sleep, and its mean rate.
    func epochs() -> (isAsleep: [Bool], rates: [Double]) {
        var random = RandomSource(seed: seed, "heart day")
        var isAsleep = (0..<count).map { index in sleeps.contains { $0.contains(Double(index) / 120) } }
        var levels = activity(&random)
        let awake = levels.indices.filter { !isAsleep[$0] }.map { levels[$0] }
        let mean = awake.isEmpty ? 0 : Statistics.mean(awake)
        for index in levels.indices { levels[index] += wake - mean }
        if exercises { exercise(&levels, &random) }
        for sleep in sleeps {
            rest(Int(sleep.lowerBound * 120)..<Int(sleep.upperBound * 120), &levels, &isAsleep, &random)
        }
        return (isAsleep, swaying(levels, isAsleep, &random))
    }

    private func activity(_ random: inout RandomSource) -> [Double] {
        var levels: [Double] = []
        while levels.count < count {
            let isSitting = random.uniform() < 0.3
            let minutes = isSitting ? random.uniform(20...110) : random.uniform(5...50)
            let place = random.uniform()
            let level = isSitting ? -5.0 : place < 0.45 ? 0 : place < 0.8 ? 6 : 14
            levels += Array(repeating: level, count: Int(minutes * 2))
        }
        return Array(levels.prefix(count))
    }

    /// Forty minutes, and an hour to recover.
    private func exercise(_ levels: inout [Double], _ random: inout RandomSource) {
        let start = min(Int(random.uniform(1...3) * 120), max(0, count - 200))
        for index in start..<min(start + 80, count) { levels[index] = wake + 55 }
        for index in min(start + 80, count)..<min(start + 200, count) {
            levels[index] = max(levels[index], wake + 30 * Elementary.exp(-Double(index - start - 80) / 50))
        }
    }

    private func rest(
        _ range: Range<Int>, _ levels: inout [Double], _ isAsleep: inout [Bool], _ random: inout RandomSource
    ) {
        let form = range.map { index in
            let hours = Double(index - range.lowerBound) / 120
            let isREM = hours.truncatingRemainder(dividingBy: 1.5) > 1.35 - 0.05 * hours
            return -4 * min(hours / 5, 1) + (isREM ? 5 : 0)
        }
        let mean = Statistics.mean(form)
        for (index, level) in zip(range, form) { levels[index] = wake - dip + level - mean }
        for _ in 0..<range.count / 240 {
            let start = range.lowerBound + random.index(below: max(1, range.count - 16))
            let length = 2 + random.index(below: 14)
            for index in start..<start + length {
                levels[index] += 12
                // Three minutes and more are an awakening that counts.
                if length >= 6 { isAsleep[index] = false }
            }
        }
    }

    /// What the rate does by itself, more in wake.
    private func swaying(_ levels: [Double], _ isAsleep: [Bool], _ random: inout RandomSource) -> [Double] {
        var (sway, level) = (0.0, levels.first ?? 0)
        return levels.indices.map { index in
            sway = 0.6 * sway + (isAsleep[index] ? 1.0 : 2.0) * random.gaussian()
            level += 0.6 * (levels[index] - level)
            return level + sway + drift * Double(index) / Double(levels.count)
        }
    }

    /// The intervals between beats, which breathing and chance vary.
    func intervals(without gaps: [Range<Seconds>] = []) -> [HeartInterval] {
        let rates = epochs().rates
        var random = RandomSource(seed: seed, "beats")
        var (time, intervals) = (0.0, [HeartInterval]())
        while time < hours * 3_600 {
            let breath = Elementary.sine(turns: 0.25 * time)
            let duration = 60 / rates[min(count - 1, Int(time / 30))] * (1 + 0.03 * breath + 0.01 * random.gaussian())
            time += duration
            guard time <= hours * 3_600 else { break }
            if !gaps.contains(where: { $0.overlaps(time - duration..<time) }) {
                intervals.append(HeartInterval(onset: time, duration: duration))
            }
        }
        return intervals
    }
}
