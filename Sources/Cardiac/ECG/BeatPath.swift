/// The most plausible succession of beats through the candidates: a path that collects their scores and pays for
/// intervals no heart makes, settled for good once it is old enough.
struct BeatPath {
    /// A candidate.
    struct Node {
        /// Seconds in the run.
        var time: Double
        /// Its height and the binary logarithm of that.
        var height: Float
        var strength: Double
        /// Evidence for a beat.
        var score: Double
        /// How much it looks like the beats of late, from 0 to 1.
        var familiarity = 0.0
        /// Seconds of a cycle where the ventricles flutter, else 0.
        var cycle: Float = 0
        /// The best sum of scores of a path that ends here, and the node before on it, -1 for the root.
        var total = 0.0
        var previous = -1
    }

    /// Candidates not settled yet, in order of time.
    private(set) var nodes: [Node] = []
    /// The beats that were settled the last time, in order of time.
    private(set) var settled: [Node] = []
    /// The last settled beat's time and strength.
    private var root: (time: Double, strength: Double, cycle: Float)?
    private var rhythm = UsualInterval()
    private var steady = SteadyInterval()
    private var regularity = Regularity()
    private let refractory: Double
    private let rhythmWeight: Double

    /// - Parameters:
    ///   - refractory: seconds between two beats at least.
    ///   - rhythmWeight: how much it says of a wave that a regular rhythm does or does not expect it, from 0 to 1.
    init(refractory: Double, rhythmWeight: Double = 1) {
        self.refractory = refractory
        self.rhythmWeight = rhythmWeight
        nodes.reserveCapacity(64)
        settled.reserveCapacity(64)
    }

    /// A run begins. The usual interval stays: it is the same heart.
    mutating func restart() {
        nodes.removeAll(keepingCapacity: true)
        steady.restart()
        regularity.restart()
        root = nil
    }

    /// Adds a candidate later than all others.
    mutating func add(_ node: Node) {
        if node.familiarity > 0.5 { steady.note(node.time, least: refractory) }
        if node.score > 0, node.cycle == 0 { regularity.note(familiarity: node.familiarity) }
        nodes.append(node)
        connect(nodes.count - 1)
    }

    /// Seconds from beat to beat as a rule; nil before the first two.
    private var usualInterval: Double? {
        guard let interval = rhythm.interval else { return steady.interval }
        return min(interval, steady.interval ?? interval)
    }

    /// How regular the rhythm is, from 0 to 1.
    var regularDegree: Double { regularity.degree }

    private var expectation: Double { rhythmWeight * regularity.degree }

    /// What an interval of `interval` seconds before `node` costs, after a beat of `strength`.
    private func cost(_ interval: Double, before node: Node, after strength: Double) -> Double {
        if node.cycle > 0 { return flutterCost(interval / Double(node.cycle)) }
        // Where little but the beats stands out, what comes too early is premature.
        return cost(interval, exactness: expectation * regularity.unrest) + echoCost(node, interval, after: strength)
    }

    /// What an interval of some cycles costs where the ventricles flutter. Two halves of a cycle cost more than the wave
    /// between them may be worth.
    private func flutterCost(_ cycles: Double) -> Double {
        4 * max(0.75 - cycles, 0) + 1.5 * max(cycles - 1.35, 0)
    }

    /// What an interval of `interval` seconds between successive beats costs. That hardly any heart is so fast counts for
    /// nothing where this one is.
    /// - Parameter exactness: from 0, where a beat may well be premature, to 1, where it must not be.
    private func cost(_ interval: Double, exactness: Double) -> Double {
        let haste = interval < 0.29 ? 2.5 * (0.29 - interval) / 0.09 : 0
        guard let usual = usualInterval else { return haste }
        let shortness = 1 - interval / usual
        let (cost, free) = (Self.shortnessCost, Self.freeShortness)
        let each = cost.premature + (cost.exact - cost.premature) * exactness
        let borne = free.premature + (free.exact - free.premature) * exactness
        return waitingCost(interval) + haste * min(max(shortness / 0.32, 0), 1) + each * max(shortness - borne, 0)
    }

