import Signals

/// Cuts a respiration signal into runs at a working rate of 10…20 Hz and looks for breaths in each.
struct BreathCore {
    /// A stretch of the recording.
    struct Stretch {
        var start: Seconds
        var end: Seconds
    }

    /// What was decided at one time.
    struct News {
        var breaths: [FormedBreath]
        /// The stretch of the recording whose breaths are decided.
        var stretch: Stretch
        /// Parts of the stretch without samples, which the search for breaths bridged.
        var holes: [Stretch]
    }

    /// Samples may be missing for so long without an end to the run.
    private static let longestHole: Seconds = 1
    /// By how much the signal must have gone on before all about a breath is certain: 40 s, a hole, and a value that
    /// stands still.
    static var lookAhead: Seconds { 40 + longestHole + StillValues.longest }

    /// What was decided, in order of time. When it was depends on the samples alone, not on the chunks.
    var news: [News] = []
    /// Where the value stood still, for as long as it is known and not taken away; in pieces that touch.
    var stills: [Stretch] = []
    private var segment: SegmentStart
    private var factor: Int
    private var isUsable: Bool
    /// Samples of the segment so far.
    private var taken = 0
    private var values: StillValues
    /// The block of samples that is being averaged.
    private var sum = 0.0
    private var finite = 0
    private var inBlock = 0
    private var run: BreathRun?
    /// The last value of the run, and the number of missing blocks since.
    private var last = 0.0
    private var missing = 0

    init(sampleRate: Double) {
        segment = SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate)
        isUsable = BreathDetector.sampleRates.contains(sampleRate)
        factor = isUsable ? max(1, Int(sampleRate / 10)) : 1
        values = StillValues(sampleRate: isUsable ? sampleRate : 1)
    }

    mutating func begin(_ segment: SegmentStart) {
        finish()
        if segment.sampleRate != self.segment.sampleRate {
            values = StillValues(
                sampleRate: BreathDetector.sampleRates.contains(segment.sampleRate) ? segment.sampleRate : 1)
        }
        self.segment = segment
        isUsable = BreathDetector.sampleRates.contains(segment.sampleRate) && segment.onset.isPlaceable
        factor = isUsable ? max(1, Int(segment.sampleRate / 10)) : 1
        (taken, sum, finite, inBlock) = (0, 0, 0, 0)
    }

    mutating func push(_ chunk: Span<Float>) {
        guard isUsable else { return }
        for index in chunk.indices {
            let sample = chunk[index]
            if let passage = values.take(abs(sample) < 1e30 ? sample : .nan) { add(passage) }
        }
    }

    mutating func finish() {
        if let passage = values.end() { add(passage) }
        endRun()
    }

    private mutating func add(_ passage: StillValues.Passage) {
        if passage.isStill {
            let start = segment.onset(ofOffset: taken)
            if stills.last?.end != start { stills.append(Stretch(start: start, end: start)) }
            stills[stills.count - 1].end = segment.onset(ofOffset: taken + passage.count)
        }
        for _ in 0..<passage.count {
            if !passage.value.isNaN {
                sum += Double(passage.value)
                finite += 1
            }
            inBlock += 1
            taken += 1
            if inBlock == factor { endBlock() }
        }
    }

    private mutating func endBlock() {
        let first = taken - inBlock
        // A block of which half is missing is missing.
        if 2 * finite > inBlock {
            let centre = segment.onset(ofOffset: first) + Double(factor - 1) / 2 / segment.sampleRate
            if run == nil {
                run = BreathRun(
                    onset: centre, rate: segment.sampleRate / Double(factor), halfSample: 0.5 / segment.sampleRate)
            }
            append(sum / Double(finite))
        } else if run != nil {
            missing += 1
            // Blocks may stick out of a hole by half at both of its ends.
            if Double((missing - 1) * factor) >= Self.longestHole * segment.sampleRate { endRun() }
        }
        (sum, finite, inBlock) = (0, 0, 0)
    }

    /// A line leads over missing blocks to the next value.
    private mutating func append(_ value: Double) {
        let slope = (value - last) / Double(missing + 1)
        for place in 0..<missing { run?.append(last + slope * Double(place + 1), isMissing: true) }
        run?.append(value)
        (last, missing) = (value, 0)
        collect()
    }

    private mutating func endRun() {
        run?.close()
        collect()
        (run, missing) = (nil, 0)
    }

    private mutating func collect() {
        guard run?.hasNews ?? false, let latest = run?.takeNews() else { return }
        news.append(latest)
    }
}
