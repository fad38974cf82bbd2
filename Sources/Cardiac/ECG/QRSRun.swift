import CVectors
import Kernels

/// The detector's work on one contiguous run of samples that are all there.
struct QRSRun {
    /// A settled beat, its place in input samples of the run.
    struct Found {
        var place: Double
        var confidence: Float
        /// Whether the signal was dead between the beat before and this one.
        var followsSilence: Bool
        /// Whether a gap may have cut its complex, so that its place is not to be relied on.
        var isCut: Bool
    }

    let frame: ECGFrame
    /// Whether a run is going on.
    private(set) var isOpen = false
    /// Place of the run's first sample in its segment.
    private(set) var start = 0
    /// Settled beats nobody has taken yet, in order of time.
    var found: [Found] = []
    /// What is told to those who look at several leads together; nil, and free of cost, where nobody does.
    var account: LeadAccount?

    var input: SampleHistory
    var low: SampleHistory
    /// At every second low-rate sample.
    private var strengths: SampleHistory
    private var decimator: TriangleDecimator
    var wavelet: WaveletModulus
    let peak: RPeak
    private let spikes: PacingSpikes
    let step: LevelStep
    var candidates = QRSCandidates()
    var path: BeatPath
    var shapes = QRSShapes()
    var level = QRSLevel()
    /// How high beats were in the run before; 0 before the first.
    private var heightBefore: Float = 0
    var flutter: FlutterWatch
    var wide: WideRun
    /// Blocks in a row without any change of the signal, and low-rate places where they became a silence.
    private var flatBlocks = 0
    var silences: [Int] = []
    /// The block in which the signal began, or began anew after a silence.
    private var onset = 0
    /// Low-rate place of the last settled beat; of the run's start before there is one.
    var lastBeat = 0
    /// Which tops are candidates; those below its floor are not worth a look.
    var rules = marey_candidate_rules()
    /// Input samples of the run.
    private var count = 0
    /// Those of the latest run that was looked at and has ended.
    private var length = 0
    /// Whether the run goes on from the one before.
    private var isResumed = false
    /// Blocks done.
    var blocks = 0
    /// Blocks whose candidates are weighed.
    var weighed = 0

    init(sampleRate: Double, parameters: ECGBeatDetector.Parameters) {
        let frame = ECGFrame(sampleRate: sampleRate)
        self.frame = frame
        peak = RPeak(frame, fiducial: parameters.fiducial)
        spikes = PacingSpikes(sampleRate: frame.sampleRate)
        step = LevelStep(frame)
        wavelet = QRSWavelet.modulus(rate: frame.lowRate, room: Self.batch * frame.block / 2)
        decimator = TriangleDecimator(factor: frame.factor)
        // Beats are located when they are settled, a look-ahead after they were.
        let kept = Int(frame.lookAhead * frame.lowRate) + 2 * frame.block + peak.lowReach
        low = SampleHistory(keeping: kept + Self.batch * frame.block, room: 2 * Self.batch * frame.block)
        strengths = SampleHistory(keeping: Self.batch * frame.block, room: 2 * Self.batch * frame.block)
        input = SampleHistory(
            keeping: (kept + Self.batch * frame.block) * frame.factor + peak.inputReach + 2 * spikes.reach,
            room: 2 * Self.batch * frame.block * frame.factor)
        flutter = FlutterWatch(frame)
        wide = WideRun(frame)
        path = BeatPath(refractory: parameters.refractoryPeriod)
        found.reserveCapacity(32)
        silences.reserveCapacity(8)
    }

    /// Blocks that may be filtered in one go; what comes of them does not depend on it.
    private static let batch = 8
    private var blockLength: Int { frame.block &* frame.factor }

    /// Seconds between an input sample and the last output that may depend on it.
    var lookAhead: Double { frame.lookAhead + Double(spikes.reach) / frame.sampleRate }

    /// Input samples that still fit in before `process` is due.
    var room: Int { (blocks &+ Self.batch) &* blockLength &+ spikes.reach &- count }

    /// Place of the run's end in its segment.
    var end: Int { start + count }

    var lastSample: Float { input[count - 1] }

    /// Whether enough beats are known for a run that begins soon to go on from them.
    var isResumable: Bool { level.beats >= 2 }

    /// Begins a run at `place` of the segment; what came before is taken to have been `first` for ever.
    /// - Parameter elapsed: seconds since the run before began, where what that taught still holds: how high beats and
    ///   background are, what beats look like, when the last one was. Then no time is needed to learn it.
    mutating func open(at place: Int, first: Float, after elapsed: Double?) {
        isOpen = true
        isResumed = elapsed != nil
        if level.usual > 0 { heightBefore = level.usual }
        if let elapsed {
            path.resume(after: elapsed)
            lastBeat -= Int(elapsed * frame.lowRate)
            // Those of which more than half was measured.
            level.resume(after: (length / frame.factor + wavelet.reach + frame.block / 2) / frame.block)
        } else {
            path.restart()
            lastBeat = 0
            level.restart()
            shapes.reset()
        }
        length = 0
        start = place
        account?.begin()
        count = 0
        blocks = 0
        weighed = 0
        flatBlocks = 0
        onset = 0
        silences.removeAll(keepingCapacity: true)
        candidates.removeAll()
        // Nearer to the run's start it may be the edge to what was never measured that is seen, in hum above all, unless
        // it is as high as beats were before.
        let isKnown = heightBefore > 0
        rules = marey_candidate_rules(
            floor: 0, low: isKnown ? heightBefore / 2 : .infinity, high: isKnown ? heightBefore * 2 : 0,
            nearest: wavelet.reach, end: .max, separation: frame.separation)
        flutter.restart()
        wide.restart()
        decimator.reset(first: first)
        let inputBefore = peak.inputReach + spikes.reach
        input.reset(at: -inputBefore)
        input.append(repeating: first, inputBefore)
        let before = max(peak.lowReach, 2 * wavelet.reach, QRSShapes.lowReach, step.reach)
        low.reset(at: -before)
        low.append(repeating: 0, before)
        strengths.reset(at: -wavelet.reach / 2 - 2)
        strengths.append(repeating: 0, 2)
    }

