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
        /// Score and strength of one of a run of wide complexes (`WideRun`) by itself; nil elsewhere. Such complexes come
        /// early as a rule.
        var alone: (score: Double, strength: Double)?
        var isInWideRun: Bool { alone != nil }
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

    /// Candidates not settled yet, in order of time, and how many there are.
    private var nodes = Memory(64, Node(time: 0, height: 0, strength: 0, score: 0))
    private var count = 0
    /// Their links, apart, so that what is written often is not copied with them.
    private var links = Memory(64, Link())
    /// The beats that were settled the last time, in order of time.
    private var beats = Memory(64, Node(time: 0, height: 0, strength: 0, score: 0))
    private var beatCount = 0
    private var root: Root?
    /// Whether the next beat is the first after a pause.
    private var isResumed = false
    /// When a beat may have been that a pause has hidden, after the root and as late as may be; nil where there is none.
    private var hidden: Double?
    /// The part of a usual interval after which a pause may hide a beat.
    private static let leastHidden = 0.7
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
    }

    /// A run begins. The usual interval stays: it is the same heart.
    mutating func restart() {
        count = 0
        steady.restart()
        regularity.restart()
        root = nil
        isResumed = false
        hidden = nil
        weighIntervals()
    }

    /// A run begins `elapsed` seconds after the beginning of the one before, which is settled. The last beat stays: what is
    /// too near to it is none.
    mutating func resume(after elapsed: Double) {
        count = 0
        steady.resume()
        regularity.resume()
        root?.time -= elapsed
        hidden = hidden.map { $0 - elapsed }
        if let root, let usual = usualInterval, -root.time > Self.leastHidden * usual { hidden = 0 }
        isResumed = true
        weighIntervals()
    }

    /// Adds a candidate later than all others.
    mutating func add(_ node: Node) {
        let isFamiliar = node.familiarity > 0.5
        if isFamiliar { steady.note(node.time, least: refractory) }
        let mayBeBeat = node.score > 0 && node.cycle == 0
        if mayBeBeat { regularity.note(familiarity: node.familiarity) }
        if isFamiliar || mayBeBeat { weighIntervals() }
        if count == nodes.count {
            Memory.grow(&nodes)
            Memory.grow(&links)
            Memory.grow(&beats)
        }
        Memory.own(&nodes)
        Memory.own(&links)
        nodes.base[count] = node
        count += 1
        connect(from: node.cycle > 0 ? forgetWideRun(before: count - 1) : count - 1)
    }

    /// The seconds before ventricular flutter in which its waves may look like a run of wide complexes.
    private static let beforeFlutter = 3.0

    /// Takes the wide complexes before flutter for single waves again.
    /// - Returns: the first node whose links change.
    private mutating func forgetWideRun(before index: Int) -> Int {
        var first = index
        var place = index - 1
        while place >= 0, nodes.base[place].time > nodes.base[index].time - Self.beforeFlutter {
            if let alone = nodes.base[place].alone {
                (nodes.base[place].score, nodes.base[place].strength) = alone
                nodes.base[place].alone = nil
                first = place
            }
            place -= 1
        }
        return first
    }

    /// The time of the first candidate that is not settled yet, infinite where there is none.
    var first: Double {
        @inline(__always) get { count > 0 ? nodes.base[0].time : .infinity }
    }

    /// The beats that were settled the last time, in order of time; to be read before anything else is asked for.
    var settled: UnsafeBufferPointer<Node> {
        @inline(__always) get { UnsafeBufferPointer(start: beats.base, count: beatCount) }
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

    /// Finds the best path to each node from the `first`-th on, where the links are this path's own. Mutating, as is what finds
    /// the path's beginning, so that the path is not copied for it.
    private mutating func connect(from first: Int) {
        for index in first..<count {
            links.base[index] = Self.link(index, nodes.base, links.base, costs, root, hidden, refractory)
        }
    }

    @inline(__always)
    private static func link(
        _ index: Int, _ nodes: UnsafePointer<Node>, _ links: UnsafePointer<Link>,
        _ costs: IntervalCosts, _ root: Root?, _ hidden: Double?, _ refractory: Double
    ) -> Link {
        let node = nodes[index]
        var best = 0.0
        if let root {
            let interval = node.time - root.time
            best = interval < refractory ? -.infinity : -costs.cost(interval, before: node, after: root.strength)
            // Nobody has waited for a beat that came unseen.
            if let hidden { best = max(best, -costs.waitingCost(node.time - hidden, cycle: node.cycle)) }
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
        beatCount = 0
        guard first < limit else { return }
        Memory.own(&nodes)
        Memory.own(&links)
        Memory.own(&beats)
        let waiting = nodes.base
        var next = reversedPath(endingBy: now)
        var passed = 0
        while next >= 0, waiting[next].time < limit {
            note(passed: passed..<next)
            passed = next + 1
            let node = waiting[next]
            beats.base[beatCount] = node
            beatCount += 1
            // Cycles of flutter say nothing about the rhythm around it.
            if let root, root.cycle == 0, node.cycle == 0, !isResumed { rhythm.note(node.time - root.time) }
            if let usual = usualInterval { regularity.note(beat: node.time, score: node.score, usual: usual) }
            root = (node.time, node.strength, node.cycle)
            isResumed = false
            hidden = nil
            next = links.base[next].previous
        }
        var end = passed
        while end < count, waiting[end].time < limit { end += 1 }
        note(passed: passed..<end)
        count -= end
        waiting.update(from: waiting + end, count: count)
        if beatCount > 0 { weighIntervals() }
        connect(from: 0)
    }

    private mutating func note(passed: Range<Int>) {
        for index in passed { regularity.note(passed: nodes.base[index].time, score: nodes.base[index].score) }
    }

    /// Turns the links on the best path around, so that it can be walked forwards.
    /// - Returns: its first node, -1 when no node is on it.
    @inline(__always)
    private mutating func reversedPath(endingBy now: Double) -> Int {
        let (costs, root, nodes, links) = (costs, root, nodes.base, links.base)
        var end = -1
        // Ending at the root, without any of the nodes, is a path too.
        var best = root.map { -costs.waitingCost(now - (hidden ?? $0.time), cycle: $0.cycle) } ?? 0
        for index in 0..<count where links[index].total > best {
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
