public import Signals

/// A streaming detector of pulses in a blood volume pulse signal (photoplethysmogram) of 16…1,000 Hz and more.
///
/// Pulses are looked for by their systolic upstroke, in the slope of the signal smoothed with a Gaussian of 50 ms less
/// its slow part, so that neither offset nor drift matters. Candidates are the maxima of that slope, measured against
/// the steepest slopes of the last seconds; dynamic programming picks the sequence that agrees best with strength,
/// rhythm and the time of dicrotic waves. Each pulse has a confidence, from its rhythm, its shape against the mean
/// shape and its neighbours; below `BVPParameters.leastConfidence` it is left out and the next one follows a break.
///
/// Up to `BVPParameters.longestDropout` missing samples in a row are bridged by a line; longer stretches end the run. Where
/// the signal stands still as no pulse does (`StillWatch`), nothing is told: up to 10 s of it, the search goes on
/// afterwards with what it knows, but its next pulse follows a break.
/// Amplitude, offset and polarity of the signal are free. Memory is some seconds of signal.
///
/// On the upstroke as the feature to detect: Zong, Heldt, Moody & Mark 2003, Comput Cardiol 30:259; as the fiducial:
/// Peralta et al. 2019, Physiol Meas 40:025007. Foot by intersecting tangents: Chiu, Arand & Shroff 1991, Am Heart J
/// 121:1460.
public struct BVPPulseDetector: Stage {
    /// A sample of one channel.
    public typealias Element = Float
    /// A pulse.
    public typealias Output = Pulse

    private let parameters: BVPParameters
    private let longestDropout: Int
    /// Whether the sample rate is high enough to see pulses.
    private let isFast: Bool
    private var still: StillWatch
    /// Samples that are known not to stand still, or NaN.
    private var passed: [Float] = []
    private var decimator: PulseDecimator
    private var search: PulseSearch
    /// Working samples on their way to the search, and pulses on their way from it.
    private var working = [Float](repeating: 0, count: PulseSearch.largestBatch)
    private var found: [PulseSearch.Found] = []
    private var segment: SegmentStart?
    /// Samples of the segment so far.
    private var taken = 0
    /// Where in the segment the present run began; nil while nothing but missing samples has come.
    private var runStart: Int?
    /// The run's first sample, from which all levels are counted so that a large offset costs no precision.
    private var reference: Float = 0
    private var level: Float = 0
    private var missing = 0
    /// How many samples the signal has stood still for, and for how many the run goes on.
    private var standing = 0
    private let longestStanding: Int
    private var followsBreak = true
    private var lastOffset = -Double.infinity

    /// Under so many Hz no pulses are found.
    static let lowestSampleRate = 16.0

    /// The time after a pulse, in seconds, by which it is reported: 3.25 s, but for the first pulses of a contact. These
    /// wait until their polarity is known, 12.75 s at most, or 5.75 s where the parameters say it.
    public var lookAhead: Seconds {
        let wait = parameters.polarity == .automatic ? PulsePolarity.longestWait : PulsePolarity.shortestWait
        return max(3, wait + 0.5) + StillWatch.delay
    }

    /// The present doubt in the polarity; nil without one.
    public var doubt: PulseDoubt? { search.doubt }

    /// A detector for `sampleRate` Hz, of pulses from a sensor as `source`. Under 16 Hz it finds nothing.
    public init(
        sampleRate: Double, parameters: BVPParameters = BVPParameters(), expecting source: PulseSource = .unknown
    ) {
        isFast = sampleRate >= Self.lowestSampleRate
        let sampleRate = isFast ? min(sampleRate, 1e6) : Self.lowestSampleRate
        self.parameters = parameters
        let dropout = parameters.longestDropout
        longestDropout = dropout > 0 ? Int(min(3, dropout) * sampleRate) : 0
        longestStanding = max(longestDropout, Int(10 * sampleRate))
        still = StillWatch(sampleRate: sampleRate)
        decimator = PulseDecimator(sampleRate: sampleRate)
        search = PulseSearch(
            rate: sampleRate / Double(decimator.factor), parameters: parameters, expecting: source)
    }

