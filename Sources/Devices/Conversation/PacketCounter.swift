import Signals

/// Unwraps a packet counter: tells how many packets were lost, and packets that come twice or late.
struct PacketCounter: Sendable {
    /// What a counter value means.
    enum Step: Sendable, Equatable {
        /// The first packet ever, or since the counter started anew.
        case restarted
        /// The next packet, after `lost` that never came.
        case next(lost: Int)
        /// The counter of the packet before.
        case same
        /// A packet from before the last one, by so many.
        case late(by: Int)
        /// A packet that fits neither: to be left out. Where the next message goes on from it, the counter started anew.
        case doubtful
    }

    private let modulus: Int
    private let period: Seconds
    private var last: (counter: Int, arrival: Seconds)?

    /// Connections stall for as long as this before what was sent meanwhile arrives in a burst.
    private static let longestStall: Seconds = 30
    /// A packet that comes so many seconds after its turn is late; further back, the counter may have started anew.
    private static let longestDelay: Seconds = 0.9
    /// By how many seconds a device's stamps may differ from what its counter says: packets wait for one another.
    private static let stampSlack: Seconds = 0.2
    /// So few packets ahead, a counter is believed whatever the stamps say.
    private static let nearest = 8
    /// The latest doubtful packet's counter, and when the first message of such arrived, with none between that fits.
    private var doubtful: (counter: Int, arrival: Seconds)?

    /// A counter from 0 to `modulus` − 1 of packets that come every `period` seconds.
    init(modulus: Int, period: Seconds) {
        self.modulus = modulus
        self.period = period
    }

    /// Takes the next packet's counter. `elapsed` is the time since the packet before by the device's own clock, for
    /// counters that may wrap within a gap.
    mutating func step(_ counter: Int, at arrival: Seconds, elapsed: Seconds? = nil) -> Step {
        guard let previous = last else { return restart(counter, arrival) }
        let forward = (counter - previous.counter + modulus) % modulus
        let advance = advance(forward, elapsed)
        if let advance, advance <= 0 {
            guard advance < 0 else { return fits(.same) }
            return Double(-advance) * period <= Self.longestDelay ? .late(by: -advance) : doubt(counter, arrival)
        }
        let longest = arrival - previous.arrival + Self.longestStall
        var lost = (advance ?? .max) - 1
        if Double(lost) * period > longest, elapsed != nil, (1...Self.nearest).contains(forward) { lost = forward - 1 }
        guard Double(lost) * period <= longest else { return doubt(counter, arrival) }
        last = (counter, arrival)
        return fits(.next(lost: lost))
    }

    /// By how many packets a counter that is `forward` of the last, or so many wraps more, went on; nil where the stamps
    /// say something else.
    private func advance(_ forward: Int, _ elapsed: Seconds?) -> Int? {
        guard let elapsed else { return forward > modulus / 2 ? forward - modulus : forward }
        let wraps = ((elapsed / period - Double(forward)) / Double(modulus)).rounded()
        guard abs(wraps) < 1e6 else { return nil }
        let advance = forward + Int(wraps) * modulus
        return abs(elapsed - Double(advance) * period) <= Self.stampSlack ? advance : nil
    }

    private mutating func fits(_ step: Step) -> Step {
        doubtful = nil
        return step
    }

    /// A packet that does not fit: the first of a counter that started anew, or one that is far too late.
    private mutating func doubt(_ counter: Int, _ arrival: Seconds) -> Step {
        guard let known = doubtful else {
            doubtful = (counter, arrival)
            return .doubtful
        }
        let forward = (counter - known.counter + modulus) % modulus
        let isNext = Double(forward) * period <= arrival - known.arrival + Self.stampSlack
        guard isNext, forward > 0, arrival > known.arrival else {
            doubtful = (counter, isNext ? known.arrival : arrival)
            return .doubtful
        }
        return restart(counter, arrival)
    }

    private mutating func restart(_ counter: Int, _ arrival: Seconds) -> Step {
        last = (counter, arrival)
        return fits(.restarted)
    }
}
