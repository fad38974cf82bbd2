import Kernels
public import Signals

/// A heart beat of a simulation, at the moment of its R peak.
public struct SimulatedBeat: Hashable, Codable, Sendable {
    /// Seconds from the recording's start, exact.
    public var onset: Seconds
    /// Where it came from.
    public var kind: Kind
    /// Seconds since the beat before it.
    public var interval: Seconds
    /// Whether an atrial wave went before it: not in ventricular beats, nor in atrial fibrillation.
    public var hasPWave: Bool

    /// Origins of a beat, named as ANSI/AAMI EC57's classes are.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case normal, supraventricular, ventricular
    }
}

/// Premature beats of one origin.
public struct Ectopy: Hashable, Codable, Sendable {
    /// How many are expected per hour.
    public var perHour: Double
    /// When they come, as a fraction of the sinus interval after the beat before.
    public var coupling: Double
    /// Whether the sinus node runs on undisturbed, so that the pause after the ectopic beat is fully compensatory;
    /// otherwise the ectopic beat resets it.
    public var hasCompensatoryPause: Bool

    /// `perHour` premature beats at `coupling` of the interval.
    public init(perHour: Double, coupling: Double, hasCompensatoryPause: Bool) {
        self.perHour = perHour
        self.coupling = coupling
        self.hasCompensatoryPause = hasCompensatoryPause
    }
}

/// A stretch in which the rhythm is not the sinus rhythm of the rest.
public struct RhythmEpisode: Hashable, Codable, Sendable {
    /// Seconds from the recording's start.
    public var onset: Seconds
    /// Seconds it lasts.
    public var duration: Seconds
    /// What the heart does meanwhile.
    public var kind: Kind

    /// An episode from `onset` on.
    public init(onset: Seconds, duration: Seconds, kind: Kind) {
        self.onset = onset
        self.duration = duration
        self.kind = kind
    }

    /// Kinds of rhythm.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Independent, log-normal intervals (coefficient of variation about 0.22), no P waves, fibrillatory waves.
        case atrialFibrillation
        /// No beat at all.
        case asystole
        /// Every second beat is ventricular.
        case bigeminy
    }

    func contains(_ time: Seconds) -> Bool { time >= onset && time < onset + duration }
}

/// The rhythm of a simulated heart.
public struct HeartRhythmParameters: Hashable, Codable, Sendable {
    /// Heart rate, in beats per minute, of the mean sinus interval; 20…240.
    public var meanRate: Double = 70
    /// How the sinus interval varies.
    public var variability = HeartRateVariability()
    /// Supraventricular premature beats; none by default.
    public var supraventricular = Ectopy(perHour: 0, coupling: 0.7, hasCompensatoryPause: false)
    /// Ventricular premature beats; none by default.
    public var ventricular = Ectopy(perHour: 0, coupling: 0.65, hasCompensatoryPause: true)
    /// Stretches of another rhythm; none by default.
    public var episodes: [RhythmEpisode] = []

    /// Sinus rhythm at 70 bpm without ectopic beats.
    public init() {}
}

/// Makes the beats of a simulated heart, one after the other, without end.
///
/// The interval that ends with a sinus beat at time t is exactly 60/`meanRate` plus the modulation at t, so that the
/// RR series, taken at the times of the later beats, has the powers asked for.
public struct HeartRhythm: Sendable, Sequence, IteratorProtocol {
    private let parameters: HeartRhythmParameters
    private let modulation: RRModulation
    private var random: RandomSource
    /// When the sinus node last fired, conducted or not.
    private var sinus: Seconds
    private var last: Seconds = 0
    private var lastKind = SimulatedBeat.Kind.normal

    /// The rhythm that belongs to `seed`.
    public init(_ parameters: HeartRhythmParameters, seed: UInt64) {
        self.parameters = parameters
        var random = RandomSource(seed: seed, "variability")
        modulation = RRModulation(parameters.variability, random: &random)
        self.random = RandomSource(seed: seed, "rhythm")
        sinus = 0.4 - 60 / parameters.meanRate
        last = sinus
    }

    /// The next beat; there always is one.
    public mutating func next() -> SimulatedBeat? {
        if let pause = pauseAhead() {
            sinus = Swift.max(sinus, pause.onset + pause.duration)
            return emit(sinus + 0.2, .normal, movesSinus: true)
        }
        let episode = parameters.episodes.first { $0.contains(sinus) }?.kind
        if episode == .atrialFibrillation {
            let interval = 60 / parameters.meanRate * 0.85 * Elementary.exp(0.22 * random.gaussian())
            return emit(last + clamped(interval), .normal, movesSinus: true, hasPWave: false)
        }
        let jitter = parameters.variability.jitter == 0 ? 0 : random.gaussian() * parameters.variability.jitter / 1_000
        let due = nextSinus(jitter: jitter)
        let chance = random.uniform()
        if lastKind == .normal, let ectopic = ectopic(chance, interval: due - sinus, episode) {
            let moment = sinus + Swift.max(0.25, (due - sinus) * ectopic.ectopy.coupling)
            // The sinus node fires meanwhile, unseen, or is reset by the ectopic beat.
            if ectopic.ectopy.hasCompensatoryPause { sinus = due }
            return emit(moment, ectopic.kind, movesSinus: !ectopic.ectopy.hasCompensatoryPause)
        }
        return emit(due, .normal, movesSinus: true)
    }

    private func pauseAhead() -> RhythmEpisode? {
        guard parameters.episodes.contains(where: { $0.kind == .asystole }) else { return nil }
        let due = nextSinus(jitter: 0)
        return parameters.episodes.first { $0.kind == .asystole && $0.contains(due) }
    }

    private func ectopic(
        _ chance: Double, interval: Seconds, _ episode: RhythmEpisode.Kind?
    ) -> (kind: SimulatedBeat.Kind, ectopy: Ectopy)? {
        if episode == .bigeminy { return (.ventricular, parameters.ventricular) }
        let ventricular = parameters.ventricular.perHour * interval / 3_600
        if chance < ventricular { return (.ventricular, parameters.ventricular) }
        let supraventricular = parameters.supraventricular.perHour * interval / 3_600
        return chance < ventricular + supraventricular ? (.supraventricular, parameters.supraventricular) : nil
    }

    private mutating func emit(
        _ onset: Seconds, _ kind: SimulatedBeat.Kind, movesSinus: Bool, hasPWave: Bool = true
    ) -> SimulatedBeat {
        let moment = Swift.max(onset, last + 0.2)
        let beat = SimulatedBeat(
            onset: moment, kind: kind, interval: moment - last, hasPWave: hasPWave && kind != .ventricular)
        if movesSinus { sinus = moment }
        last = moment
        lastKind = kind
        return beat
    }

    private func clamped(_ interval: Seconds) -> Seconds { Swift.min(Swift.max(interval, 0.25), 4) }

    /// Solves t = sinus + mean + modulation(t) by Steffensen's iteration.
    private func nextSinus(jitter: Double) -> Seconds {
        let mean = 60 / parameters.meanRate + jitter
        func step(_ time: Seconds) -> Seconds { sinus + clamped(mean + modulation.value(at: time)) }
        var time = step(sinus + mean)
        for _ in 0..<6 {
            let once = step(time)
            if abs(once - time) < 1e-12 { return once }
            let twice = step(once)
            let slope = (twice - once) / (once - time)
            time = abs(slope) < 0.9 ? once + (twice - once) / (1 - slope) : twice
        }
        return time
    }
}
