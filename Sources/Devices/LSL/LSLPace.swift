import Signals

/// How many samples a second a sender's stamps count.
///
/// Stamps jitter, but none is early: what is compared are the earliest of ten seconds each, the first and the last, by the
/// declared rate.
struct LSLPace: Sendable {
    /// Seconds of which the earliest is looked for.
    private static let width: Seconds = 10
    /// Between those that are compared, in seconds, jitter is too small to matter.
    private static let long: Seconds = 50

    /// The earliest sample of a stretch: how much later than by the declared rate it came, and its index.
    private struct Earliest {
        var late: Seconds
        var index: Int
    }

    private let declared: Double
    private var first: Earliest?
    private var last: Earliest?
    private var current: Earliest?
    private var stretch = 0

    /// Of a sender that declares `declared` samples a second.
    init(declared: Double) {
        self.declared = declared
    }

    mutating func take(_ stamp: Seconds, index: Int) {
        let time = Double(index) / declared
        let one = Earliest(late: stamp - time, index: index)
        let number = Int(min(time / Self.width, 1e15))
        guard let current, number == stretch else {
            first = first ?? self.current
            last = self.current
            stretch = number
            self.current = one
            return
        }
        if one.late < current.late { self.current = one }
    }

    /// Samples a second; nil before it is known.
    var rate: Double? {
        guard let first, let last else { return nil }
        let span = Double(last.index - first.index) / declared
        guard span >= Self.long else { return nil }
        return declared / (1 + (last.late - first.late) / span)
    }
}
