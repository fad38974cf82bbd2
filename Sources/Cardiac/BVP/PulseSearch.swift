import Foundation

/// Finds the pulses of one contiguous run at the working rate.
struct PulseSearch {
    /// A pulse, in working samples from the run's start.
    struct Found {
        var upstroke: Double
        var shape: PulseWave.Shape
        /// The running mean time from upstroke to peak.
        var crest: Double
        var confidence: Float
        /// Whether something lies between the pulse before and this one that an interval may not span.
        var followsBreak: Bool
    }

    /// Working samples per second.
    let rate: Double
    /// Working samples after which the decision on a candidate falls.
    let delay: Int
    private let parameters: BVPParameters
    private let proposalDelay: Int
    private var slopes: SlopeFilter
    private var wave: PulseWave
    private var rising: PulseScale
    private var falling: PulseScale
    private var polarity: PulsePolarity
    private var path: PulsePath
    private var confidence: PulseConfidence
    private var newest = -1
    private var proposed = 0
    private var crest: Double?
    private var isBroken = true

    /// A search in samples at `rate` Hz.
    init(rate: Double, parameters: BVPParameters) {
        self.rate = rate
        self.parameters = parameters
        proposalDelay = Int((1.5 * rate).rounded())
        delay = Int((2.8 * rate).rounded())
        slopes = SlopeFilter(rate: rate)
        wave = PulseWave(rate: rate, seconds: 4.5)
        rising = PulseScale(rate: rate)
        falling = rising
        polarity = PulsePolarity(parameters.polarity)
        path = PulsePath(
            rate: rate, shortest: parameters.shortestInterval, longest: parameters.longestInterval)
        confidence = PulseConfidence(rate: rate)
    }

    /// Begins a run; what is known of the polarity stays.
    mutating func reset() {
        rising.reset()
        falling.reset()
        path.reset()
        confidence.reset()
        (newest, proposed, crest, isBroken) = (-1, 0, nil, true)
    }

    /// How many working samples must follow a run's last for all its pulses to be decided.
    var tail: Int { delay + slopes.delay + 2 }

    /// Takes the next working sample, of which the share `missing` is filled in.
    mutating func push(_ sample: Float, missing: Float) {
        if newest < 0 { slopes.reset(to: sample) }
        newest += 1
        let (plain, band) = slopes.push(sample)
        wave.put(missing: missing, at: newest)
        let center = newest - slopes.delay
        guard center >= 0 else { return }
        wave.put(plain: plain, band: band, at: center)
        let isRenewed = rising.push(band)
        if falling.push(-band) || isRenewed { turn() }
        guard newest >= delay else { return }
        polarity.settle()
        while proposed < newest - proposalDelay {
            proposed += 1
            propose(at: proposed)
        }
    }

    /// The next pulse that can be decided on by now.
    mutating func next() -> Found? {
        while let first = path.candidates.first, first.position <= Double(newest - delay) {
            if let decision = path.decide(horizon: Double(newest - proposalDelay)), let found = accept(decision) {
                return found
            }
        }
        return nil
    }

    /// Lets the polarity follow. Candidates of the other polarity are forgotten.
    private mutating func turn() {
        let before = polarity.sign
        polarity.push(rising: rising.value, falling: falling.value, confidence: confidence.context)
        guard polarity.sign != before else { return }
        path.reset()
        confidence.reset()
        (crest, isBroken) = (nil, true)
    }

    /// Makes a candidate of the working sample `center` if its slope is a local maximum that matters.
    private mutating func propose(at center: Int) {
        let sign = polarity.sign
        let here = sign * wave.band(center)
        let scale = sign > 0 ? rising.value : falling.value
        guard here > 0.08 * scale, scale > 0 else { return }
        let (before, after) = (sign * wave.band(center - 1), sign * wave.band(center + 1))
        guard here > before, here >= after else { return }
        let shift = Double(0.5 * (before - after) / (before - 2 * here + after))
        path.push(
            Upstroke(position: Double(center) + shift, logSlope: log(here), logRelative: log(here / scale)))
    }

    /// Measures a decided pulse; nil if it is too doubtful or too much of it is missing.
    private mutating func accept(_ decision: PulsePath.Decision) -> Found? {
        let position = decision.upstroke.position
        if let previous = decision.previous, position - previous.position > parameters.longestInterval * rate {
            isBroken = true
        }
        let shape = wave.shape(at: position, sign: polarity.sign, reach: 0.6)
        let confidence = confidence.judge(decision, in: wave, sign: polarity.sign)
        let own = min(0.35 * rate, shape.peak - position)
        let mean = crest ?? own
        let steady = mean + max(-0.03 * rate, min(0.03 * rate, own - mean)) / 64
        crest = steady
        guard confidence >= parameters.leastConfidence, wave.missing(from: shape.foot, to: shape.peak) <= 0.25 else {
            isBroken = true
            return nil
        }
        defer { isBroken = false }
        return Found(
            upstroke: position, shape: shape, crest: steady, confidence: confidence, followsBreak: isBroken)
    }
}