    /// What an interval costs that is shorter than usual by as much as it is long, and by how much it may be shorter for
    /// nothing.
    private static let shortnessCost = (premature: 1.5, exact: 5.0)
    private static let freeShortness = (premature: 0.32, exact: 0.05)
    /// What a usual interval without any beat costs, and up to how many usual intervals none is missed. Not so much that
    /// noise were a beat where one is left out, as hearts do with a block.
    private static let waitingCost = (irregular: 1.25, regular: 2.3)
    private static let freeWait = (irregular: 1.2, regular: 1.0)

    /// What it costs that no beat came for `interval` seconds. Linear, so that a gap never costs less than its parts,
    /// whatever the usual interval: a beat in a gap always gains by it, and by no more in a long gap than in a short one.
    private func waitingCost(_ interval: Double) -> Double {
        guard let usual = usualInterval else { return 0 }
        let (cost, free) = (Self.waitingCost, Self.freeWait)
        let each = cost.irregular + (cost.regular - cost.irregular) * expectation
        let borne = free.irregular + (free.regular - free.irregular) * expectation
        return each * max(interval / usual - borne, 0)
    }

    private func waitingCost(_ interval: Double, cycle: Float) -> Double {
        cycle > 0 ? flutterCost(max(interval / Double(cycle), 1)) : waitingCost(interval)
    }

    /// What it costs to take a much weaker wave soon after a beat for a beat of its own: it may be its T wave.
    private func echoCost(_ node: Node, _ interval: Double, after strength: Double) -> Double {
        let weakness = strength - node.strength - 1.1
        guard interval < 0.5, weakness > 0 else { return 0 }
        return min(1.5 * weakness * min((0.5 - interval) / 0.14, 1), 4)
    }

    private mutating func connect(_ index: Int) {
        let node = nodes[index]
        var best = 0.0
        if let root {
            let interval = node.time - root.time
            best =
                interval < refractory
                ? -.infinity : -cost(interval, before: node, after: root.strength)
        }
        var previous = -1
        for candidate in stride(from: index - 1, through: 0, by: -1) {
            let before = nodes[candidate]
            let interval = node.time - before.time
            guard interval >= refractory, before.total > best else { continue }
            let total = before.total - cost(interval, before: node, after: before.strength)
            if total > best {
                best = total
                previous = candidate
            }
        }
        nodes[index].total = best + node.score
        nodes[index].previous = previous
    }

    /// Settles the path up to `limit` seconds, with candidates known up to `now`: the beats on it are
    /// `settled`.
    mutating func settle(upTo limit: Double, now: Double) {
        settled.removeAll(keepingCapacity: true)
        guard let first = nodes.first, first.time < limit else { return }
        var next = reversedPath(endingBy: now)
        var passed = 0
        while next >= 0, nodes[next].time < limit {
            note(passed: passed..<next)
            passed = next + 1
            settled.append(nodes[next])
            let cycle = nodes[next].cycle
            // Cycles of flutter say nothing about the rhythm around it.
            if let root, root.cycle == 0, cycle == 0 { rhythm.note(nodes[next].time - root.time) }
            if let usual = usualInterval {
                regularity.note(beat: nodes[next].time, score: nodes[next].score, usual: usual)
            }
            root = (nodes[next].time, nodes[next].strength, cycle)
            next = nodes[next].previous
        }
        let settled = nodes.firstIndex { $0.time >= limit } ?? nodes.count
        if settled > passed { note(passed: passed..<settled) }
        nodes.removeSubrange(0..<settled)
        for index in nodes.indices { connect(index) }
    }

    private mutating func note(passed: Range<Int>) {
        for index in passed { regularity.note(passed: nodes[index].time, score: nodes[index].score) }
    }

    /// Turns the links on the best path around, so that it can be walked forwards.
    /// - Returns: its first node, -1 when no node is on it.
    private mutating func reversedPath(endingBy now: Double) -> Int {
        var end = -1
        // Ending at the root, without any of the nodes, is a path too.
        var best = root.map { -waitingCost(now - $0.time, cycle: $0.cycle) } ?? 0
        for index in nodes.indices {
            let total = nodes[index].total - waitingCost(now - nodes[index].time, cycle: nodes[index].cycle)
            if total > best {
                best = total
                end = index
            }
        }
        var next = -1
        while end >= 0 {
            let previous = nodes[end].previous
            nodes[end].previous = next
            next = end
            end = previous
        }
        return next
    }
}
