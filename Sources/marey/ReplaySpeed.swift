import ArgumentParser
import Devices

/// `--speed`: how fast recorded logs are replayed.
struct ReplaySpeed: ExpressibleByArgument, Hashable {
    /// How many times as fast as it happened; nil: as fast as it is taken.
    private let factor: Double?

    static let asItHappened = ReplaySpeed(factor: 1)

    private init(factor: Double?) {
        self.factor = factor
    }

    init?(argument: String) {
        if argument == "max" {
            factor = nil
        } else if let value = Double(argument), value > 0, value.isFinite {
            factor = value
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { factor.map { "\($0)" } ?? "max" }

    /// The clock of a session at this speed.
    var clock: ReplayClock { ReplayClock(speed: factor) }
}
