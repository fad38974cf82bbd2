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
    }

    /// The best path that ends at a node.
    private struct Link {
        /// Its sum of scores.
        var total = 0.0
        /// The node before on it, -1 for the root.
        var previous = -1
    }

    /// The last settled beat's time and strength.
    private typealias Root = (time: Double, strength: Double, cycle: Float)

    /// Candidates not settled yet, in order of time.
    private var nodes: [Node] = []
    /// Their links, apart, so that what is written often is not copied with them.
    private var links: [Link] = []
    /// The beats that were settled the last time, in order of time.
    private(set) var settled: [Node] = []
    private var root: Root?
    private var rhythm = UsualInterval()
    private var steady = SteadyInterval()
    private var regularity = Regularity()
    /// Those of the rhythm as it is.
    private var costs = IntervalCosts(usual: nil, expectation: 0, exactness: 0)
    private let refractory: Double
    private let rhythmWeight: Double

    /// - Parameters:
    ///   - refractory: seconds between two beats at least.
    ///   - rhythmWeight: how much it says of a wave that a regular rhythm does or does not expect it, from 0 to 1.
    init(refractory: Double, rhythmWeight: Double = 1) {
        self.refractory = refractory
        self.rhythmWeight = rhythmWeight
        nodes.reserveCapacity(64)
        links.reserveCapacity(64)
        settled.reserveCapacity(64)
    }

    /// A run begins. The usual interval stays: it is the same heart.
    mutating func restart() {
        nodes.removeAll(keepingCapacity: true)
        links.removeAll(keepingCapacity: true)
        steady.restart()
        regularity.restart()
        root = nil
        weighIntervals()
    }

    /// Adds a candidate later than all others.
    mutating func add(_ node: Node) {
        let isFamiliar = node.familiarity > 0.5
        if isFamiliar { steady.note(node.time, least: refractory) }
        let mayBeBeat = node.score > 0 && node.cycle == 0
        if mayBeBeat { regularity.note(familiarity: node.familiarity) }
        if isFamiliar || mayBeBeat { weighIntervals() }
        nodes.append(node)
        links.append(Link())
        connect(from: nodes.count - 1)
    }

    /// Seconds from beat to beat as a rule; nil before the first two.
    private var usualInterval: Double? {
        guard let interval = rhythm.interval else { return steady.interval }
        return min(interval, steady.interval ?? interval)
    }

    /// How regular the rhythm is, from 0 to 1.
    var regularDegree: Double { regularity.degree }

    /// The rhythm has become another.
    private mutating func weighIntervals() {
        let expectation = rhythmWeight * regularity.degree
        costs = IntervalCosts(
            usual: usualInterval, expectation: expectation, exactness: expectation * regularity.unrest)
    }

    /// Finds the best path to each node from the `first`-th on.
    private mutating func connect(from first: Int) {
        let (costs, root, refractory) = (costs, root, refractory)
        nodes.withUnsafeBufferPointer { nodes in
            links.withUnsafeMutableBufferPointer { links in
                for index in first..<nodes.count {
                    links[index] = Self.link(index, nodes, links, costs, root, refractory)
                }
            }
        }
    }

    @inline(__always)
    private static func link(
        _ index: Int, _ nodes: UnsafeBufferPointer<Node>, _ links: UnsafeMutableBufferPointer<Link>,
        _ costs: IntervalCosts, _ root: Root?, _ refractory: Double
    ) -> Link {
        let node = nodes[index]
        var best = 0.0
        if let root {
            let interval = node.time - root.time
            best = interval < refractory ? -.infinity : -costs.cost(interval, before: node, after: root.strength)
        }
        var previous = -1
        var candidate = index - 1
        while candidate >= 0 {
            let before = links[candidate].total
            let interval = node.time - nodes[candidate].time
            if interval >= refractory, before > best {
                let total = before - costs.cost(interval, before: node, after: nodes[candidate].strength)
                if total > best {
                    best = total
                    previous = candidate
                }
            }
            candidate -= 1
        }
        return Link(total: best + node.score, previous: previous)
    }

    /// Settles the path up to `limit` seconds, with candidates known up to `now`: the beats on it are
    /// `settled`.
    mutating func settle(upTo limit: Double, now: Double) {
        if !settled.isEmpty { settled.removeAll(keepingCapacity: true) }
        guard let first = nodes.first, first.time < limit else { return }
        var next = reversedPath(endingBy: now)
        var passed = 0
        while next >= 0, nodes[next].time < limit {
            note(passed: passed..<next)
            passed = next + 1
            let node = nodes[next]
            settled.append(node)
            // Cycles of flutter say nothing about the rhythm around it.
            if let root, root.cycle == 0, node.cycle == 0 { rhythm.note(node.time - root.time) }
            if let usual = usualInterval { regularity.note(beat: node.time, score: node.score, usual: usual) }
            root = (node.time, node.strength, node.cycle)
            next = links[next].previous
        }
        var end = passed
        while end < nodes.count, nodes[end].time < limit { end += 1 }
        note(passed: passed..<end)
        nodes.forget(end)
        links.forget(end)
        if !settled.isEmpty { weighIntervals() }
        connect(from: 0)
    }

    private mutating func note(passed: Range<Int>) {
        for index in passed { regularity.note(passed: nodes[index].time, score: nodes[index].score) }
    }

    /// Turns the links on the best path around, so that it can be walked forwards.
    /// - Returns: its first node, -1 when no node is on it.
    private mutating func reversedPath(endingBy now: Double) -> Int {
        let (costs, root) = (costs, root)
        var end = -1
        // Ending at the root, without any of the nodes, is a path too.
        var best = root.map { -costs.waitingCost(now - $0.time, cycle: $0.cycle) } ?? 0
        for index in nodes.indices where links[index].total > best {
            let total = links[index].total - costs.waitingCost(now - nodes[index].time, cycle: nodes[index].cycle)
            if total > best {
                best = total
                end = index
            }
        }
        var next = -1
        while end >= 0 {
            let previous = links[end].previous
            links[end].previous = next
            next = end
            end = previous
        }
        return next
    }
}