    /// Begins a run at `segment`; its first pulse follows a break.
    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Pulse]) {
        finish(into: &outputs)
        self.segment = segment
        (taken, missing, followsBreak, lastOffset) = (0, 0, true, -.infinity)
    }

    /// Takes the next samples, in any unit; NaN stands for a missing one.
    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Pulse]) {
        guard isFast else { return }
        still.take(chunk, into: &passed)
        takePassed(into: &outputs)
    }

    /// Takes the samples that passed.
    private mutating func takePassed(into outputs: inout [Pulse]) {
        var samples: [Float] = []
        swap(&samples, &passed)
        take(samples.span, into: &outputs)
        samples.removeAll(keepingCapacity: true)
        passed = samples
    }

    private mutating func take(_ chunk: Span<Float>, into outputs: inout [Pulse]) {
        var index = 0
        while index < chunk.count {
            if missing + standing == 0, runStart != nil, decimator.isAtBlockStart,
                index + decimator.factor <= chunk.count
            {
                let (count, filled) = decimator.pushBlocks(chunk, from: index, less: reference, into: &working)
                if count > 0 {
                    taken += count
                    index += count
                    level = chunk[index - 1] - reference
                    advance(filled, into: &outputs)
                    continue
                }
            }
            take(chunk[index], into: &outputs)
            index += 1
        }
    }

    /// 0.2 s.
    public var accelerationLead: Seconds { 0.2 }

    /// A run of acceleration begins.
    public mutating func beginAcceleration(_ segment: SegmentStart) {
        search.hear { $0.begin(segment) }
    }

    /// The next acceleration; see `BeatDetector`.
    public mutating func pushAcceleration(_ block: SampleBlock, factor: Float) {
        search.hear { $0.push(block, factor: factor) }
    }

    /// The run of acceleration ends.
    public mutating func endAcceleration() {
        search.hear { $0.end() }
    }

    /// Ends the last run.
    public mutating func finish(into outputs: inout [Pulse]) {
        still.end(into: &passed)
        takePassed(into: &outputs)
        endRun(into: &outputs)
    }

    @inline(__always)
    private mutating func take(_ sample: Float, into outputs: inout [Pulse]) {
        taken += 1
        if abs(sample) < 1e30, missing + standing == 0, runStart != nil {
            level = sample - reference
            advance(decimator.push(level), into: &outputs)
        } else {
            takeExceptional(sample, into: &outputs)
        }
    }

    /// A missing sample or one that stands still, the first after such, or the first of a run.
    @inline(never)
    private mutating func takeExceptional(_ sample: Float, into outputs: inout [Pulse]) {
        if sample == StillWatch.mark, missing == 0, runStart != nil { return stand(into: &outputs) }
        if standing > 0 { goOn(with: sample, into: &outputs) }
        guard abs(sample) < 1e30 else {
            missing += 1
            if missing > longestDropout { endRun(into: &outputs) }
            return
        }
        if runStart == nil { startRun(with: sample) }
        let last = level
        level = sample - reference
        for k in 0..<missing {
            let filled = last + (level - last) * Float(k + 1) / Float(missing + 1)
            decimator.countMissing()
            advance(decimator.push(filled), into: &outputs)
        }
        missing = 0
        advance(decimator.push(level), into: &outputs)
    }

    /// The signal stands still: to the search it stays where it was before.
    private mutating func stand(into outputs: inout [Pulse]) {
        standing += 1
        guard standing <= longestStanding else {
            missing = standing
            return endRun(into: &outputs)
        }
        if standing == 1 { search.beginStill() }
        decimator.countMissing()
        advance(decimator.push(level), into: &outputs)
    }

    /// The signal stands still no longer, and goes on with `sample` from the level where it stopped: what it jumped by in the
    /// meantime is no slope of a pulse.
    private mutating func goOn(with sample: Float, into outputs: inout [Pulse]) {
        if abs(sample) < 1e30 {
            // Of a stretch that was told late the beginning has passed.
            search.endStill(breaking: standing > longestDropout || still.shortest > longestDropout)
            reference = sample - level
        } else {
            missing = standing
            endRun(into: &outputs)
        }
        standing = 0
    }

    /// The time between two runs, in seconds, after which a new contact of the sensor begins.
    private static let contactLost: Seconds = 30
    /// Where the last run ended, in seconds from the recording's start.
    private var runEnd = -Seconds.infinity

    private mutating func startRun(with sample: Float) {
        runStart = taken - 1
        let start = segment.map { $0.onset + Double(taken - 1) / max($0.sampleRate, 1) } ?? 0
        if start - runEnd > Self.contactLost { search.beginContact() }
        (reference, level, missing, standing) = (sample, 0, 0, 0)
        decimator.reset()
        let spacing = Double(decimator.factor) / (segment?.sampleRate ?? 1)
        let first = Double(taken - 1) + decimator.offset(of: 0)
        search.reset(onset: (segment?.onset ?? 0) + first / (segment?.sampleRate ?? 1), spacing: spacing)
        followsBreak = true
    }

    /// Ends the run with its last valid sample; the signal is taken to stay there. Runs under 1 s hold no pulses.
    private mutating func endRun(into outputs: inout [Pulse]) {
        guard let start = runStart else { return }
        let length = taken - max(missing, standing) - start
        if Double(length) >= search.rate * Double(decimator.factor) {
            let last = (segment?.onset ?? 0) + Double(start + length - 1) / (segment?.sampleRate ?? 1)
            search.endMotion(heard: last + accelerationLead)
            search.settle(into: &found)
            handOut(into: &outputs, end: Double(length - 1))
            for _ in 0..<search.tail * decimator.factor {
                advance(decimator.push(level), into: &outputs, end: Double(length - 1))
            }
        }
        runEnd = (segment?.onset ?? 0) + Double(start + length) / max(segment?.sampleRate ?? 1, 1)
        (runStart, standing) = (nil, 0)
    }

    private mutating func advance(_ sample: Float?, into outputs: inout [Pulse], end: Double = .infinity) {
        guard let sample else { return }
        working[0] = sample
        advance(1, into: &outputs, end: end)
    }

    /// Hands the first `count` of `working` on.
    private mutating func advance(_ count: Int, into outputs: inout [Pulse], end: Double = .infinity) {
        guard count > 0 else { return }
        search.push(working, count: count, missing: decimator.missingShare, into: &found)
        handOut(into: &outputs, end: end)
    }

    /// Hands out what was found.
    private mutating func handOut(into outputs: inout [Pulse], end: Double) {
        guard !found.isEmpty else { return }
        for pulse in found { report(pulse, into: &outputs, end: end) }
        found.removeAll(keepingCapacity: true)
    }

    /// Puts a pulse on the recording's time axis and hands it out.
    private mutating func report(_ found: PulseSearch.Found, into outputs: inout [Pulse], end: Double) {
        if found.followsBreak { followsBreak = true }
        let moment: Double
        switch parameters.fiducial {
        case .systolicPeak: moment = found.upstroke + found.crest
        case .pulsePeak: moment = found.shape.peak
        case .upstroke: moment = found.upstroke
        case .foot: moment = found.shape.foot
        }
        let offset = decimator.offset(of: moment)
        guard let segment, segment.sampleRate > 0, let runStart, offset >= 0, offset <= end,
            Double(runStart) + offset > lastOffset
        else {
            followsBreak = true
            return
        }
        let start = Double(runStart)
        lastOffset = start + offset
        func onset(_ position: Double) -> Seconds {
            segment.onset + (start + decimator.offset(of: position)) / segment.sampleRate
        }
        let beat = Beat(
            onset: onset(moment), sample: segment.sample + Int(lastOffset.rounded()),
            confidence: found.confidence, followsBreak: followsBreak, foot: onset(found.shape.foot))
        outputs.append(
            Pulse(
                beat: beat, foot: onset(found.shape.foot), upstroke: onset(found.upstroke),
                peak: onset(found.shape.peak), amplitude: found.shape.amplitude))
        followsBreak = false
    }
}
