import Foundation

/// The most plausible succession of beats through the candidates: a path that collects their scores and pays for
/// intervals no heart makes, settled for good once it is old enough.
struct BeatPath {
    struct Node {
        /// Seconds in the run.
        var time: Double
        /// Height of the wavelet's modulus.
        var height: Float
        /// Evidence for a beat: positive for, negative against.
        var score: Double
        /// The best sum of scores of a path that ends here, and the node before on it, -1 for the root.
        var total = 0.0
        var previous = -1
    }

    /// Candidates not settled yet, in order of time.
    private(set) var nodes: [Node] = []
    /// The last settled beat.
    private(set) var root: Double?
    /// The usual interval between beats; nil until there are some.
    private(set) var usualInterval: Double?
    /// The latest intervals, oldest first.
    private var intervals: [Double] = []
    private let refractory: Double

    init(refractory: Double) {
        self.refractory = refractory
        nodes.reserveCapacity(64)
        intervals.reserveCapacity(16)
    }

    /// A run begins. The usual interval stays: it is the same heart.
    mutating func restart() {
        nodes.removeAll(keepingCapacity: true)
        root = nil
    }

    /// Adds a candidate later than all others.
    mutating func add(_ node: Node) {
        nodes.append(node)
        connect(nodes.count - 1)
    }

    /// What an interval of `interval` seconds between successive beats costs.
    private func cost(_ interval: Double) -> Double {
        var cost = 0.0
        if interval < 0.36 { cost += 2 * (0.36 - interval) / 0.16 }
        if let usual = usualInterval {
            let ratio = interval / usual
            if ratio < 0.6 { cost += 1.5 * (0.6 - ratio) }
            if ratio > 1.5 { cost += min(2 * (ratio - 1.5), 2) }
        }
        return cost
    }

    private mutating func connect(_ index: Int) {
        let time = nodes[index].time
        var best = root.map { time - $0 < refractory ? -Double.infinity : -cost(time - $0) } ?? 0
        var previous = -1
        var candidate = index - 1
        while candidate >= 0 {
            let interval = time - nodes[candidate].time
            if interval >= refractory {
                let total = nodes[candidate].total - cost(interval)
                if total > best {
                    best = total
                    previous = candidate
                }
            }
            candidate -= 1
        }
        nodes[index].total = best + nodes[index].score
        nodes[index].previous = previous
    }

    /// Settles the path up to `limit` seconds, with candidates known up to `now`: the beats on it are handed to
    /// `body` in order of time.
    mutating func settle(upTo limit: Double, now: Double, _ body: (Node) -> Void) {
        guard let first = nodes.first, first.time < limit else { return }
        var end = -1
        // Ending at the root, without any of the nodes, is a path too.
        var best = root.map { -cost(max(refractory, now - $0)) } ?? 0
        for index in nodes.indices {
            let total = nodes[index].total - cost(max(refractory, now - nodes[index].time))
            if total > best {
                best = total
                end = index
            }
        }
        // Turn the links on the best path around, so that it can be walked forwards.
        var next = -1
        while end >= 0 {
            let previous = nodes[end].previous
            nodes[end].previous = next
            next = end
            end = previous
        }
        while next >= 0, nodes[next].time < limit {
            body(nodes[next])
            note(nodes[next].time)
            next = nodes[next].previous
        }
        let settled = nodes.firstIndex { $0.time >= limit } ?? nodes.count
        nodes.removeSubrange(0..<settled)
        for index in nodes.indices { connect(index) }
    }

    private mutating func note(_ time: Double) {
        defer { root = time }
        guard let root else { return }
        if intervals.count == 8 { intervals.removeFirst() }
        intervals.append(time - root)
        usualInterval = median(intervals)
    }

    private func median(_ values: [Double]) -> Double {
        // Rank by counting: no sorting, no memory.
        for value in values {
            var below = 0
            var equal = 0
            for other in values {
                if other < value { below += 1 } else if other == value { equal += 1 }
            }
            if below <= values.count / 2, below + equal > values.count / 2 { return value }
        }
        return values[0]
    }
}
