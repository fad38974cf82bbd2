import Devices
import Signals

/// Holds back values whose stamps are of a clock that only just began, after a connection or when it was set.
///
/// One message does not tell its own delay, several do: values are placed by the earliest of what comes in the first
/// half-second. Once the clock is known, nothing is held.
struct ValueOpening: Sendable {
    /// How long a clock counts as unknown, in seconds from its first message.
    static let length: Seconds = 0.5

    private var held: [(values: [DeviceValue], arrival: Seconds)] = []
    /// When what is held is due; infinity where nothing is.
    private(set) var due: Seconds = .infinity

    /// Holds values that arrived at `moment` until their clock, which may not have begun, is known.
    mutating func hold(_ values: [DeviceValue], arrived moment: Seconds, until clock: ClockFit) {
        if held.isEmpty { due = (clock.isEmpty ? moment : clock.begun) + Self.length }
        held.append((values, moment))
    }

    /// All that is held, in the order it came, with its arrival.
    mutating func release() -> [(values: [DeviceValue], arrival: Seconds)] {
        defer { self = ValueOpening() }
        return held
    }
}
