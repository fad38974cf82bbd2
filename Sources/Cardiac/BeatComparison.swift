import Kernels
public import Signals

/// How detected beats compare with reference beats: matched one to one within a tolerance, in order of time.
///
/// Of all one-to-one matchings that keep the order of time, the one with most pairs is taken, and among those the one
/// whose distances add up to least. Counts of several records add up to gross figures (ANSI/AAMI EC57, 4.3).
public struct BeatComparison: Hashable, Codable, Sendable {
    /// The largest distance of a pair, in seconds, itself included.
    public var tolerance: Seconds
    /// Detected beats minus their reference beats, in seconds, a value per pair in order of time.
    public var offsets: [Seconds]
    /// Detected beats without a reference beat.
    public var falsePositives: Int
    /// Reference beats that were not detected.
    public var falseNegatives: Int
    /// The unmatched detected beats, in seconds; not kept by `merged`.
    public var extra: [Seconds]
    /// The unmatched reference beats, in seconds; not kept by `merged`.
    public var missed: [Seconds]

    /// Compares two lists of beat times, in seconds, in any order.
    /// - Parameters:
    ///   - detected: when the detector saw beats; values that are not finite are left out.
    ///   - reference: when there were beats; values that are not finite are left out.
    ///   - tolerance: the largest distance of a pair, in seconds (EC57: 0.15).
    ///   - span: the time that counts, in seconds; a pair counts by the time of its reference beat, so that none is
    ///     torn apart at an edge.
    ///   - excluded: stretches that do not count, such as ventricular flutter and fibrillation.
    public init(
        detected: [Seconds], reference: [Seconds], tolerance: Seconds,
        within span: Range<Seconds> = -.infinity..<(.infinity), excluding excluded: [Range<Seconds>] = []
    ) {
        self.init(
            sorted: detected.filter(\.isFinite).sorted(), reference: reference.filter(\.isFinite).sorted(),
            tolerance: tolerance
        ) { time in
            span.contains(time) && !excluded.contains { $0.contains(time) }
        }
    }

    private init(
        sorted detected: [Seconds], reference: [Seconds], tolerance: Seconds, where counts: (Seconds) -> Bool
    ) {
        self.tolerance = tolerance
        offsets = []
        extra = []
        missed = []
        offsets.reserveCapacity(reference.count)
        var d = 0
        var r = 0
        while d < detected.count || r < reference.count {
            let firstDetected = d
            let firstReference = r
            Self.advance(&d, &r, detected, reference, tolerance)
            let pairing = OrderedPairing(
                detected[firstDetected..<d], reference[firstReference..<r], tolerance: tolerance)
            for pair in pairing.pairs where counts(reference[pair.reference]) {
                offsets.append(detected[pair.detected] - reference[pair.reference])
            }
            extra += pairing.unmatchedDetected.map { detected[$0] }.filter(counts)
            missed += pairing.unmatchedReference.map { reference[$0] }.filter(counts)
        }
        falsePositives = extra.count
        falseNegatives = missed.count
    }

    /// Moves both places past one cluster: beats that follow each other by no more than the tolerance.
    private static func advance(
        _ d: inout Int, _ r: inout Int, _ detected: [Seconds], _ reference: [Seconds], _ tolerance: Seconds
    ) {
        var last: Seconds?
        while d < detected.count || r < reference.count {
            let takesDetected = r == reference.count || (d < detected.count && detected[d] <= reference[r])
            let time = takesDetected ? detected[d] : reference[r]
            if let last, time - last > tolerance { return }
            last = time
            if takesDetected { d += 1 } else { r += 1 }
        }
    }

    /// The gross figures of several records, all compared with the same tolerance.
    public static func merged(_ comparisons: [BeatComparison]) -> BeatComparison {
        var sum = BeatComparison(detected: [], reference: [], tolerance: comparisons.first?.tolerance ?? 0)
        for comparison in comparisons {
            sum.offsets += comparison.offsets
            sum.falsePositives += comparison.falsePositives
            sum.falseNegatives += comparison.falseNegatives
        }
        return sum
    }
}

extension BeatComparison {
    /// Pairs of a detected and a reference beat.
    public var truePositives: Int { offsets.count }
    /// The share of reference beats that were detected, 0…1; nil without reference beats.
    public var sensitivity: Double? { Self.share(truePositives, of: truePositives + falseNegatives) }
    /// The share of detected beats that were beats, 0…1; nil without detected beats.
    public var positivePredictiveValue: Double? { Self.share(truePositives, of: truePositives + falsePositives) }
    /// The harmonic mean of sensitivity and positive predictive value, 0…1; nil without any beats.
    public var f1: Double? { Self.share(2 * truePositives, of: 2 * truePositives + falsePositives + falseNegatives) }
    /// The median of the offsets, in seconds: where the detector's fiducial sits. Nil without pairs.
    public var medianOffset: Seconds? { Self.median(offsets) }

    private static func share(_ part: Int, of whole: Int) -> Double? {
        whole == 0 ? nil : Double(part) / Double(whole)
    }

    private static func median(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : Statistics.median(values)
    }
}
