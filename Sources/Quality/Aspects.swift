import Signals

/// How good each aspect of a window is, 0…1; below 0.5 it is a reason not to use the window.
struct Aspects: Sendable {
    /// The worst aspect.
    private(set) var worst = 1.0
    /// Whether all aspects are good but those that compare the size of beats with what it was.
    private(set) var isGoodBySize = true
    private var named: [QualityReason] = []
    private var caveat: QualityReason?

    /// Adds an aspect.
    mutating func add(_ reason: QualityReason, _ score: Double) {
        let score = score.isNaN ? 0 : min(max(score, 0), 1)
        worst = min(worst, score)
        guard score < 0.5 else { return }
        if reason != .lowPerfusion, reason != .motion { isGoodBySize = false }
        if !named.contains(reason) { named.append(reason) }
    }

    /// Lowers the quality without a reason, or for one that is told of what may be used.
    mutating func limit(_ quality: Double, because reason: QualityReason? = nil) {
        worst = min(worst, quality)
        caveat = reason ?? caveat
    }

    func window(onset: Seconds, duration: Seconds, coverage: Double) -> QualityWindow {
        var window = QualityWindow(
            onset: onset, duration: duration, coverage: coverage, quality: min(worst, coverage))
        let caveat = window.isGood ? caveat : nil
        if !named.isEmpty || coverage < 0.95 || caveat != nil {
            window.reasons = QualityReason.allCases.filter {
                $0 == .gap && coverage < 0.95 || named.contains($0) || $0 == caveat
            }
        }
        return window
    }

    /// A score that is 0.5 at `limit`, 1 at `good` and falls on towards 0 beyond the limit; either may be the larger.
    static func score(_ value: Double, good: Double, limit: Double) -> Double {
        let position = (value - good) / (limit - good)
        return position <= 1 ? 1 - 0.5 * max(position, 0) : 0.5 / position
    }
}

/// The aspects of an ECG.
enum ECGAspects {
    static func judge(_ m: SignalMeasures) -> Aspects {
        var aspects = Aspects()
        aspects.add(.gap, m.coverage)
        guard m.coverage > 0 else { return aspects }
        aspects.add(.flat, Aspects.score(m.flat, good: 0, limit: 0.1))
        aspects.add(.flat, Aspects.score(m.still, good: 0.5, limit: 0.75))
        aspects.add(.saturated, Aspects.score(m.clipped, good: 0, limit: 0.012))
        // The same at 70 beats a minute.
        aspects.add(.saturated, Aspects.score(m.clippedPerBeat, good: 0, limit: 0.0103))
        let isHum = m.mains > m.fast && m.mains > 0.03
        // Hum that is smaller moves no R peak (RPeak).
        aspects.add(.mains, Aspects.score(m.mains, good: 0.1, limit: 0.5))
        if !isHum { aspects.add(.noise, Aspects.score(m.fast, good: 0.05, limit: 0.3)) }
        // A ventricular beat far larger than the others moves the level as well. What looks like one where the beats are in
        // doubt may be an electrode that moves.
        let areSure = m.agreement > 0.95 && m.alike * (1 - m.sizeSpread) > 0.6
        let tallest = areSure ? m.tallest : 1
        aspects.add(
            .baselineWander, Aspects.score(m.drift, good: max(2, 0.7 * tallest), limit: max(7, 1.2 * tallest)))
        aspects.add(.electrodePop, Aspects.score(areSure ? m.pop : m.jump, good: 1.2, limit: 2.4))
        // Steps look like beats to a detector, but seldom like one another; a tall T wave moves the level at every beat.
        if m.alike * (1 - m.sizeSpread) < 0.7 {
            aspects.add(.baselineWander, Aspects.score(m.restless, good: 0.4, limit: 0.9))
        }
        // An electrode that hangs free hums and drifts where beats were expected: none would have been seen.
        if m.pause == 0 || m.pause > 2 {
            aspects.add(.mains, Aspects.score(m.silentMains, good: 0.1, limit: 0.3))
            aspects.add(.baselineWander, Aspects.score(m.silentDrift, good: 0.8, limit: 1.5))
        }
        guard m.beats > 0 else {
            aspects.add(.noBeats, 0)
            // Shares of the signal's whole range here.
            if m.fast > 0.04, !isHum { aspects.add(.noise, 0) }
            if m.mains > 0.1 { aspects.add(.mains, 0) }
            return aspects
        }
        // What hides the beats is named after what there is most of: fast noise would be seen at full rate too.
        // The waves of a fast heart fill the time between its beats; what both detectors find, all of one form, is not hidden.
        let isPlain = m.agreement > 0.95 && m.alike * (1 - m.sizeSpread) > 0.8
        let hidden = Aspects.score(m.prominence, good: 25, limit: isPlain ? 4 : 6)
        let isSlow = (m.drift > 2 && m.fast < 0.1) || m.fast < 0.15 * m.background
        aspects.add(isSlow ? .baselineWander : isHum ? .mains : .noise, hidden)
        aspects.add(.lowTemplateCorrelation, Aspects.score(m.alike * (1 - m.sizeSpread), good: 0.8, limit: 0.4))
        // Doubts add up: some of each is as bad as much of one.
        // A level that moves at every beat is a tall T wave's in a steady rhythm, and electrodes' that move in none.
        let unsteady = max(0, m.restless - 0.4) * min(max(2.5 * (m.pause - 1.4), 0), 1)
        let doubt = 3 * (1 - m.agreement) + 0.5 * (1 - m.alike) + m.sizeSpread + unsteady
        aspects.add(.lowTemplateCorrelation, Aspects.score(doubt, good: 0.2, limit: 0.55))
        aspects.add(.detectorsDisagree, Aspects.score(m.agreement, good: 1, limit: 0.9))
        aspects.add(.noBeats, Aspects.score(m.longestInterval ?? .infinity, good: 2, limit: 4.5))
        // A pause of several beats: they were not seen, or did not happen; the signal does not tell.
        aspects.add(.noBeats, Aspects.score(m.pause, good: 2.5, limit: 4))
        aspects.add(.implausibleRate, Aspects.score(m.shortIntervals, good: 0, limit: 0.25))
        return aspects
    }
}

