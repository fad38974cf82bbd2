import Signals

/// What the detector of one lead tells of it to those who look at several leads together, in seconds from the
/// recording's start.
struct LeadAccount {
    /// A top of the QRS strength that may be a beat.
    struct Top {
        var time: Seconds
        /// The nearest sample in the lead's stream.
        var sample: Int
        /// Binary logarithm of its height.
        var strength: Double
        /// What speaks for a beat, as `QRSEvidence` has it.
        var score: Double
        /// How much it looks like the lead's beats of late, from 0 to 1.
        var familiarity: Double
        /// Seconds of a cycle where the lead sees the ventricles flutter, else 0.
        var cycle: Float
    }

    /// A stretch all of whose tops are known.
    struct Stretch {
        var start: Seconds
        var end: Seconds
        /// Whether the signal was dead, so that no beat could have been seen.
        var isBlind: Bool
        /// How many octaves beats stand above the background, as `QRSEvidence` has it.
        var contrast: Double
    }

    /// Where the run begins: its time, and its sample in the stream.
    var origin: (onset: Seconds, sample: Int) = (0, 0)
    /// Tops nobody has taken yet, in order of time.
    var tops: [Top] = []
    /// Stretches nobody has taken yet, in order of time; between two runs there is a hole.
    var stretches: [Stretch] = []
    /// The tops of the beats that the lead itself is for, in the order of the detector's beats; not taken yet.
    var beatTops: [Seconds] = []
    /// Whether a gap may have cut the complex of each of them.
    var beatCuts: [Bool] = []
    /// Up to where the lead's own beats are known.
    private(set) var settledUntil = -Seconds.infinity
    private var contrast = 0.0
    /// Blocks of the latest silence.
    private var silence = 0..<0

    /// A run begins.
    mutating func begin() {
        silence = 0..<0
        contrast = 0
        settledUntil = origin.onset
    }

    /// The latest `count` blocks before `end` had no change.
    mutating func noteSilence(ofLatest count: Int, before end: Int) {
        silence = end - count..<end
    }

    /// All tops of a block are weighed; `reach` low-rate samples separate a block from its strengths.
    mutating func note(block: Int, of frame: ECGFrame, reach: Int) {
        let first = max(0, block * frame.block - reach - 1)
        let end = (block + 1) * frame.block - reach - 1
        guard end > first else { return }
        stretches.append(
            Stretch(
                start: origin.onset + Double(first) / frame.lowRate, end: origin.onset + Double(end) / frame.lowRate,
                isBlind: silence.contains(block), contrast: contrast))
    }

    /// Beats stand `contrast` octaves above the background in the latest block, and until more is said.
    mutating func note(contrast: Double) {
        self.contrast = contrast
        if let last = stretches.indices.last { stretches[last].contrast = contrast }
    }

    /// The low-rate sample `top` of the run may be a beat.
    mutating func note(
        top: Int, strength: Double, score: Double, familiarity: Double = 0, cycle: Float = 0, _ frame: ECGFrame
    ) {
        tops.append(
            Top(
                time: origin.onset + Double(top) / frame.lowRate, sample: origin.sample + top * frame.factor,
                strength: strength, score: score, familiarity: familiarity, cycle: cycle))
    }

    /// The lead itself is for a beat at `time` seconds of the run.
    mutating func note(beat time: Double, isCut: Bool) {
        beatTops.append(origin.onset + time)
        beatCuts.append(isCut)
    }

    /// The lead's own beats are known up to `time` seconds of the run.
    mutating func note(settledUntil time: Double) {
        if time.isFinite { settledUntil = origin.onset + max(0, time) }
    }

    /// The run has ended after `duration` seconds.
    mutating func end(at duration: Double) {
        let end = origin.onset + duration
        settledUntil = end
        while let last = stretches.last, last.start >= end { stretches.removeLast() }
        if let last = stretches.indices.last {
            stretches[last].end = end
        } else {
            stretches.append(Stretch(start: origin.onset, end: end, isBlind: false, contrast: contrast))
        }
    }
}