    mutating func append(_ sample: Float) {
        input.append(1).pointee = sample
        count += 1
    }

    /// Adds samples unless one of them is not finite.
    /// - Returns: whether they were added.
    mutating func append(finite samples: UnsafePointer<Float>, _ length: Int) -> Bool {
        guard Scans.copy(samples, to: input.append(length), length) else {
            input.removeLast(length)
            return false
        }
        count += length
        return true
    }

    /// In a run shorter than this, in seconds, nothing tells a beat from whatever else stands out, unless it is known what
    /// beats are; then a complex must fit in.
    private static let shortest = (unknown: 1.5, known: 0.15)

    /// Ends the run: the last sample is taken to stay for ever.
    /// - Parameter isCut: whether a gap ends it.
    /// - Returns: whether it was long enough to be looked at.
    mutating func close(isCut: Bool) -> Bool {
        let total = count
        guard Double(total) >= (isResumed ? Self.shortest.known : Self.shortest.unknown) * frame.sampleRate else {
            account?.end(at: Double(total) / frame.sampleRate)
            isOpen = false
            return false
        }
        length = total
        process()
        let last = lastSample
        let lowCount = (total + frame.factor - 1) / frame.factor
        // Until the strength at the last sample is there and every candidate is weighed.
        let needed = (lowCount + wavelet.reach + 2 + frame.block - 1) / frame.block
        let end = max(needed, 1)
        while blocks < end {
            let length = (blocks + 1) * blockLength + spikes.reach - count
            input.append(repeating: last, length)
            count += length
            process(lowCount: lowCount)
        }
        input.append(repeating: last, peak.inputReach)
        finishPath(lowCount: lowCount, total: total, gapAfter: isCut ? total : .max)
        isOpen = false
        return true
    }

    // What follows is done for each block. None of its numbers comes near to the end of what integers hold, so that sums are
    // not asked whether they do. The compiler makes code of each file by itself: what is small or used in one place says so.

    /// Works on the blocks that have become full.
    mutating func process(lowCount: Int = .max) {
        rules.end = lowCount
        let length = blockLength
        var next = (blocks &+ 1) &* length &+ spikes.reach
        guard next <= count else { return }
        filter((count &- next) / length &+ 1)
        candidates.own()
        while next <= count {
            noteSilence()
            collect()
            blocks &+= 1
            if blocks >= frame.startBlocks {
                weigh(upTo: weighable)
                settle(upTo: blocks &- frame.startBlocks)
            }
            next &+= length
        }
    }

    /// The end of the blocks whose candidates can be weighed: none of a signal that has just begun, until there is enough
    /// of it to tell its beats from what is lower.
    private var weighable: Int {
        let end = blocks &- frame.weighingDelay
        return blocks < onset &+ frame.startBlocks ? min(end, onset) : end
    }

    /// The blocks that tell of the level of `block`, of those that are remembered. What a dead signal shows is no
    /// background.
    @inline(__always)
    func levelBlocks(_ block: Int) -> Range<Int> {
        let begin = onset > 0 ? onset : -level.known
        let first = max(block < onset ? 0 : begin, block &- frame.levelPast, blocks &- QRSLevel.capacity)
        return Range(uncheckedBounds: (first, blocks))
    }

    /// Frees `full` blocks of impulses, brings them to the low rate and works their strengths out.
    private mutating func filter(_ full: Int) {
        let place = blocks * blockLength
        let length = full * frame.block
        let searched = blocks == 0 ? 0 : place + spikes.lead
        spikes.remove(
            from: input.changeable() + searched, count: place + full * blockLength + spikes.lead - searched)
        decimator.decimate(input.samples + place, low.append(length), count: length)
        let first = blocks * frame.block - wavelet.reach
        wavelet.transform(low.samples + first, strengths.append(length / 2), count: length / 2)
    }

    @inline(__always)
    private mutating func noteSilence() {
        if marey_is_constant(low.samples + blocks &* frame.block, frame.block) {
            noteFlatBlock()
        } else if flatBlocks > 0 {
            flatBlocks = 0
        }
    }

    @inline(never)
    private mutating func noteFlatBlock() {
        flatBlocks += 1
        if flatBlocks >= frame.silence || (flatBlocks > blocks && !isResumed) { onset = blocks + 1 }
        if flatBlocks >= frame.silence { account?.noteSilence(ofLatest: flatBlocks, before: blocks + 1) }
        if flatBlocks == frame.silence { silences.append((blocks + 1) * frame.block) }
    }

    /// Collects the tops of the strength in the block that has become full.
    @inline(__always)
    private mutating func collect() {
        let length = frame.block / 2
        // A top is told from the value after it.
        let first = blocks &* length &- wavelet.reach / 2 &- 1
        let block = candidates.collect(strengths.samples, from: first, count: length, block: blocks, rules)
        level.note(block: blocks, peak: block.highest, mean: block.total / Float(length))
    }
}
