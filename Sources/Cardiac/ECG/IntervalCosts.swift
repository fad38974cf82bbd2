/// What intervals between beats cost, in a rhythm as it is: worked out when the rhythm changes rather than for every
/// pair of candidates.
struct IntervalCosts {
    /// Seconds from beat to beat as a rule; nil before the first two.
    private let usual: Double?
    /// What a usual interval without any beat costs, and up to how many none is missed.
    private let waiting: (each: Double, borne: Double)
    /// What an interval costs that is shorter than usual by as much as it is long, and by how much it may be for nothing.
    private let shortness: (each: Double, borne: Double)

    /// What a shorter interval costs, and by how much it may be shorter for nothing.
    private static let shortnessCost = (premature: 1.5, exact: 5.0)
    private static let freeShortness = (premature: 0.32, exact: 0.05)
    /// What waiting costs, and how long it is free. Not so much that noise were a beat where one is left out, as hearts
    /// do with a block.
    private static let waitingCost = (irregular: 1.25, regular: 2.3)
    private static let freeWait = (irregular: 1.2, regular: 1.0)

    /// - Parameters:
    ///   - usual: seconds from beat to beat as a rule, nil where nothing is known.
    ///   - expectation: how much a regular rhythm expects its beats, from 0 to 1.
    ///   - exactness: from 0, where a beat may well be premature, to 1, where it must not be.
    init(usual: Double?, expectation: Double, exactness: Double) {
        self.usual = usual
        let (wait, freeWait) = (Self.waitingCost, Self.freeWait)
        waiting = (
            wait.irregular + (wait.regular - wait.irregular) * expectation,
            freeWait.irregular + (freeWait.regular - freeWait.irregular) * expectation
        )
        let (short, freeShort) = (Self.shortnessCost, Self.freeShortness)
        shortness = (
            short.premature + (short.exact - short.premature) * exactness,
            freeShort.premature + (freeShort.exact - freeShort.premature) * exactness
        )
    }

    /// What an interval of `interval` seconds before `node` costs, after a beat of `strength`.
    @inline(__always)
    func cost(_ interval: Double, before node: BeatPath.Node, after strength: Double) -> Double {
        if node.cycle > 0 { return Self.flutterCost(interval / Double(node.cycle)) }
        if node.isInWideRun { return waitingCost(interval, cycle: 0) }
        // Where little but the beats stands out, what comes too early is premature.
        return cost(interval) + Self.echoCost(node, interval, after: strength)
    }

    /// What an interval of `interval` seconds between successive beats costs. That hardly any heart is so fast counts for
    /// nothing where this one is.
    @inline(__always)
    private func cost(_ interval: Double) -> Double {
        let haste = interval < 0.29 ? 2.5 * (0.29 - interval) / 0.09 : 0
        guard let usual else { return haste }
        let part = interval / usual
        let missing = 1 - part
        let hurry = haste > 0 ? haste * min(max(missing / 0.32, 0), 1) : 0
        return waiting.each * max(part - waiting.borne, 0) + hurry
            + shortness.each * max(missing - shortness.borne, 0)
    }

    /// What it costs that no beat came for `interval` seconds, in flutter of some `cycle` or none. Linear, so that a gap
    /// never costs less than its parts, whatever the usual interval: a beat in a gap always gains by it, and by no more in
    /// a long gap than in a short one.
    @inline(__always)
    func waitingCost(_ interval: Double, cycle: Float) -> Double {
        if cycle > 0 { return Self.flutterCost(max(interval / Double(cycle), 1)) }
        guard let usual else { return 0 }
        return waiting.each * max(interval / usual - waiting.borne, 0)
    }

    /// What an interval of some cycles costs where the ventricles flutter. Two halves of a cycle cost more than the wave
    /// between them may be worth.
    private static func flutterCost(_ cycles: Double) -> Double {
        4 * max(0.75 - cycles, 0) + 1.5 * max(cycles - 1.35, 0)
    }

    /// What it costs to take a much weaker wave soon after a beat for a beat of its own: it may be its T wave.
    @inline(__always)
    private static func echoCost(_ node: BeatPath.Node, _ interval: Double, after strength: Double) -> Double {
        let weakness = strength - node.strength - 1.1
        guard interval < 0.5, weakness > 0 else { return 0 }
        return min(1.5 * weakness * min((0.5 - interval) / 0.14, 1), 4)
    }
}
