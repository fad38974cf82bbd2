import Kernels

/// Where a potential is swept.
enum SweepStretches {
    /// The fewest points of a sweep.
    static let fewest = 10
    /// Over how many points a potential must have advanced: single ones are measured with noise, or several at one
    /// potential.
    private static let reach = 5

    /// The stretches over which the potential goes from one turn to the next evenly, in order. A turn is part of both
    /// its sweeps.
    static func ranges(of potentials: [Double]) -> [ClosedRange<Int>] {
        let steps = zip(potentials.dropFirst(), potentials).map { abs($0 - $1) }
        guard steps.count >= fewest - 1 else { return [] }
        let least = Double(fewest) * Statistics.mean(steps)
        guard least > 0 else { return [] }
        let turns = turns(of: potentials, least: least)
        return zip(turns, turns.dropFirst()).compactMap { swept(potentials, from: $0, to: $1) }
    }

    /// The ends and where the potential turns back by more than `least`.
    private static func turns(of potentials: [Double], least: Double) -> [Int] {
        var turns: [Int] = []
        var (low, high) = (0, 0)
        var isRising: Bool?
        for place in potentials.indices {
            if potentials[place] > potentials[high] { high = place }
            if potentials[place] < potentials[low] { low = place }
            if isRising != false, potentials[high] - potentials[place] >= least {
                turns.append(high)
                (isRising, low) = (false, place)
            } else if isRising != true, potentials[place] - potentials[low] >= least {
                turns.append(low)
                (isRising, high) = (true, place)
            }
        }
        if let isRising { turns.append(isRising ? high : low) }
        return turns
    }

    /// What of a stretch between turns is swept, without rest at its ends; nil where most of it rests between steps.
    private static func swept(_ potentials: [Double], from first: Int, to last: Int) -> ClosedRange<Int>? {
        var (first, last) = (first, last)
        while first < last, potentials[first + 1] == potentials[first] { first += 1 }
        while first < last, potentials[last - 1] == potentials[last] { last -= 1 }
        guard last - first + 1 >= fewest else { return nil }
        let change = potentials[last] - potentials[first]
        let even = change * Double(reach) / Double(last - first)
        let advance = (first...last - reach).map { (potentials[$0 + reach] - potentials[$0]) / even }
        let usual = Statistics.median(advance)
        guard usual >= 0.5, let begin = advance.firstIndex(where: { $0 >= usual / 2 }),
            let end = advance.lastIndex(where: { $0 >= usual / 2 }), end - begin + reach + 1 >= fewest
        else { return nil }
        return first + begin...first + end + reach
    }
}
