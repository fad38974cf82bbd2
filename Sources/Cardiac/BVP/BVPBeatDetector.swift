public import Signals
import Foundation

/// A streaming detector of pulse beats in blood volume pulse (photoplethysmogram), 20…1,000 Hz.
public struct BVPBeatDetector: BeatDetector {
    private let parameters: BVPParameters
    private let rate: Double
    private let creationDelay: Int
    private let decisionDelay: Int
    private var decimator: PulseDecimator
    private var slopes: SlopeFilter
    private var rising: PulseScale
    private var falling: PulseScale
    private var polarity: PulsePolarity
    private var proposed = 0
    private var path: PulsePath
    private var plain: [Float]
    private var band: [Float]
    private let mask: Int

    private var run: SegmentStart?
    private var taken = 0
    private var reference: Float = 0
    private var hasReference = false
    private var lastSample: Float = 0
    private var missing = 0
    private let longestDropout: Int
    private var working = 0
    private var followsBreak = true
    private var lastOffset = -1.0
    private var runFirst = 0

    public var lookAhead: Seconds { 3 }

    public init(sampleRate: Double, parameters: BVPParameters = BVPParameters()) {
        self.parameters = parameters
        decimator = PulseDecimator(sampleRate: sampleRate)
        rate = sampleRate / Double(decimator.factor)
        slopes = SlopeFilter(rate: rate)
        rising = PulseScale(rate: rate)
        falling = rising
        polarity = PulsePolarity(parameters.polarity)
        path = PulsePath(rate: rate, shortest: parameters.shortestInterval, longest: parameters.longestInterval)
        creationDelay = Int((1.5 * rate).rounded())
        decisionDelay = Int((2.8 * rate).rounded())
        var capacity = 64
        while capacity < Int(5 * rate) { capacity *= 2 }
        mask = capacity - 1
        plain = [Float](repeating: 0, count: capacity)
        band = plain
        longestDropout = Int(parameters.longestDropout * sampleRate)
    }

    public mutating func begin(_ segment: SegmentStart, into outputs: inout [Beat]) {
        endRun(into: &outputs)
        run = segment
        taken = 0
        followsBreak = true
    }

    public mutating func push(_ chunk: Span<Float>, into outputs: inout [Beat]) {
        for index in chunk.indices { take(chunk[index], into: &outputs) }
    }

    public mutating func finish(into outputs: inout [Beat]) {
        endRun(into: &outputs)
    }

    @inline(__always)
    private mutating func take(_ sample: Float, into outputs: inout [Beat]) {
        taken += 1
        guard abs(sample) < 1e30 else {
            missing += 1
            if missing > longestDropout && hasReference {
                endRun(into: &outputs)
                followsBreak = true
            }
            return
        }
        if !hasReference { startRun(sample) }
        let level = sample - reference
        if missing > 0 {
            for k in 0..<missing {
                feed(lastSample + (level - lastSample) * Float(k + 1) / Float(missing + 1), into: &outputs)
            }
            missing = 0
        }
        lastSample = level
        feed(level, into: &outputs)
    }

    private mutating func startRun(_ sample: Float) {
        reference = sample
        hasReference = true
        runFirst = taken - 1
        lastSample = 0
        missing = 0
        working = 0
        decimator.reset()
        rising.reset()
        falling.reset()
        proposed = 1
        path.reset()
        lastOffset = -1
    }

    private mutating func endRun(into outputs: inout [Beat]) {
        guard hasReference else { missing = 0; return }
        let end = taken - missing
        missing = 0
        let length = end - runFirst
        for _ in 0..<(decisionDelay + slopes.delay + 2) * decimator.factor { feed(lastSample, into: &outputs, end: length) }
        hasReference = false
    }

    @inline(__always)
    private mutating func feed(_ level: Float, into outputs: inout [Beat], end: Int = .max) {
        if let sample = decimator.push(level) { advance(sample, into: &outputs, end: end) }
    }

    private mutating func advance(_ sample: Float, into outputs: inout [Beat], end: Int) {
        if working == 0 { slopes.reset(to: sample) }
        let (plainSlope, bandSlope) = slopes.push(sample)
        let newest = working
        working += 1
        let center = newest - slopes.delay
        if center >= 0 {
            plain[center & mask] = plainSlope
            band[center & mask] = bandSlope
            rising.push(bandSlope)
            if falling.push(-bandSlope) { turn() }
        }
        guard newest >= decisionDelay else { return }
        polarity.settle()
        while proposed <= newest - creationDelay {
            propose(at: proposed)
            proposed += 1
        }
        while let first = path.candidates.first, first.position <= Double(newest - decisionDelay) {
            guard let decision = path.decide(horizon: Double(newest - creationDelay)) else { continue }
            report(decision, into: &outputs, end: end)
        }
    }

    private mutating func propose(at center: Int) {
        let sign = polarity.sign
        let (before, here, after) = (
            sign * band[(center - 1) & mask], sign * band[center & mask], sign * band[(center + 1) & mask]
        )
        let reference = sign > 0 ? rising.value : falling.value
        guard here > before, here >= after, here > 0.08 * reference, reference > 0 else { return }
        let shift = 0.5 * (before - after) / (before - 2 * here + after)
        let relative = here / reference
        path.push(
            Upstroke(
                position: Double(center) + Double(shift), slope: here, relative: relative,
                logOdds: max(-4, min(2.5, 2.5 * log(relative / 0.35)))))
    }

    /// Lets the polarity follow; pulses seen the other way up are forgotten.
    private mutating func turn() {
        let before = polarity.sign
        polarity.push(rising: rising.value, falling: falling.value)
        guard polarity.sign != before else { return }
        path.reset()
        followsBreak = true
    }

    private mutating func report(_ decision: PulsePath.Decision, into outputs: inout [Beat], end: Int) {
        let upstroke = decision.upstroke
        if let previous = decision.previous, (upstroke.position - previous.position) / rate > parameters.longestInterval {
            followsBreak = true
        }
        let moment: Double
        switch parameters.fiducial {
        case .upstroke: moment = upstroke.position
        case .systolicPeak: moment = crossing(from: upstroke.position, step: 1)
        case .pulseOnset: moment = crossing(from: upstroke.position, step: -1)
        }
        let offset = (moment + 1) * Double(decimator.factor) - 1
        guard let run, offset > lastOffset, offset >= 0, offset <= Double(end - 1) else { followsBreak = true; return }
        lastOffset = offset
        let place = Double(runFirst) + offset
        outputs.append(
            Beat(
                onset: run.onset + place / run.sampleRate, sample: run.sample + Int(place.rounded()),
                confidence: min(1, upstroke.relative), followsBreak: followsBreak))
        followsBreak = false
    }

    /// Where the plain slope next crosses zero from `position` on.
    private func crossing(from position: Double, step: Int) -> Double {
        var k = Int(position.rounded())
        let reach = Int(0.6 * rate)
        for _ in 0..<reach {
            let (here, next) = (polarity.sign * plain[k & mask], polarity.sign * plain[(k + step) & mask])
            if here > 0 && next <= 0 { return Double(k) + Double(step) * Double(here / (here - next)) }
            k += step
        }
        return position
    }
}
