import Foundation

/// Chooses the pulses among the candidates: the sequence that best agrees with strength, rhythm and the order of
/// systolic and dicrotic waves, found by dynamic programming over the candidates within the look-ahead.
struct PulsePath {
    /// The last decided pulse.
    private(set) var anchor: Upstroke?
    /// Undecided candidates in order of time.
    private(set) var candidates: [Upstroke] = []
    private let rate: Double
    private let shortest: Float
    private let longest: Float

    /// What was decided about the oldest candidate.
    struct Decision {
        var upstroke: Upstroke
        /// The decided pulse before it and the likeliest pulse after it.
        var previous: Upstroke?
        var next: Upstroke?
    }

    init(rate: Double, shortest: Double, longest: Double) {
        self.rate = rate
        self.shortest = Float(shortest)
        self.longest = Float(longest)
        candidates.reserveCapacity(64)
    }

    /// Forgets the run so far.
    mutating func reset() {
        anchor = nil
        candidates.removeAll(keepingCapacity: true)
    }

    /// Takes the next candidate. Of two that lie closer than 0.15 s the steeper stays.
    mutating func push(_ upstroke: Upstroke) {
        if let last = candidates.last, upstroke.position - last.position < 0.15 * rate {
            if upstroke.slope > last.slope { candidates[candidates.count - 1] = upstroke }
            return
        }
        if candidates.count < 64 { candidates.append(upstroke) }
    }

    /// Decides about the oldest candidate, knowing all candidates up to `horizon`: returns it if it is a pulse.
    mutating func decide(horizon: Double) -> Decision? {
        for j in candidates.indices { link(j) }
        guard var end = bestEnd(horizon) else { return nil }
        var next = -1
        while candidates[end].previous >= 0 {
            next = end
            end = candidates[end].previous
        }
        let first = candidates.removeFirst()
        guard end == 0 else { return nil }
        let decision = Decision(upstroke: first, previous: anchor, next: next > 0 ? candidates[next - 1] : nil)
        anchor = first
        anchor?.score = 0
        return decision
    }

    private mutating func link(_ j: Int) {
        var node = candidates[j]
        let own = node.logOdds
        if let anchor {
            let (cost, period, intervals) = step(from: anchor, to: node)
            (node.score, node.previous, node.period, node.intervals) = (own - cost, -1, period, intervals)
        } else {
            (node.score, node.previous, node.period, node.intervals) = (own, -1, 0.8, 0)
        }
        for i in 0..<j where candidates[i].score > -1e6 {
            let (cost, period, intervals) = step(from: candidates[i], to: node)
            let score = candidates[i].score + own - cost
            if score > node.score { (node.score, node.previous, node.period, node.intervals) = (score, i, period, intervals) }
        }
        candidates[j] = node
    }

    private func bestEnd(_ horizon: Double) -> Int? {
        var best: (score: Float, index: Int)?
        for j in candidates.indices {
            let waited = Float((horizon - candidates[j].position) / rate)
            let overdue = max(0, 2 * (waited - candidates[j].period) / (waited + candidates[j].period))
            let score = candidates[j].score - min(1.5, overdue * overdue / (2 * 0.3 * 0.3))
            if score > best?.score ?? -.infinity { best = (score, j) }
        }
        return best?.index
    }

    /// What it costs to go from one pulse to the next, and the running mean interval after it.
    private func step(from a: Upstroke, to b: Upstroke) -> (cost: Float, period: Float, intervals: Int) {
        let interval = Float((b.position - a.position) / rate)
        if interval < shortest { return (1e9, a.period, a.intervals) }
        if interval > longest { return (3, a.period, 0) }
        let deviation = 2 * (interval - a.period) / (interval + a.period)
        let spread: Float = a.intervals == 0 ? 0.6 : 0.3
        var cost = min(1.5, deviation * deviation / (2 * spread * spread))
        let ratio = b.slope / a.slope
        if ratio < 0.7, interval < max(0.5, 0.6 * a.period) { cost += 2 * log(0.7 / ratio) }
        let gain: Float = a.intervals == 0 ? 1 : 0.3
        let limit = a.intervals == 0 ? 2 : 0.3 * a.period
        return (cost - 0.6, a.period + gain * min(limit, max(-limit, interval - a.period)), a.intervals + 1)
    }
}