/// The aspects of a blood volume pulse.
enum BVPAspects {
    static func judge(_ m: SignalMeasures) -> Aspects {
        var aspects = Aspects()
        aspects.add(.gap, m.coverage)
        guard m.coverage > 0 else { return aspects }
        aspects.add(.flat, Aspects.score(m.flat, good: 0, limit: 0.1))
        aspects.add(.flat, Aspects.score(m.still, good: 0.5, limit: 0.75))
        aspects.add(.saturated, Aspects.score(m.clipped, good: 0, limit: 0.04))
        aspects.add(.noise, Aspects.score(m.fast, good: 0.03, limit: 0.15))
        // A pulse's own harmonics at the mains' place, folded down or not, are far weaker.
        aspects.add(.mains, Aspects.score(m.mains, good: 0.15, limit: 0.25))
        guard m.beats > 0 else {
            aspects.add(.noBeats, 0)
            return aspects
        }
        aspects.add(.motion, Aspects.score(m.sway, good: 2, limit: 4.5))
        // The light that a clean pulse rides on may wander by many pulses.
        let isClean = m.alike * (1 - m.sizeSpread) > 0.8 && m.agreement > 0.95
        if !isClean { aspects.add(.motion, Aspects.score(m.drift, good: 2, limit: 4.5)) }
        aspects.add(.motion, Aspects.score(m.sizeSpread, good: 0.15, limit: 0.45))
        aspects.add(.lowTemplateCorrelation, Aspects.score(m.alike * (1 - m.sizeSpread), good: 0.8, limit: 0.4))
        aspects.add(.detectorsDisagree, Aspects.score(m.agreement, good: 1, limit: 0.8))
        // Doubts add up, as in an ECG; beats that do not come are one.
        let doubt =
            2 * (1 - m.agreement) + 0.5 * (1 - m.alike) + m.sizeSpread + 0.3 * min(max(m.pause - 1.3, 0), 1)
        aspects.add(.lowTemplateCorrelation, Aspects.score(doubt, good: 0.3, limit: 0.65))
        // Arm swing has a pulse's form but not its size; the more doubtful the beats are, the less growth is believed.
        aspects.add(.motion, Aspects.score(m.perfusion, good: 1.5, limit: 2.2 - min(doubt, 0.6)))
        aspects.add(.lowPerfusion, Aspects.score(m.perfusion, good: 0.5, limit: 0.15))
        aspects.add(.noBeats, Aspects.score(m.longestInterval ?? .infinity, good: 2, limit: 4.5))
        aspects.add(.noBeats, Aspects.score(m.pause, good: 2.5, limit: 4))
        aspects.add(.implausibleRate, Aspects.score(m.shortIntervals, good: 0, limit: 0.25))
        return aspects
    }
}
