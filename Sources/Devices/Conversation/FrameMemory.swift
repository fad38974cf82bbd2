import Signals

/// The latest frames of a stream whose messages bear a stamp but no number: tells a message that came before, and one
/// that was missing and comes too late, from a clock that repeats itself or goes back.
struct FrameMemory: Sendable {
    private var frames: [(stamp: Seconds, values: [Double])] = []
    /// Where the oldest frame is, once there are as many as are kept.
    private var oldest = 0
    private var latest: Seconds = -.infinity
    /// Stretches in which frames are missing; neither end is.
    private var holes: [(after: Seconds, before: Seconds)] = []
    /// The stamp that was repeated last, and how often without another between.
    private var repeated: (stamp: Seconds, count: Int) = (-.infinity, 0)

    /// What is sent at once is sent again at once; a stamp further back, in seconds, is of a clock that was set.
    private static let longest: Seconds = 1
    /// A second of the fastest stream.
    private static let most = 64
    private static let mostHoles = 16
    /// A message is doubled; what comes more often with the same stamp is measured by a clock that stands still.
    private static let mostRepeats = 3

    /// Why a frame is to be left out; nil: it is new.
    mutating func problem(of values: [Double], at stamp: Seconds) -> String? {
        guard stamp <= latest, stamp >= latest - Self.longest else { return nil }
        if frames.contains(where: { $0.stamp == stamp && Self.areSame($0.values, values) }) {
            repeated = (stamp, repeated.stamp == stamp ? repeated.count + 1 : 1)
            return repeated.count <= Self.mostRepeats ? "the value came twice" : nil
        }
        return holes.contains { $0.after < stamp && stamp < $0.before } ? "the value came too late" : nil
    }

    /// Keeps a frame that was taken.
    mutating func keep(_ values: [Double], at stamp: Seconds) {
        latest = stamp
        if frames.count < Self.most {
            frames.append((stamp, values))
        } else {
            frames[oldest] = (stamp, values)
            oldest = (oldest + 1) % Self.most
        }
    }

    /// Frames between these stamps are missing.
    mutating func missed(from last: Seconds, to stamp: Seconds) {
        if holes.count == Self.mostHoles { holes.removeFirst() }
        holes.append((last, stamp))
    }

    /// What came has no known distance to what comes.
    mutating func forget() { self = FrameMemory() }

    /// NaN is as NaN.
    private static func areSame(_ one: [Double], _ other: [Double]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
    }
}
