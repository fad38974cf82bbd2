public import Signals

extension MotionEpoch {
    /// What was counted in a moment of an epoch, so that it can be taken out again.
    public struct Moment: Hashable, Sendable {
        /// Its middle, seconds from the recording's start.
        public var middle: Seconds
        /// The samples that are there.
        public var samples: Int
        /// Integral of the body's own acceleration over these, g·s.
        public var counts: Double
        /// Steps.
        public var steps = 0
    }

    /// Takes moments out of `counts`, `steps` and `coverage`.
    /// - Parameter isBad: whether what was counted around a time, in seconds from the recording's start, is to be taken
    ///   out.
    public mutating func takeOut(where isBad: (Seconds) -> Bool) {
        let all = moments.reduce(0) { $0 + $1.samples }
        moments.removeAll { isBad($0.middle) }
        guard all > 0 else { return }
        coverage *= Double(moments.reduce(0) { $0 + $1.samples }) / Double(all)
        counts = moments.reduce(0) { $0 + $1.counts }
        if steps != nil { steps = moments.reduce(0) { $0 + $1.steps } }
    }
}
