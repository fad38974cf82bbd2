import Signals

/// The best one-to-one pairing of two short sorted lists of times that keeps the order of time: most pairs first,
/// then least sum of distances.
struct OrderedPairing {
    /// Pairs by their indices in the two slices' base collections.
    private(set) var pairs: [(detected: Int, reference: Int)] = []
    private(set) var unmatchedDetected: [Int] = []
    private(set) var unmatchedReference: [Int] = []

    /// Clusters with more possible pairs than this are paired greedily: such lists are no beats.
    private static let largestTable = 4_000_000

    init(_ detected: ArraySlice<Seconds>, _ reference: ArraySlice<Seconds>, tolerance: Seconds) {
        if detected.count == 1, reference.count == 1, let d = detected.first, let r = reference.first {
            if abs(d - r) <= tolerance {
                pairs = [(detected.startIndex, reference.startIndex)]
            } else {
                unmatchedDetected = [detected.startIndex]
                unmatchedReference = [reference.startIndex]
            }
        } else if detected.isEmpty || reference.isEmpty {
            unmatchedDetected = Array(detected.indices)
            unmatchedReference = Array(reference.indices)
        } else if detected.count.multipliedReportingOverflow(by: reference.count).partialValue > Self.largestTable {
            pairGreedily(detected, reference, tolerance)
        } else {
            pairOptimally(detected, reference, tolerance)
        }
    }

    /// Every time with the first free one in reach: most pairs, but not always the nearest.
    private mutating func pairGreedily(
        _ detected: ArraySlice<Seconds>, _ reference: ArraySlice<Seconds>, _ tolerance: Seconds
    ) {
        var d = detected.startIndex
        var r = reference.startIndex
        while d < detected.endIndex || r < reference.endIndex {
            if r == reference.endIndex || (d < detected.endIndex && detected[d] < reference[r] - tolerance) {
                unmatchedDetected.append(d)
                d += 1
            } else if d == detected.endIndex || reference[r] < detected[d] - tolerance {
                unmatchedReference.append(r)
                r += 1
            } else {
                pairs.append((d, r))
                d += 1
                r += 1
            }
        }
    }

    /// Alignment by dynamic programming over all prefixes of the two lists.
    private mutating func pairOptimally(
        _ detected: ArraySlice<Seconds>, _ reference: ArraySlice<Seconds>, _ tolerance: Seconds
    ) {
        let columns = reference.count + 1
        // Cost of a prefix pair: unmatched times, each dearer than any sum of distances, plus distances.
        let unmatched = (tolerance + 1) * Double(detected.count + reference.count)
        var cost = [Double](repeating: 0, count: (detected.count + 1) * columns)
        func distance(_ d: Int, _ r: Int) -> Double {
            abs(detected[detected.startIndex + d] - reference[reference.startIndex + r])
        }
        for r in 1..<columns { cost[r] = Double(r) * unmatched }
        for d in 1...detected.count {
            cost[d * columns] = Double(d) * unmatched
            for r in 1..<columns {
                var best = min(cost[(d - 1) * columns + r], cost[d * columns + r - 1]) + unmatched
                let apart = distance(d - 1, r - 1)
                if apart <= tolerance { best = min(best, cost[(d - 1) * columns + r - 1] + apart) }
                cost[d * columns + r] = best
            }
        }
        trace(cost, columns, detected, reference, unmatched)
    }

    private mutating func trace(
        _ cost: [Double], _ columns: Int, _ detected: ArraySlice<Seconds>, _ reference: ArraySlice<Seconds>,
        _ unmatched: Double
    ) {
        var d = detected.count
        var r = reference.count
        while d > 0 || r > 0 {
            let here = cost[d * columns + r]
            if d > 0, here == cost[(d - 1) * columns + r] + unmatched {
                d -= 1
                unmatchedDetected.append(detected.startIndex + d)
            } else if r > 0, here == cost[d * columns + r - 1] + unmatched {
                r -= 1
                unmatchedReference.append(reference.startIndex + r)
            } else {
                d -= 1
                r -= 1
                pairs.append((detected.startIndex + d, reference.startIndex + r))
            }
        }
        pairs.reverse()
        unmatchedDetected.reverse()
        unmatchedReference.reverse()
    }
}
