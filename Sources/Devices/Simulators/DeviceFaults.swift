public import Signals

/// What goes wrong inside a simulated device. What goes wrong on the way is `FaultInjector`'s.
public struct DeviceFaults: Hashable, Sendable, Codable {
    /// By how many parts per million its clock, and with it its sample rate, runs fast.
    public var clockDrift: Double = 0
    /// When its clock is set, and by how much.
    public var clockJumps: [ClockJump] = []
    /// Stretches of true time in which its stamps stand still.
    public var frozenStamps: [Range<Seconds>] = []
    /// Stretches of true time without skin contact: electrodes off, strap loose.
    public var contactLost: [Range<Seconds>] = []
    /// Charge at the start, 0…1.
    public var battery: Double = 0.9
    /// Seconds a full battery lasts; at its end the device goes silent and breaks the connection.
    public var batteryLife: Seconds = .infinity
    /// Moments at which the device starts anew: the connection breaks, counters and clock begin again.
    public var resets: [Seconds] = []

    /// Stretches of true time in which what passes its signals on, a server or a phone, has lost it.
    public var losses: [Range<Seconds>] = []
    /// Moments of true time at which its button is pressed: no fault, but nothing else presses it.
    public var tags: [Seconds] = []
    /// Whether its numbers have a decimal comma, as those of some countries have.
    public var decimalComma = false

    /// A device without faults.
    public init() {}

    /// A moment at which a clock is set.
    public struct ClockJump: Hashable, Sendable, Codable {
        /// The moment, true time.
        public var moment: Seconds
        /// Seconds by which it is set forward; negative: back.
        public var by: Seconds

        /// A jump at `moment`.
        public init(at moment: Seconds, by: Seconds) {
            self.moment = moment
            self.by = by
        }
    }

    /// By how much faster than true time the device's clock runs.
    var clockRate: Double { 1 + clockDrift * 1e-6 }

    /// The device's clock at a moment of true time, 0 at the start.
    func clock(at moment: Seconds) -> Seconds {
        var moment = moment
        let jumps = clockJumps.filter { $0.moment <= moment }.map(\.by).reduce(0, +)
        if let frozen = frozenStamps.first(where: { $0.contains(moment) }) { moment = frozen.lowerBound }
        let origin = resets.filter { $0 <= moment }.max() ?? 0
        return (moment - origin) * clockRate + jumps
    }

    /// Whether the skin is touched at a moment.
    func hasContact(at moment: Seconds) -> Bool { !contactLost.contains { $0.contains(moment) } }

    /// Charge left at a moment, 0…1.
    func charge(at moment: Seconds) -> Double { Swift.max(0, battery - moment / batteryLife) }

    /// When the battery is empty.
    var end: Seconds { battery * batteryLife }
}
