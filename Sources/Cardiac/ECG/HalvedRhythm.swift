import CVectors

/// Whether every second beat may have been missed: the heart has become twice as fast, or every second beat is premature.
///
/// Then there are waves at one and the same part of the intervals that are worth as much as the beats are, whatever the
/// noise, and more than what stands elsewhere. Artefacts come anywhere.
struct HalvedRhythm {
    /// Waves that were passed over, and their scores: a ring.
    private var times = SIMD16<Double>(repeating: -.infinity)
    private var scores = SIMD16<Double>.zero
    private var count = 0
    /// The latest of these times.
    private var latest = -Double.infinity
    /// Scores of late: of the beats, and of the highest waves at each part of the intervals.
    private var beatWorth = 0.0
    private var worths = SIMD4<Double>(repeating: QRSEvidence.least)

    /// Where a premature beat, the second of two beats in an interval of twice the usual length, and a late one would come,
    /// as parts of the interval, and how far from there a wave is at most.
    private static let parts = SIMD4(0.3, 0.5, 0.7, .infinity)
    private static let reach = 0.05
    /// What an interval counts for.
    private static let rate = 0.25
    /// The shortest interval that tells anything, as a share of the usual one. Once beats are taken within it, there is
    /// nothing left in between; that is no sign that the rhythm was not halved, until the usual interval is another.
    private static let least = 0.75
    /// How far beats stand out at least.
    private static let leastExcess = 1.0
    /// Below the first part of the way from what stands elsewhere up to the beats, waves say nothing; from the second on,
    /// they are beats.
    private static let excesses = 0.25...0.5

    /// From 0, where nothing stands out at any part of the intervals, to 1.
    private(set) var degree = 0.0

    /// A run begins.
    mutating func restart() {
        times = SIMD16(repeating: -.infinity)
        latest = -.infinity
    }

    /// A wave at `time` seconds is no beat; told before the next beat is.
    mutating func note(passed time: Double, score: Double) {
        latest = max(latest, time)
        times[count & 15] = time
        scores[count & 15] = score
        count += 1
    }

    /// There was a beat at `time` seconds, `interval` seconds after the one before, where `usual` are the rule.
    mutating func note(beat time: Double, score: Double, after interval: Double, usual: Double) {
        guard interval > Self.least * usual else { return }
        // Most intervals have no waves in them.
        let highest =
            latest > time - interval
            ? marey_highest_at(times, scores, time, interval, Self.parts, Self.reach, QRSEvidence.least)
            : marey_all(QRSEvidence.least)
        beatWorth += (max(score, QRSEvidence.least) - beatWorth) * Self.rate
        worths = marey_add(worths, marey_mul(marey_sub(highest, worths), marey_all(Self.rate)))
        let top = max(worths[0], worths[1], worths[2])
        let elsewhere = (worths[0] + worths[1] + worths[2] - top) / 2
        let whole = max(beatWorth - elsewhere, Self.leastExcess)
        // Mostly far from there, which takes no division to tell.
        let isFar = top - elsewhere < 0.9 * Self.excesses.lowerBound * whole
        degree = isFar ? 0 : place(of: (top - elsewhere) / whole, in: Self.excesses)
    }
}
