import Signals

/// Where running sums of intervals lie on the host's clock, when all that is known is that each message came within a
/// second after its newest beat.
///
/// The message that came soonest after its beat tells most: of n delays spread evenly over a second the shortest is
/// 1/(n + 1) s on average.
struct BeatPhase: Sendable {
    private var least: Seconds = 0
    private var lastArrival: Seconds = 0
    private var count = 0.0

    private static let period: Seconds = 1
    /// No crystal is worse than this.
    private static let fastestDrift = 200e-6
    /// Seconds by which beats are rather placed too early, so that a message that comes sooner after its beat than any
    /// before does not break their chain.
    private static let margin: Seconds = 0.06

    mutating func observe(_ newest: Seconds, arrived moment: Seconds) {
        let observed = moment - newest
        least = count == 0 ? observed : min(observed, least + max(0, moment - lastArrival) * Self.fastestDrift)
        lastArrival = moment
        count += 1
    }

    /// Host time of a beat: a little earlier than is likeliest, by less and less as messages come.
    func host(of time: Seconds) -> Seconds {
        time + least - max(Self.margin, Self.period * min(1, 4 / (count + 1)))
    }

    /// The latest it can be.
    func latest(of time: Seconds) -> Seconds { time + least }

    /// The earliest it can be: a run that begins there need never be set back.
    func earliest(of time: Seconds) -> Seconds { time + least - Self.period }
}
