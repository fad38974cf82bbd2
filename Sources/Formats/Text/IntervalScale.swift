public import Signals

/// Brings inter-beat intervals to seconds, whatever unit their stream declares.
public struct IntervalScale: Hashable, Sendable {
    private let factor: Double?
    /// The longest number that can be an interval in seconds: no heart rests for 30 s, and none beats in 30 ms.
    private static let longest = 30.0

    /// For a stream in `unit`. In a unit that is none of time each number tells by its size: up to 30 it is in
    /// seconds, else in milliseconds.
    public init(_ unit: Signals.Unit) {
        factor = unit.factor(to: .seconds)
    }

    /// A number of the stream in seconds.
    public func seconds(_ value: Double) -> Seconds {
        if let factor { return factor == 1 ? value : value * factor }
        return value > Self.longest ? value / 1000 : value
    }
}
