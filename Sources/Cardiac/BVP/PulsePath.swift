/// Chooses the pulses among the candidates: the sequence that best agrees with strength, rhythm and the order of
/// systolic and dicrotic waves, found by dynamic programming over the candidates within the look-ahead.
///
/// Costs and gains are in units of log-likelihood. A candidate gains by its slope against the local scale. An interval
/// costs by its distance from the sequence's running mean, up to a bound that lets an irregular rhythm through and less
/// while that mean is young, for the first intervals may have spanned a pulse; a wave that follows a steeper one within
/// 0.5 s, the time of the dicrotic wave, costs by how much weaker it is.
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
        var upstroke = upstroke
        for index in candidates.indices.reversed() {
            guard upstroke.position - candidates[index].position < 0.5 * rate else { break }
            upstroke.suspicion = max(upstroke.suspicion, suspicion(of: upstroke, after: candidates[index]))
        }
        if let anchor { upstroke.suspicion = max(upstroke.suspicion, suspicion(of: upstroke, after: anchor)) }
        if let last = candidates.last, upstroke.position - last.position < 0.15 * rate {
            if upstroke.logSlope > last.logSlope { candidates[candidates.count - 1] = upstroke }
        } else if candidates.count < Self.capacity {
            candidates.append(upstroke)
        }
    }

    /// Decides about the oldest candidate, knowing all candidates up to `horizon`: returns it if it is a pulse.
    mutating func decide(horizon: Double) -> Decision? {
        guard !candidates.isEmpty else { return nil }
        for j in candidates.indices { link(j) }
        var first = bestEnd(horizon)
        var second = -1
        while first >= 0, candidates[first].previous >= 0 { (second, first) = (first, candidates[first].previous) }
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
        let node = candidates[j]
        let gain = node.logOdds - node.suspicion
        var best = node
        (best.score, best.previous, best.period, best.interval, best.intervals) = (gain, -1, 0.8, 0, 0)
        if let anchor {
            best = step(from: anchor, to: node)
            best.score += gain
        }
        for i in 0..<j {
            var linked = step(from: candidates[i], to: node)
            linked.score += gain
            linked.previous = i
            if linked.score > best.score { best = linked }
        }
        candidates[j] = best
    }

    /// The candidate that ends the best sequence, -1 if none is better than no further pulse.
    private func bestEnd(_ horizon: Double) -> Int {
        var best = (score: anchor.map { $0.score - overdue($0, horizon) } ?? 0, index: -1)
        for j in candidates.indices {
            let score = candidates[j].score - overdue(candidates[j], horizon)
            if score > best.score { best = (score, j) }
        }
        return best.index
    }

    /// What it costs that no pulse has followed `last` up to `horizon`.
    private func overdue(_ last: Upstroke, _ horizon: Double) -> Float {
        let waited = Float((horizon - last.position) / rate)
        let late = max(0, 2 * (waited - last.period) / (waited + last.period))
        return min(1, 2 * late * late)
    }

    /// The costs of a wave that has all marks of a dicrotic one after a pulse, and of one whose crest is far below that of any
    /// wave shortly before.
    private static let (dicrotic, low): (Float, Float) = (3, 2)

    /// The share, 0…1, to which an interval in seconds is that of the dicrotic wave.
    private static func isEarly(_ interval: Float) -> Float { max(0, min(1, (0.5 - interval) / 0.12)) }

    /// The drop from the crest of `a` to that of `b`, as share of the rise of `a`.
    private func drop(from a: Upstroke, to b: Upstroke) -> Float { (a.crest - b.crest) / max(a.rise, 1e-37) }

    /// The log-odds by which an earlier wave makes `b` a dicrotic one: the crest of `b` is lower by more than half of the rise
    /// of `a`, which is about as steep at least.
    private func suspicion(of b: Upstroke, after a: Upstroke) -> Float {
        let isEarly = Self.isEarly(Float((b.position - a.position) / rate))
        let isLow = max(0, min(1, 4 * (drop(from: a, to: b) - 0.5)))
        let isSteep = max(0, min(1, 4 * (a.logSlope - b.logSlope) + 1))
        return Self.low * isLow * isSteep * isEarly
    }

    /// The likeness of `b` to the dicrotic wave of `a`, 0…1: it comes before the rhythm's time, its crest is lower by more than
    /// a third of the rise of `a`, and it is less steep or lower by more than half. A filter that differentiates makes it as
    /// steep as the systolic wave, but no filter lifts it to the height of the systolic crest.
    private func likeness(of b: Upstroke, afterLarger a: Upstroke, _ interval: Float) -> Float {
        let drop = drop(from: a, to: b)
        let isLower = max(0, min(1, 4 * (drop - 0.35)))
        let isWeaker = max(0, min(1, 10 * (a.logSlope - b.logSlope)))
        return isLower * max(isWeaker, min(1, 5 * (drop - 0.5))) * max(0, min(1, (0.85 - interval) / 0.25))
    }

    /// The pulse `b` after `a`: its score is that of `a` less what the step costs.
    @inline(__always)
    private func step(from a: Upstroke, to b: Upstroke) -> Upstroke {
        let interval = Float((b.position - a.position) / rate)
        var after = b
        (after.previous, after.period, after.interval, after.intervals) = (-1, a.period, interval, a.intervals + 1)
        if interval < shortest {
            after.score = a.score - 1e9
            return after
        }
        if interval > longest {
            (after.score, after.intervals) = (a.score - 3, 0)
            return after
        }
        let isFirst = a.intervals == 0
        // 2 (x - y) / (x + y) is close to ln(x / y) in the range that matters.
        let deviation = 2 * (interval - a.period) / (interval + a.period)
        let spread: Float = a.intervals < 3 ? 0.6 : 0.3
        let weakness = max(0, a.logSlope - b.logSlope - 0.105)
        let bound = interval < a.period ? 1.5 + 2 * weakness : 1.5
        var cost = min(bound, deviation * deviation / (2 * spread * spread)) - 0.6
        let isEarly = Self.isEarly(interval)
        cost += 4 * weakness * isEarly
        cost += Self.dicrotic * likeness(of: b, afterLarger: a, interval / a.period) * min(1, 2 * isEarly)
        after.score = a.score - cost
        let change = interval - a.period
        if isFirst {
            after.period = interval
        } else if abs(interval - a.interval) < 0.15 * interval {
            // Two intervals that agree speak against the mean that does not.
            after.period += 0.4 * change
        } else {
            after.period += 0.3 * max(-0.3 * a.period, min(0.6 * a.period, change))
        }
        return after
    }
}
