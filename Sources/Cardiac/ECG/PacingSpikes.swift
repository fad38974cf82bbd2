import CVectors

/// Takes a pacemaker's impulses out of an ECG.
///
/// An impulse is over within 3 ms and stands on a quiet baseline, while the sides of whatever the heart does go on
/// falling for longer. So what stands out to both sides within 3 ms, three times as far as everything else within 12 ms
/// moves, is replaced by a straight line. Below 300 Hz the filter before the converter spreads an impulse over two
/// samples and more: there it is over within 8 ms, and everything else within 24 ms counts. Below 200 Hz nothing is
/// done: there a single sample may be the top of a QRS complex.
struct PacingSpikes {
    /// Samples from an impulse's middle to where it is over; 0 where impulses cannot be told.
    private let width: Int
    /// Samples to each side that are looked at.
    private let side: Int
    /// Samples that the search is ahead of what is taken to be free of impulses, a multiple of 8: an impulse goes from before
    /// its middle on.
    let lead: Int
    /// Samples to each side of those that are free that are read.
    var reach: Int { side + lead }

    private static let leastRate = 200.0
    /// The rate in Hz below which an impulse is spread over more than one sample.
    private static let coarseRate = 300.0
    /// Of an impulse over what is around it.
    private static let prominence: Float = 3

    init(sampleRate: Double) {
        width =
            sampleRate < Self.leastRate
            ? 0 : sampleRate < Self.coarseRate ? 2 : max(1, Int((0.003 * sampleRate).rounded()))
        side = width == 0 ? 0 : max(3 * width, Int((0.012 * sampleRate).rounded()))
        lead = (max(width - 1, 0) + 7) / 8 * 8
    }

    /// Takes the impulses out of `count` samples, a multiple of 8 and of 16 where they are one sample wide; `reach` less
    /// `lead` more are read to each side.
    func remove(from samples: UnsafeMutablePointer<Float>, count: Int) {
        switch width {
        case 0: return
        case 1:
            // As many as have a bit each.
            for first in stride(from: 0, to: count, by: 16 * 64) {
                removeNarrow(from: samples + first, groups: min((count - first) / 16, 64))
            }
        default:
            for group in stride(from: 0, to: count, by: 8) { _ = removeEight(from: samples + group) }
        }
    }

    /// Takes impulses of one sample out of groups of sixteen.
    @inline(__always)
    private func removeNarrow(from samples: UnsafeMutablePointer<Float>, groups: Int) {
        var found = marey_may_stand_out(samples, Int32(truncatingIfNeeded: groups), Self.prominence)
        while found != 0 {
            let group = found.trailingZeroBitCount
            found &= found - 1
            let isChanged = removeEight(from: samples + 16 * group)
            // What comes after a change was looked at as it was before.
            if removeEight(from: samples + 16 * group + 8) || isChanged, group + 1 < groups { found |= 2 << group }
        }
    }

    /// Takes the impulses out of eight samples.
    /// - Returns: whether there were any.
    private func removeEight(from samples: UnsafeMutablePointer<Float>) -> Bool {
        guard marey_stand_out(samples, width, Self.prominence) else { return false }
        // What may be one before another is taken out of the eight.
        var lanes = marey_spikes(samples, Int32(width), Self.prominence)
        var isChanged = false
        while lanes != 0 {
            if replace(samples + lanes.trailingZeroBitCount) { isChanged = true }
            lanes &= lanes - 1
        }
        return isChanged
    }

    private func replace(_ sample: UnsafeMutablePointer<Float>) -> Bool {
        let before = sample[-width]
        let after = sample[width]
        var lowest = min(before, after)
        var highest = max(before, after)
        for lag in width + 1...side {
            lowest = min(lowest, sample[-lag], sample[lag])
            highest = max(highest, sample[-lag], sample[lag])
        }
        let up = min(sample[0] - before, sample[0] - after)
        let down = min(before - sample[0], after - sample[0])
        guard max(up, down) > Self.prominence * (highest - lowest) else { return false }
        for lag in 1 - width..<width {
            sample[lag] = before + (after - before) * Float(lag + width) / Float(2 * width)
        }
        return true
    }
}
