/// How regular the rhythm is, and how many strange waves stand about it.
///
/// Where beats come at even distances and much that may be a beat looks like none of them, what comes at the wrong time
/// is an artefact: electrodes that move make waves like QRS complexes. A rhythm that is regular but for premature beats
/// stays regular by this measure, and its premature beats are hardly ever more than every third wave.
struct Regularity {
    /// The share of late beats that came a usual interval after one of the four beats before.
    private var evenShare = 0.0
    /// How little the late candidates that may be beats look like the beats of late, from 0 to 1.
    private var strangeness = 0.0
    private var halved = HalvedRhythm()
    /// Beats: a ring.
    private var latest: InlineArray<4, Double> = .init(repeating: -.infinity)
    private var count = 0
    /// Whether beats before the run may have been missed.
    private var isResumed = false

    /// How far an interval is from the usual one at most to be even, as a share of that.
    private static let evenness = 0.1
    /// What a beat and a candidate count for.
    private static let rates = (beat: 0.01, candidate: 0.03)
    /// Below the first nothing is regular or strange; from the second on everything is.
    private static let evenShares = 0.5...0.95
    private static let strangenesses = 0.1...0.3

    /// From 0, where no interval is like the others, to 1. A rhythm of which every second beat may have been missed is not
    /// regular.
    private(set) var degree = 0.0
    /// From 0, where the waves are the beats and little else, to 1.
    private(set) var unrest = 0.0

    /// A run begins. What was regular stays so: it is the same heart.
    mutating func restart() {
        latest = .init(repeating: -.infinity)
        isResumed = false
        halved.restart()
    }

    /// A run begins soon after another. What beats of the time between its first beats follow is not known.
    mutating func resume() {
        restart()
        isResumed = true
    }

    /// There was a beat at `time` seconds, where beats come every `usual` seconds as a rule.
    @inline(__always)
    mutating func note(beat time: Double, score: Double, usual: Double) {
        var isEven = false
        for index in 0..<4 where abs(time - latest[index] - usual) < Self.evenness * usual { isEven = true }
        if !isResumed || time > (1 + Self.evenness) * usual {
            evenShare += ((isEven ? 1 : 0) - evenShare) * Self.rates.beat
        }
        let interval = time - latest[(count + 3) & 3]
        if interval.isFinite { halved.note(beat: time, score: score, after: interval, usual: usual) }
        latest[count & 3] = time
        count += 1
        degree = place(of: evenShare, in: Self.evenShares) * (1 - halved.degree)
    }

    /// A wave at `time` seconds is no beat; told before the next beat is.
    mutating func note(passed time: Double, score: Double) {
        halved.note(passed: time, score: score)
    }

    /// There is a wave that more speaks for than against.
    mutating func note(familiarity: Double) {
        strangeness += (1 - familiarity - strangeness) * Self.rates.candidate
        unrest = place(of: strangeness, in: Self.strangenesses)
    }
}

/// Where `share` is in `range`: 0 below, 1 above.
func place(of share: Double, in range: ClosedRange<Double>) -> Double {
    if share >= range.upperBound { return 1 }
    return share > range.lowerBound ? (share - range.lowerBound) / (range.upperBound - range.lowerBound) : 0
}
