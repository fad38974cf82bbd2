public import Signals

/// The verdict on an interval between two beats, whatever the windows that hold it are like.
public struct IntervalVerdict: Hashable, Sendable {
    /// When the interval ends, in seconds from the recording's start.
    public var end: Seconds
    /// True where its two beats look like those around them and it is about as long as its neighbours.
    public var isSound: Bool
}

/// Judges intervals one by one: by the beats within six seconds before and after.
public struct IntervalTrust: Sendable {
    /// The maximum time between a beat and its neighbours. A verdict is known so long after the beat.
    public static let reach: Seconds = 6
    /// The maximum number of neighbours on each side of a beat.
    private static let side = 6
    /// The share of the neighbours that a sound beat resembles, the share whose shape it has, and by how much its size may
    /// then differ from theirs.
    private static let resembled = 0.2
    private static let shaped = 0.3
    private static let sizes: ClosedRange<Float> = 0.5...2
    /// An interval over the median of its neighbours: where beats resemble each other, and where they only have one shape.
    private static let lengths = (resembled: 0.8...1.25, shaped: 0.88...1.14)
    /// An interval before a strange beat over the median of those before that it may be in all the same.
    private static let usual = 0.85...1.18
    /// Sizes of a beat over those before that may be those of an ectopic one.
    private static let ectopicSizes: ClosedRange<Float> = 0.3...1.3

    private struct Beat {
        var onset: Seconds
        var interval: Seconds?
        var alike: UInt32
        var shape: UInt32
        var size: Float
        /// True where both detectors found it (ECG) and no plateau times it.
        var isFit: Bool
    }

    private var beats: [Beat] = []
    private var next = 0

    /// Takes the next beat.
    /// - Returns: whether the interval that it ends is strange: one of its beats resembles none of those before, and it is not
    ///   as long as they would have it.
    /// - Parameter isFit: whether the beat may count at all.
    mutating func take(_ entry: BeatForms.Entry, isFit: Bool) -> Bool {
        var interval: Seconds?
        if !entry.followsBreak, let last = beats.last { interval = entry.onset - last.onset }
        beats.append(
            Beat(
                onset: entry.onset, interval: interval, alike: entry.alike, shape: entry.shape, size: entry.size,
                isFit: isFit))
        guard let interval, beats.count > 4 else { return false }
        let place = beats.count - 1
        guard resemblesNone(place) || resemblesNone(place - 1) else { return false }
        // A premature pulse is smaller than others, and one after a pause a little larger.
        guard hasStrangeSize(place) || hasStrangeSize(place - 1) else { return false }
        let before = beats[max(0, place - 5)..<place].compactMap(\.interval).sorted()
        guard before.count > 2 else { return false }
        let middle = before[before.count / 2]
        // In a rhythm without order no interval is strange.
        guard before.filter({ Self.usual.contains($0 / middle) }).count + 1 >= before.count else { return false }
        return !Self.usual.contains(interval / middle)
    }

    private func hasStrangeSize(_ place: Int) -> Bool {
        let sizes = beats[max(0, place - Self.side)..<place].map(\.size).sorted()
        guard !sizes.isEmpty, sizes[sizes.count / 2] > 0 else { return false }
        return !Self.ectopicSizes.contains(beats[place].size / sizes[sizes.count / 2])
    }

    private func resemblesNone(_ place: Int) -> Bool {
        let first = max(0, place - Self.side)
        let count = (first..<place).filter { beats[place].onset - beats[$0].onset < Self.reach }.count
        return count > 2 && beats[place].alike & ((1 << UInt32(count)) - 1) == 0
    }

    /// Appends the verdicts on intervals whose neighbours are known when the signal is judged up to `time`.
    mutating func tell(upTo time: Seconds, into verdicts: inout [IntervalVerdict]) {
        while next < beats.count, beats[next].onset + Self.reach <= time {
            if beats[next].interval != nil {
                verdicts.append(IntervalVerdict(end: beats[next].onset, isSound: isSound(next)))
            }
            next += 1
        }
        guard next > 64 else { return }
        beats.removeFirst(next - 2 * Self.side)
        next = 2 * Self.side
    }

    private func isSound(_ place: Int) -> Bool {
        guard place > 0, let interval = beats[place].interval, beats[place].isFit, beats[place - 1].isFit else {
            return false
        }
        let near = neighbours(of: place)
        let others = near.filter { $0 != place && abs($0 - place) <= Self.side - 1 }.compactMap { beats[$0].interval }
            .sorted()
        guard others.count > 2 else { return false }
        let length = interval / others[others.count / 2]
        let (now, before) = (likeness(of: place, near), likeness(of: place - 1, neighbours(of: place - 1)))
        if min(now.resembled, before.resembled) >= Self.resembled { return Self.lengths.resembled.contains(length) }
        return min(now.shaped, before.shaped) >= Self.shaped && now.hasSize && before.hasSize
            && Self.lengths.shaped.contains(length)
    }

    private func neighbours(of place: Int) -> [Int] {
        (max(0, place - Self.side)..<min(beats.count, place + Self.side + 1)).filter {
            abs(beats[$0].onset - beats[place].onset) < Self.reach
        }
    }

    /// The shares of its neighbours that a beat resembles and that have its shape, and a flag for a size like theirs.
    private func likeness(of place: Int, _ near: [Int]) -> (resembled: Double, shaped: Double, hasSize: Bool) {
        var (alike, shaped, sizes) = (0, 0, [Float]())
        for other in near where other != place {
            let (later, distance) = (max(place, other), abs(place - other))
            let bit = UInt32(1) << UInt32(distance - 1)
            if beats[later].alike & bit != 0 { alike += 1 }
            if beats[later].shape & bit != 0 { shaped += 1 }
            sizes.append(beats[other].size)
        }
        guard !sizes.isEmpty else { return (0, 0, false) }
        sizes.sort()
        let middle = sizes[sizes.count / 2]
        let hasSize = middle > 0 && Self.sizes.contains(beats[place].size / middle)
        return (Double(alike) / Double(sizes.count), Double(shaped) / Double(sizes.count), hasSize)
    }
}
