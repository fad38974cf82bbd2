/// Whether every second beat may have been missed: the heart has become twice as fast.
///
/// Then there is a wave in the middle of each interval that is worth as much as the beats are, whatever the noise, and more
/// than what stands aside of the middle. Artefacts come anywhere.
struct HalvedRhythm {
    /// Waves that were passed over, and their scores: a ring.
    private var times: InlineArray<16, Double> = .init(repeating: -.infinity)
    private var scores: InlineArray<16, Double> = .init(repeating: 0)
    private var count = 0
    /// Scores of late: of the beats, and of the highest waves in the middle of the intervals and aside of it.
    private var worth = (beat: 0.0, middle: QRSEvidence.least, aside: QRSEvidence.least)

    /// Parts of an interval, and how far from them a wave is at most.
    private static let (before, middle, after, reach) = (0.3, 0.5, 0.7, 0.05)
    /// What an interval counts for.
    private static let rate = 0.3
    /// The shortest interval that tells anything, as a share of the usual one. Once beats are taken at half of it, their
    /// middles are empty; that is no sign that the rhythm was not halved, until it is the usual one.
    private static let least = 0.75
    /// How far beats stand out at least.
    private static let leastExcess = 1.0
    /// Below the first part of the way from what stands aside up to the beats, the waves in the middle say nothing; from
    /// the second on, they are beats.
    private static let parts = 0.2...0.5

    /// From 0, where nothing in the middle of the intervals stands out, to 1.
    var degree: Double {
        place(of: (worth.middle - worth.aside) / max(worth.beat - worth.aside, Self.leastExcess), in: Self.parts)
    }

    /// A run begins.
    mutating func restart() {
        times = .init(repeating: -.infinity)
    }

    /// A wave at `time` seconds is no beat; told before the next beat is.
    mutating func note(passed time: Double, score: Double) {
        times[count % 16] = time
        scores[count % 16] = score
        count += 1
    }

    /// There was a beat at `time` seconds, `interval` seconds after the one before, where `usual` are the rule.
    mutating func note(beat time: Double, score: Double, after interval: Double, usual: Double) {
        guard interval > Self.least * usual else { return }
        var (before, middle, after) = (QRSEvidence.least, QRSEvidence.least, QRSEvidence.least)
        for index in times.indices {
            let part = 1 - (time - times[index]) / interval
            if abs(part - Self.before) < Self.reach { before = max(before, scores[index]) }
            if abs(part - Self.middle) < Self.reach { middle = max(middle, scores[index]) }
            if abs(part - Self.after) < Self.reach { after = max(after, scores[index]) }
        }
        worth.beat += (max(score, QRSEvidence.least) - worth.beat) * Self.rate
        worth.middle += (middle - worth.middle) * Self.rate
        worth.aside += ((before + after) / 2 - worth.aside) * Self.rate
    }
}
