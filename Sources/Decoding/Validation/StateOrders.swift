package import Kernels

/// The orders in which blocks of two states may come: as many of each as there were, with no more turns. A turn is a run of
/// blocks of one state; `low low high` has two.
package struct StateOrders {
    /// How many blocks of the high state, and of the low one.
    package let (high, low): (Int, Int)
    /// The most turns.
    package let turns: Int
    /// How many such orders have each number of turns, from 1.
    private let ways: [Double]

    /// The orders with no more turns than that of `isHigh`.
    package init(_ isHigh: [Bool]) {
        let turns = Self.turns(isHigh)
        let (high, low) = (isHigh.count { $0 }, isHigh.count { !$0 })
        (self.high, self.low, self.turns) = (high, low, turns)
        ways = (0..<turns).map { place in
            Self.starts(place + 1).reduce(0) { $0 + Self.ways(high, low, $1) }
        }
    }

    /// How many turns an order has.
    package static func turns(_ isHigh: [Bool]) -> Int {
        isHigh.isEmpty ? 0 : 1 + zip(isHigh, isHigh.dropFirst()).count { $0 != $1 }
    }

    /// How many orders there are.
    package var count: Double { ways.reduce(0, +) }

    /// All of them; nil where they are more than `most`.
    package func all(most: Int) -> [[Bool]]? {
        guard count <= Double(most) + 0.5 else { return nil }
        var found: [[Bool]] = []
        func extend(_ labels: [Bool], _ high: Int, _ low: Int, _ turns: Int) {
            if high == 0 && low == 0 { return found.append(labels) }
            for isHigh in [true, false] where (isHigh ? high : low) > 0 {
                let next = turns + (labels.last == isHigh ? 0 : 1)
                // What is left of the other state needs a turn of its own, unless it is the one at hand.
                guard next <= self.turns else { continue }
                extend(labels + [isHigh], high - (isHigh ? 1 : 0), low - (isHigh ? 0 : 1), next)
            }
        }
        extend([], high, low, 0)
        return found
    }

    /// One of them, each as likely as any other.
    package func random(_ random: inout RandomSource) -> [Bool] {
        var place = random.uniform() * count
        for turns in 1...max(1, turns) {
            for start in Self.starts(turns) {
                let ways = Self.ways(high, low, start)
                if place < ways || (turns == self.turns && !start.beginsHigh) {
                    return order(start, &random)
                }
                place -= ways
            }
        }
        return []
    }

    /// How many runs of each state an order has, and with which it begins.
    private struct Start {
        var (high, low): (Int, Int)
        var beginsHigh: Bool
    }

    private static func starts(_ turns: Int) -> [Start] {
        let (more, less) = ((turns + 1) / 2, turns / 2)
        return [Start(high: more, low: less, beginsHigh: true), Start(high: less, low: more, beginsHigh: false)]
    }

    /// The ways to make so many runs of each state's blocks.
    private static func ways(_ high: Int, _ low: Int, _ start: Start) -> Double {
        compositions(high, start.high) * compositions(low, start.low)
    }

    /// The ways to make `parts` runs of `count` blocks, one at least in each.
    private static func compositions(_ count: Int, _ parts: Int) -> Double {
        guard parts > 0, count >= parts else { return parts == 0 && count == 0 ? 1 : 0 }
        return (1..<parts).reduce(1) { $0 * Double(count - $1) / Double($1) }
    }

    private func order(_ start: Start, _ random: inout RandomSource) -> [Bool] {
        var runs = (
            high: Self.lengths(high, start.high, &random)[...], low: Self.lengths(low, start.low, &random)[...]
        )
        var labels: [Bool] = []
        var isHigh = start.beginsHigh
        while let length = isHigh ? runs.high.popFirst() : runs.low.popFirst() {
            labels += Array(repeating: isHigh, count: length)
            isHigh.toggle()
        }
        return labels
    }

    /// `parts` lengths of one or more that together are `count`.
    private static func lengths(_ count: Int, _ parts: Int, _ random: inout RandomSource) -> [Int] {
        guard parts > 0 else { return [] }
        var cuts = Array(1..<max(1, count))
        for index in stride(from: cuts.count - 1, to: 0, by: -1) { cuts.swapAt(index, random.index(below: index + 1)) }
        let ends = cuts.prefix(parts - 1).sorted() + [count]
        return zip(ends, [0] + ends).map { $0 - $1 }
    }
}
