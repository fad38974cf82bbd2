import Kernels

extension HRVSeries {
    /// Lengths of the longest run in ms, interpolated intervals included.
    func computeRunValues() -> [Double] {
        intervals[longestRun].map(\.milliseconds)
    }

    /// Tolerance of the entropies in ms; nil where nothing varies.
    func computeEntropyTolerance() -> Double? {
        let deviation = Statistics.standardDeviation(runValues)
        return deviation > 0 ? parameters.entropyTolerance * deviation : nil
    }

    /// Matching patterns of the longest run averaged over `scale` intervals, for each offset; none where nothing varies.
    func matches(scale: Int) -> [TemplateMatches] {
        if let known = matchesByScale[scale] { return known }
        if scale == 1, runValues.count <= PatternNeighbours.most, let neighbours {
            matchesByScale[scale] = [neighbours.matches]
            return [neighbours.matches]
        }
        let matches =
            entropyTolerance.map {
                Multiscale.matches(
                    runValues, scale: scale, dimension: parameters.entropyDimension, tolerance: $0)
            } ?? []
        matchesByScale[scale] = matches
        return matches
    }

    /// How many patterns of the longest run match each of them; nil where nothing varies.
    func computeNeighbours() -> PatternNeighbours? {
        entropyTolerance.flatMap {
            PatternNeighbours(runValues, dimension: parameters.entropyDimension, tolerance: $0)
        }
    }

    /// The same for the blocks from the first interval on alone.
    func wholeBlockMatches(scale: Int) -> TemplateMatches? {
        entropyTolerance.map {
            TemplateMatches(
                Multiscale.coarse(runValues, scale: scale), dimension: parameters.entropyDimension, tolerance: $0)
        }
    }

    /// Stretches of measured intervals in a row, in ms.
    func computeMeasuredStretches() -> [[Double]] {
        var stretches: [[Double]] = []
        var isOpen = false
        for interval in intervals {
            guard interval.status != .interpolated else {
                isOpen = false
                continue
            }
            if isOpen && interval.isContiguous {
                stretches[stretches.count - 1].append(interval.milliseconds)
            } else {
                stretches.append([interval.milliseconds])
            }
            isOpen = true
        }
        return stretches
    }

    /// Pairs of successive measured intervals in ms.
    var pairs: [(first: Double, second: Double)] {
        measuredStretches.flatMap { zip($0, $0.dropFirst()).map { (first: $0, second: $1) } }
    }

    func computeFragmentation() -> Fragmentation? {
        Fragmentation(
            measuredStretches.compactMap { stretch in
                stretch.count > 1 ? zip(stretch, stretch.dropFirst()).map { $1 - $0 } : nil
            })
    }

    /// Standard deviation across the line of identity, ms: SD1² = SDSD² / 2 (Brennan et al. 2001).
    var sd1: Double { sdsd / 2.0.squareRoot() }

    /// Standard deviation along the line of identity, ms: SD2² = 2·SDNN² − SDSD² / 2 (Brennan et al. 2001).
    var sd2: Double? {
        let square = 2 * sdnn * sdnn - sdsd * sdsd / 2
        return square >= 0 ? square.squareRoot() : nil
    }

    /// Baevsky's stress index before the root is taken.
    var baevsky: Double? {
        guard let shortest = sorted.first, let longest = sorted.last, longest > shortest else { return nil }
        var counts: [Int: Int] = [:]
        for value in nn { counts[Int(min(value / 50, 1e6)), default: 0] += 1 }
        let amplitude = 100 * Double(counts.values.max() ?? 0) / Double(nn.count)
        let mode = sortedQuantile(sorted, 0.5) / 1_000
        return amplitude / (2 * mode * (longest - shortest) / 1_000)
    }
}
