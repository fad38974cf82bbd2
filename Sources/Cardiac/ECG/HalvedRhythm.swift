/// Whether every second beat may have been missed: the heart has become twice as fast, or every second beat is premature.
///
/// Then there are waves at one and the same part of the intervals that are worth as much as the beats are, whatever the
/// noise, and more than what stands elsewhere. Artefacts come anywhere.
struct HalvedRhythm {
    /// Waves that were passed over, and their scores: a ring.
    private var times: InlineArray<16, Double> = .init(repeating: -.infinity)
    private var scores: InlineArray<16, Double> = .init(repeating: 0)
    private var count = 0
    /// Scores of late: of the beats, and of the highest waves at each part of the intervals.
    private var beatWorth = 0.0
    private var worths: InlineArray<3, Double> = .init(repeating: QRSEvidence.least)

    /// Where a premature beat, the second of two beats in an interval of twice the usual length, and a late one would come,
    /// as parts of the interval, and how far from there a wave is at most.
    private static let parts: InlineArray<3, Double> = [0.3, 0.5, 0.7]
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
    var degree: Double {
        let highest = max(worths[0], worths[1], worths[2])
        let elsewhere = (worths[0] + worths[1] + worths[2] - highest) / 2
        return place(of: (highest - elsewhere) / max(beatWorth - elsewhere, Self.leastExcess), in: Self.excesses)
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
        var highest: InlineArray<3, Double> = .init(repeating: QRSEvidence.least)
        for index in times.indices {
            let part = 1 - (time - times[index]) / interval
            for place in highest.indices where abs(part - Self.parts[place]) < Self.reach {
                highest[place] = max(highest[place], scores[index])
            }
        }
        beatWorth += (max(score, QRSEvidence.least) - beatWorth) * Self.rate
        for place in highest.indices { worths[place] += (highest[place] - worths[place]) * Self.rate }
    }
}
