import Signals

/// Cuts a respiration signal into runs at a working rate of 10…20 Hz and looks for breaths in each.
struct BreathCore {
    /// A stretch of the recording whose breaths are decided.
    struct Stretch {
        var start: Seconds
        var end: Seconds
    }

    /// What was decided at one time.
    struct News {
        var breaths: [FormedBreath]
        var stretch: Stretch
    }

    /// What was decided, in order of time. When it was depends on the samples alone, not on the chunks.
    var news: [News] = []
    private var segment: SegmentStart
    private var factor: Int
    private var isUsable: Bool
    /// Samples of the segment so far.
    private var taken = 0
    /// The block of samples that is being averaged.
    private var sum = 0.0
    private var finite = 0
    private var inBlock = 0
    private var run: BreathRun?

    init(sampleRate: Double) {
        segment = SegmentStart(onset: 0, sample: 0, sampleRate: sampleRate)
        isUsable = BreathDetector.sampleRates.contains(sampleRate)
        factor = isUsable ? max(1, Int(sampleRate / 10)) : 1
    }

    mutating func begin(_ segment: SegmentStart) {
        endRun()
        self.segment = segment
        isUsable = BreathDetector.sampleRates.contains(segment.sampleRate) && segment.onset.isPlaceable
        factor = isUsable ? max(1, Int(segment.sampleRate / 10)) : 1
        (taken, sum, finite, inBlock) = (0, 0, 0, 0)
    }

    mutating func push(_ chunk: Span<Float>) {
        guard isUsable else { return }
        for index in chunk.indices {
            let sample = chunk[index]
            if abs(sample) < 1e30 {
                sum += Double(sample)
                finite += 1
            }
            inBlock += 1
            taken += 1
            if inBlock == factor { endBlock() }
        }
    }

    mutating func finish() {
        endRun()
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
            run?.append(sum / Double(finite))
            collect()
        } else {
            endRun()
        }
        (sum, finite, inBlock) = (0, 0, 0)
    }

    private mutating func endRun() {
        run?.close()
        collect()
        run = nil
    }

    private mutating func collect() {
        guard run?.hasNews ?? false, let latest = run?.takeNews() else { return }
        news.append(latest)
    }
}
