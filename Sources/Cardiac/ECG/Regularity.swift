/// How regular the rhythm is, and how many strange waves stand about it.
///
/// Where beats come at even distances and much that may be a beat looks like none of them, what comes at the wrong time
/// is an artefact: electrodes that move make waves like QRS complexes. A rhythm that is regular but for premature beats
/// stays regular by this measure, and its premature beats are hardly ever more than every third wave.
struct Regularity {
    /// The share of late beats that came a usual interval after one of the four beats before.
    private var evenShare = 0.0
    /// The share of late intervals with a wave in their middle that was passed over though more speaks for it than against.
    private var halvedShare = 0.0
    /// How little the late candidates that may be beats look like the beats of late, from 0 to 1.
    private var strangeness = 0.0
    /// Beats, and waves that were passed over: rings.
    private var latest: InlineArray<4, Double> = .init(repeating: -.infinity)
    private var count = 0
    private var passed: InlineArray<4, Double> = .init(repeating: -.infinity)
    private var passedCount = 0

    /// How far an interval is from the usual one at most to be even, as a share of that.
    private static let evenness = 0.1
    /// How far a wave is from the middle at most, as a share of the interval.
    private static let halfness = 0.05
    /// What a beat, an interval and a candidate count for.
    private static let rates = (beat: 0.01, interval: 0.3, candidate: 0.03)
    /// Below the first nothing is regular, halved or strange; from the second on everything is.
    private static let evenShares = 0.5...0.95
    private static let halvedShares = 0.3...0.6
    private static let strangenesses = 0.1...0.3

    /// From 0, where no interval is like the others, to 1. A rhythm of which every second beat may have been missed is not
    /// regular: the heart has become twice as fast.
    var degree: Double {
        place(of: evenShare, in: Self.evenShares) * (1 - place(of: halvedShare, in: Self.halvedShares))
    }
    /// From 0, where the waves are the beats and little else, to 1.
    var unrest: Double { place(of: strangeness, in: Self.strangenesses) }

    /// A run begins. What was regular stays so: it is the same heart.
    mutating func restart() {
        latest = .init(repeating: -.infinity)
        passed = .init(repeating: -.infinity)
    }

    /// There was a beat at `time` seconds, where beats come every `usual` seconds as a rule.
    mutating func note(beat time: Double, usual: Double) {
        var isEven = false
        for index in latest.indices where abs(time - latest[index] - usual) < Self.evenness * usual { isEven = true }
        evenShare += ((isEven ? 1 : 0) - evenShare) * Self.rates.beat
        note(intervalUntil: time)
        latest[count % 4] = time
        count += 1
    }

    private mutating func note(intervalUntil time: Double) {
        guard count > 0 else { return }
        let before = latest[(count - 1) % 4]
        let (middle, reach) = ((before + time) / 2, Self.halfness * (time - before))
        var isHalved = false
        for index in passed.indices where abs(passed[index] - middle) < reach { isHalved = true }
        halvedShare += ((isHalved ? 1 : 0) - halvedShare) * Self.rates.interval
    }

    /// A wave at `time` seconds that more speaks for than against is no beat; told before the next beat is.
    mutating func note(passed time: Double) {
        passed[passedCount % 4] = time
        passedCount += 1
    }

    /// There is a wave that more speaks for than against.
    mutating func note(familiarity: Double) {
        strangeness += (1 - familiarity - strangeness) * Self.rates.candidate
    }

    private func place(of share: Double, in range: ClosedRange<Double>) -> Double {
        min(max((share - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
    }
}
