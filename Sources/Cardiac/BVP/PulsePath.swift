/// Chooses the pulses among the candidates: the sequence that best agrees with strength, rhythm and the order of
/// systolic and dicrotic waves, found by dynamic programming over the candidates within the look-ahead.
///
/// Costs and gains are in units of log-likelihood. A candidate gains by its slope against the local scale. An interval
/// costs by its distance from the sequence's running mean, up to a bound that lets an irregular rhythm through; a
/// wave that follows a steeper one within 0.5 s, the time of the dicrotic wave, costs by how much weaker it is.
struct PulsePath {
    /// Undecided candidates in order of time.
    private(set) var candidates: [Upstroke] = []
    /// The last decided pulse.
    private var anchor: Upstroke?
    /// Logarithm of the steepest slope rejected since.
    private var rejected: Float = -.infinity
    private let rate: Double
    private let shortest: Float
    private let longest: Float
    private static let capacity = 64

    /// A pulse that has been decided on, with its neighbours.
    struct Decision {
        var upstroke: Upstroke
        var previous: Upstroke?
        var next: Upstroke?
        /// Logarithm of the steepest slope rejected between the neighbours.
        var rejected: Float
    }

    /// A path at `rate` Hz with intervals from `shortest` to `longest` seconds.
    init(rate: Double, shortest: Double, longest: Double) {
        self.rate = rate
        self.shortest = Float(shortest)
        self.longest = Float(longest)
        candidates.reserveCapacity(Self.capacity)
    }

    /// Forgets the run so far.
    mutating func reset() {
        anchor = nil
        rejected = -.infinity
        candidates.removeAll(keepingCapacity: true)
    }

    /// Takes the next candidate. Of two closer than 0.15 s the steeper stays.
    mutating func push(_ upstroke: Upstroke) {
        if let last = candidates.last, upstroke.position - last.position < 0.15 * rate {
            if upstroke.logSlope > last.logSlope { candidates[candidates.count - 1] = upstroke }
        } else if candidates.count < Self.capacity {
            candidates.append(upstroke)
        }
    }

    /// Decides about the oldest candidate, knowing all candidates up to `horizon`: returns it if it is a pulse.
    mutating func decide(horizon: Double) -> Decision? {
        for j in candidates.indices { link(j) }
        guard var first = bestEnd(horizon) else { return nil }
        var second = -1
        while candidates[first].previous >= 0 { (second, first) = (first, candidates[first].previous) }
        let upstroke = candidates[0]
        guard first == 0 else {
            rejected = max(rejected, upstroke.logSlope)
            candidates.removeFirst()
            return nil
        }
        for k in 1..<max(1, second) { rejected = max(rejected, candidates[k].logSlope) }
        let decision = Decision(
            upstroke: upstroke, previous: anchor, next: second > 0 ? candidates[second] : nil, rejected: rejected)
        candidates.removeFirst()
        anchor = upstroke
        anchor?.score = 0
        rejected = -.infinity
        return decision
    }

    /// Finds the best sequence that ends with candidate `j`.
    private mutating func link(_ j: Int) {
        var node = candidates[j]
        let gain = node.logOdds
        (node.score, node.previous, node.period, node.intervals) = (gain, -1, 0.8, 0)
        if let anchor {
            let step = step(from: anchor, to: node)
            (node.score, node.period, node.intervals) = (gain - step.cost, step.period, step.intervals)
        }
        for i in 0..<j {
            let step = step(from: candidates[i], to: node)
            let score = candidates[i].score + gain - step.cost
            guard score > node.score else { continue }
            (node.score, node.previous, node.period, node.intervals) = (score, i, step.period, step.intervals)
        }
        candidates[j] = node
    }

    /// The candidate that ends the best sequence; one that has waited too long for its successor pays for it.
    private func bestEnd(_ horizon: Double) -> Int? {
        var best: (score: Float, index: Int)?
        for j in candidates.indices {
            let (waited, period) = (Float((horizon - candidates[j].position) / rate), candidates[j].period)
            let overdue = max(0, 2 * (waited - period) / (waited + period))
            let score = candidates[j].score - min(1, overdue * overdue / (2 * 0.5 * 0.5))
            if score > best?.score ?? -.infinity { best = (score, j) }
        }
        return best?.index
    }

    /// What it costs to go from one pulse to the next, and the running mean interval after it.
    @inline(__always)
    private func step(from a: Upstroke, to b: Upstroke) -> (cost: Float, period: Float, intervals: Int) {
        let interval = Float((b.position - a.position) / rate)
        if interval < shortest { return (1e9, a.period, a.intervals) }
        if interval > longest { return (3, a.period, 0) }
        let isFirst = a.intervals == 0
        // 2 (x - y) / (x + y) is close to ln(x / y) in the range that matters.
        let deviation = 2 * (interval - a.period) / (interval + a.period)
        let spread: Float = isFirst ? 0.6 : 0.3
        let weakness = max(0, a.logSlope - b.logSlope - 0.105)
        let bound = interval < a.period ? 1.5 + 2 * weakness : 1.5
        var cost = min(bound, deviation * deviation / (2 * spread * spread)) - 0.6
        cost += 4 * weakness * max(0, min(1, (0.5 - interval) / 0.12))
        let change = interval - a.period
        let period = isFirst ? interval : a.period + 0.3 * min(0.6 * a.period, max(-0.3 * a.period, change))
        return (cost, period, a.intervals + 1)
    }
}
