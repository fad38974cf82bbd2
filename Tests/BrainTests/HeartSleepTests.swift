import Brain
import Formats
import Kernels
import Signals
import TestSupport
import Testing

private let start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)

private func told(_ intervals: [HeartInterval], runs: [Range<Seconds>] = []) -> [SleepEpoch] {
    var stage = HeartRates()
    return HeartSleep.epochs(HeartRateEpoch.among(stage.run(intervals, from: start), runs: runs))
}

/// Of the epochs that are told, the share that is told rightly; not a number where none is.
private func rightness(_ epochs: [SleepEpoch], _ isAsleep: [Bool]) -> Double {
    let known = zip(epochs, isAsleep).filter { $0.0.asleep != nil }
    return Double(known.count { ($0.0.asleep == 1) == $0.1 }) / Double(known.count)
}

@Test(
    "Nights of simulated days are told from the heart",
    arguments: [
        ("8 h", HeartDay()), ("a dip of 10", HeartDay(dip: 11)), ("a dip of 15", HeartDay(dip: 15)),
        ("no exercise", HeartDay(exercises: false)), ("5 h", HeartDay(sleeps: [17..<22])),
        ("10 h", HeartDay(sleeps: [12..<22])), ("night and nap", HeartDay(sleeps: [5..<6.5, 16..<23])),
        ("18 h", HeartDay(hours: 18, sleeps: [8..<15])), ("drift", HeartDay(dip: 15, drift: 6)),
        ("fast heart", HeartDay(wake: 95, dip: 16)),
        ("three days", HeartDay(hours: 72, sleeps: [15..<23, 39.5..<46, 63..<70.5])),
    ])
func simulatedDaysAreTold(name: String, day: HeartDay) {
    var shares: [Double] = []
    for seed in 1...6 as ClosedRange<UInt64> {
        var day = day
        day.seed = seed
        let epochs = told(day.intervals())
        let share = rightness(epochs, day.epochs().isAsleep)
        if share.isFinite { shares.append(share) }
        #expect(!share.isFinite || share >= 0.85, "\(name), seed \(seed): \(share)")
    }
    #expect(shares.count >= 5, "\(name): told of \(shares.count) of 6 days")
    #expect(Statistics.mean(shares) >= 0.93, "\(name): \(shares)")
}

@Test("A day without sleep is not said to have had any", arguments: [16.0, 20, 24], [true, false])
func dayWithoutSleepIsUndecided(hours: Double, exercises: Bool) {
    let wrong = (1...10).count { seed in
        told(HeartDay(hours: hours, sleeps: [], exercises: exercises, seed: seed).intervals())
            .contains { $0.asleep == 1 }
    }
    // Who sits still for hours with a low heart rate cannot be told from a sleeper by it.
    #expect(wrong <= 1, "\(wrong) of 10")
}

@Test(
    "Too short a recording, a night without a day and a nap alone are undecided",
    arguments: [
        HeartDay(hours: 0.5, sleeps: []), HeartDay(hours: 2, sleeps: [0.5..<2]),
        HeartDay(hours: 15.9, sleeps: [5..<13]),
        HeartDay(hours: 8, sleeps: [0..<8], exercises: false), HeartDay(hours: 17, sleeps: [1..<16], exercises: false),
        HeartDay(sleeps: [8..<10]),
    ])
func tooLittleIsUndecided(day: HeartDay) {
    let epochs = told(day.intervals())
    #expect(!epochs.isEmpty)
    #expect(epochs.allSatisfy { $0.asleep == nil && ($0.reason == .undecided || $0.reason == .gap) })
}

@Test("What is missing stays missing, with its reason, and the rest is told")
func missingBeatsStayMissing() {
    let day = HeartDay()
    // Recorded but for two hours of the night; for one hour of the day no beat was seen.
    let (gap, noise) = (18 * 3_600.0..<20 * 3_600, 4 * 3_600.0..<5 * 3_600)
    let runs = [0..<gap.lowerBound, gap.upperBound..<86_400]
    let epochs = told(day.intervals(without: [gap, noise]), runs: runs)
    #expect(epochs.map(\.onset) == (0..<2_880).map { Double($0) * 30 })
    for epoch in epochs {
        let middle = epoch.onset + 15
        if gap.contains(middle) {
            #expect(epoch.reason == .gap)
        } else if noise.contains(middle) {
            #expect(epoch.reason == .badSignal)
        } else {
            #expect(epoch.asleep != nil)
        }
    }
    #expect(rightness(epochs, day.epochs().isAsleep) >= 0.93)
}

@Test("A strap that slips loses beats and is told where it holds")
func slippingStrapIsToldWhereItHolds() {
    let day = HeartDay(dip: 14, drift: 4, seed: 3)
    var random = RandomSource(seed: 9, "strap")
    let gaps = (0..<160).map { index in
        let onset = Double(index) * 540 + random.uniform(0...300)
        return onset..<onset + random.uniform(5...200)
    }
    let epochs = told(day.intervals(without: gaps), runs: [0..<86_400])
    let lost = epochs.indices.filter { epochs[$0].reason == .badSignal }
    #expect(lost.count >= 200)
    #expect(rightness(epochs, day.epochs().isAsleep) >= 0.9)
}

@Test("The rate of 30 s does not depend on how intervals come, and an interval over an edge is shared")
func heartRatesAreChunkInvariant() {
    let intervals = HeartDay(hours: 0.2, sleeps: []).intervals(without: [200..<290])
    let rates = assertChunkInvariant(HeartRates(), [(start, intervals)])
    #expect(rates.map(\.onset) == (0..<24).map { Double($0) * 30 })
    #expect(rates[7].reason == .gap && rates[8].reason == .gap && rates[10].rate != nil)
    var stage = HeartRates()
    let even = stage.run((1...100).map { HeartInterval(onset: 0.8 * Double($0), duration: 0.8) }, from: start)
    for rate in even { #expect(abs((rate.rate ?? 0) - 75) < 1e-9) }
    // Nonsense is no beat, and a year's silence is no table.
    let odd = stage.run(
        [
            HeartInterval(onset: .nan, duration: 1), HeartInterval(onset: 3, duration: .infinity),
            HeartInterval(onset: 5, duration: -1), HeartInterval(onset: 1, duration: 0.8),
            HeartInterval(onset: 9e8, duration: 0.8),
        ], from: start)
    #expect(odd.count == 2)
}

// The record has no scored sleep; what is plain is that its owner was up at first and at the end.
@Test(
    "Of a real day the hours of high rate are wake and the long night of low rate is sleep",
    .enabled(if: RealData.has("rr_nsr2db/nsr001.ecg")))
func realDayIsTold() throws {
    let beats = try WFDBAnnotations.read(RealData.url("rr_nsr2db/nsr001.ecg")).list.filter(\.isBeat)
    let times = beats.map { Double($0.sample) / 128 }
    let intervals = zip(times.dropFirst(), times).map { HeartInterval(onset: $0, duration: $0 - $1) }
        .filter { (0.3...2).contains($0.duration) }
    let epochs = told(intervals)
    func share(_ hours: Range<Double>) -> Double {
        let within = epochs.filter { hours.contains($0.onset / 3_600) }.compactMap(\.asleep)
        return Double(within.count { $0 == 1 }) / Double(within.count)
    }
    #expect(share(0..<8) == 0)
    #expect(share(20..<22.5) < 0.05)
    #expect(share(13.25..<19.75) > 0.9)
}
