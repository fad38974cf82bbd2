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
    }

    private let modulus: Int
    private let period: Seconds
    private var last: (counter: Int, arrival: Seconds)?

    /// Connections stall for as long as this before what was sent meanwhile arrives in a burst.
    private static let longestStall: Seconds = 30
    /// A packet this far back is late; further back, the counter started anew.
    private static let longestDelay = 16

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
        if forward == 0 && (elapsed ?? 0) < period * Double(modulus / 2) { return .same }
        if forward > modulus / 2, (elapsed ?? 0) < period * Double(modulus / 2) {
            let back = modulus - forward
            return back <= Self.longestDelay ? .late(by: back) : restart(counter, arrival)
        }
        var advance = forward
        if let elapsed {
            let wraps = ((elapsed / period - Double(forward)) / Double(modulus)).rounded()
            if wraps >= 1, wraps < 1e6 { advance += Int(wraps) * modulus }
        }
        let lost = advance - 1
        guard Double(lost) * period <= arrival - previous.arrival + Self.longestStall else {
            return restart(counter, arrival)
        }
        last = (counter, arrival)
        return .next(lost: lost)
    }

    private mutating func restart(_ counter: Int, _ arrival: Seconds) -> Step {
        last = (counter, arrival)
        return .restarted
    }
}
