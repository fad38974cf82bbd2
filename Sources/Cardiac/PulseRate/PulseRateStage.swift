public import Signals

/// Pulse waves and acceleration in, the heart rate of windows out: 8 s long, every 2 s, on the grid of multiples of 2 s
/// from the recording's start.
///
/// Each window rests on its own samples and on the windows before it; results do not depend on how the samples were cut
/// into chunks, as long as acceleration is never later than `patience`. Without acceleration the rate comes from the pulse
/// alone, and a rate that may be the rhythm of a movement is missing.
public struct PulseRateStage: Sendable {
    /// The seconds by which acceleration is needed beyond a window's end.
    public static let lead: Seconds = Double(PulseRateEvidence.lag + 1) / EvenSamples.rate

    private let parameters: PulseRateParameters
    private let listens: Bool
    private let patience: Seconds
    private let evidence = PulseRateEvidence()
    private var tracker = RateTracker()
    private var trust = RateTrust()
    private var pulses: [EvenSamples]
    private var acceleration: [EvenSamples]
    private var runs: [Run] = []
    private var next: Int?
    private var isOpen = false
    private var accelerationRun: Run?
    private var known = -Seconds.infinity
    private var factor: Double?
    private var axes = 0

    private struct Run {
        var start: SegmentStart
        var frames = 0
        var end: Seconds { start.onset(ofOffset: frames) }
    }

    private static let perStep = Int(PulseRateParameters.step * EvenSamples.rate)
    /// The seconds by which a window may start earlier than the first sample.
    private static let tolerance: Seconds = 0.5

    /// A stage for pulse waves of `channels` channels.
    /// - Parameters:
    ///   - listens: whether acceleration will come.
    ///   - patience: the timeout in seconds for the acceleration of a window.
    /// - Throws: `InvalidParameter` for the first parameter that has no meaning.
    public init(
        channels: Int, listens: Bool, parameters: PulseRateParameters = PulseRateParameters(), patience: Seconds = 120
    ) throws(InvalidParameter) {
        try parameters.validate()
        self.parameters = parameters
        self.listens = listens
        self.patience = patience
        pulses = Array(repeating: EvenSamples(), count: channels)
        acceleration = Array(repeating: EvenSamples(), count: 3)
    }

    /// A run of the pulse begins.
    public mutating func begin(_ segment: SegmentStart, into windows: inout [PulseRateWindow]) {
        isOpen = Self.isPlaceable(segment)
        guard isOpen else { return }
        runs.append(Run(start: segment))
        if next == nil { next = Self.firstNumber(from: segment.onset) }
        release(into: &windows)
    }

    /// The next samples of the run; `channels` are the places of the pulse waves in `block`.
    public mutating func push(_ block: SampleBlock, channels: [Int], into windows: inout [PulseRateWindow]) {
        guard isOpen, let run = runs.last else { return }
        for (place, channel) in channels.enumerated() where place < pulses.count {
            let samples = block.samples.span.extracting(block.range(ofChannel: channel))
            pulses[place].push(samples, of: run.start, from: run.frames)
        }
        runs[runs.count - 1].frames += block.frameCount
        release(into: &windows)
    }

    /// A run of acceleration begins.
    public mutating func beginAcceleration(_ segment: SegmentStart, into windows: inout [PulseRateWindow]) {
        guard Self.isPlaceable(segment) else {
            accelerationRun = nil
            return
        }
        accelerationRun = Run(start: segment)
        known = max(known, segment.onset)
        release(into: &windows)
    }

    /// The next samples of acceleration along three axes.
    /// - Parameter factor: the factor to g; nil where the unit is unknown: then their mean size is 1 g.
    public mutating func pushAcceleration(_ block: SampleBlock, factor: Double?, into windows: inout [PulseRateWindow])
    {
        guard let run = accelerationRun else { return }
        self.factor = factor
        for axis in 0..<min(3, block.channelCount) {
            let samples = block.samples.span.extracting(block.range(ofChannel: axis))
            acceleration[axis].push(samples, of: run.start, from: run.frames)
        }
        axes = min(3, block.channelCount)
        accelerationRun?.frames += block.frameCount
        known = max(known, accelerationRun?.end ?? known)
        let oldest = Self.number(at: known - patience - 2 * PulseRateParameters.window)
        for axis in acceleration.indices { acceleration[axis].forget(before: oldest) }
        release(into: &windows)
    }

    /// Nothing more will come.
    public mutating func finish(into windows: inout [PulseRateWindow]) {
        known = .infinity
        release(into: &windows)
    }

    /// The start of the first window of a pulse wave that begins at `onset`, in seconds from the recording's start.
    public static func firstWindow(from onset: Seconds) -> Seconds {
        Double(firstNumber(from: onset)) * PulseRateParameters.step
    }

    private static func firstNumber(from onset: Seconds) -> Int {
        let place = ((onset - tolerance) / PulseRateParameters.step).rounded(.up)
        return Int(max(-1e10, min(1e10, place)))
    }

    private static func isPlaceable(_ segment: SegmentStart) -> Bool {
        segment.onset.isFinite && abs(segment.onset) < 1e10 && segment.sampleRate >= EvenSamples.rate
            && segment.sampleRate <= 1e5
    }

    private static func number(at time: Seconds) -> Int { Int((max(time, -1e10) * EvenSamples.rate).rounded(.down)) }

    private mutating func release(into windows: inout [PulseRateWindow]) {
        guard var number = next else { return }
        while let step = windowStep(number) {
            switch step {
            case .gap(let count):
                windows.append(missing(number, count: count, .tooFewSamples))
                tracker.reset()
                trust.reset()
                number += count
            case .window:
                windows.append(window(number))
                number += 1
            }
            let oldest = number * Self.perStep - PulseRateEvidence.lag
            for channel in pulses.indices { pulses[channel].forget(before: oldest) }
        }
        next = number
    }

    private enum Step {
        case gap(Int)
        case window
    }

    /// The next step: a window, or several without samples as one; nil for nothing yet.
    private mutating func windowStep(_ number: Int) -> Step? {
        let (length, step) = (PulseRateParameters.window, PulseRateParameters.step)
        let (onset, end) = (Double(number) * step, Double(number) * step + length)
        while runs.count > 1, runs[0].end <= onset { runs.removeFirst() }
        guard let first = runs.first, let last = runs.last else { return nil }
        if first.start.onset >= end {
            return .gap(max(1, Int(((first.start.onset - length) / step).rounded(.down)) - number + 1))
        }
        let newest = max(last.end, last.start.onset)
        guard newest + 1e-6 >= end, first.end > onset else { return nil }
        guard !listens || known >= end + Self.lead || newest >= end + patience else { return nil }
        return .window
    }

    private mutating func window(_ number: Int) -> PulseRateWindow {
        let first = number * Self.perStep
        let waves = pulses.compactMap { $0.window(from: first, count: PulseRateEvidence.count)?.values }
        guard !waves.isEmpty else {
            tracker.skip()
            return missing(number, .tooFewSamples)
        }
        let finding = evidence.finding(pulses: waves, acceleration: acceleration(from: first))
        guard finding.channels > 0 else {
            tracker.skip()
            return missing(number, .flatSignal, movement: finding.movement)
        }
        let isHidden = tracker.isHidden(by: finding)
        let estimate = isHidden ? tracker.coast() : tracker.take(finding.left)
        let confidence = estimate.mass * min(1, 2 * estimate.support)
        var window = missing(number, isHidden ? .movementAtHeartRate : .uncertain, movement: finding.movement)
        window.confidence = confidence
        if finding.movement != nil {
            guard confidence >= parameters.minimumConfidence else { return window }
            trust.know(estimate.rate)
        } else {
            let (isHeart, isSure) = trust.take(
                estimate.rate, confidence: confidence, minimum: parameters.minimumConfidenceAlone)
            guard isHeart || !isSure || trust.isSeeking else {
                (window.missing, window.isMoving) = (.movementWithoutAcceleration, true)
                return window
            }
            guard isSure, isHeart else { return window }
        }
        (window.rate, window.missing) = (estimate.rate, nil)
        return window
    }

    /// The acceleration around a window in g, less a constant; nil where too much of it is missing.
    private func acceleration(from first: Int) -> [[Float]]? {
        guard listens, axes > 0 else { return nil }
        let (lag, count) = (PulseRateEvidence.lag, PulseRateEvidence.count)
        var found: [EvenSamples.Window] = []
        for axis in 0..<axes {
            guard let window = acceleration[axis].window(from: first - lag, count: count + 2 * lag) else { return nil }
            found.append(window)
        }
        let scale = Float(factor ?? 1 / max(Self.meanSize(found), 1e-12))
        return found.map { $0.values.map { $0 * scale } }
    }

    private static func meanSize(_ axes: [EvenSamples.Window]) -> Double {
        let count = axes[0].values.count
        return (0..<count).reduce(0) { sum, index in
            sum
                + axes.reduce(0) { power, axis in
                    let value = axis.reference + Double(axis.values[index])
                    return power + value * value
                }.squareRoot()
        } / Double(count)
    }

    private func missing(
        _ number: Int, count: Int = 1, _ reason: PulseRateMissing, movement: Double? = nil
    ) -> PulseRateWindow {
        PulseRateWindow(
            onset: Double(number) * PulseRateParameters.step,
            duration: PulseRateParameters.window + Double(count - 1) * PulseRateParameters.step, rate: nil,
            confidence: 0, movement: movement, isMoving: movement.map { $0 >= parameters.movement } ?? false,
            missing: reason)
    }
}
