public import Signals

/// How acceleration, skin temperature and battery are summarised.
public struct MotionParameters: Hashable, Codable, Sendable {
    /// Length of an epoch of acceleration in seconds.
    public var epoch: Seconds = 5
    /// Length of a window of skin temperature in seconds.
    public var temperatureWindow: Seconds = 60
    /// Skin temperatures of a worn sensor, °C.
    public var wornTemperature: ClosedRange<Double> = 24...43
    /// The fastest fall, in °C per minute, of a worn sensor's temperature. In cold and under stress skin cools by a
    /// degree or two over many minutes; a sensor that cools so fast for a minute, to below 32 °C, came off.
    public var fastestCooling: Double = 1.5
    /// The standard deviation, in g, below which an axis is still (van Hees et al., PLoS ONE 8(4):e61691, 2013).
    public var stillness: Double = 0.013
    /// The least height of a step in the magnitude, g.
    public var stepHeight: Double = 0.06
    /// When sustained inactivity is scored as sleep.
    public enum SleepScoring: String, Codable, CaseIterable, Sendable {
        /// In recordings with `minimumNight` hours and more between 21:00 and 09:00 local time, for which the rule was
        /// validated (van Hees et al. 2015).
        case nights
        /// In every recording.
        case always
    }

    /// When sustained inactivity is scored as sleep.
    public var sleepScoring = SleepScoring.nights
    /// The hours between 21:00 and 09:00 local time from which on sleep is scored.
    public var minimumNight: Double = 4
    /// The hours that local time was ahead of UTC, for recordings with a start in UTC and no time zone; nil: not known.
    public var utcOffset: Double?

    /// The defaults.
    public init() {}

    /// Writes all values; an offset that is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(epoch, forKey: .epoch)
        try values.encode(temperatureWindow, forKey: .temperatureWindow)
        try values.encode(wornTemperature, forKey: .wornTemperature)
        try values.encode(fastestCooling, forKey: .fastestCooling)
        try values.encode(stillness, forKey: .stillness)
        try values.encode(stepHeight, forKey: .stepHeight)
        try values.encode(sleepScoring, forKey: .sleepScoring)
        try values.encode(minimumNight, forKey: .minimumNight)
        try values.encode(utcOffset, forKey: .utcOffset)
    }

    /// Throws when a value has no meaning.
    /// - Throws: `MotionError`.
    public func validate() throws(MotionError) {
        func require(_ isRight: Bool, _ name: String, _ rule: String, _ value: Double) throws(MotionError) {
            if !isRight { throw MotionError("motion.\(name) must be \(rule), not \(value)") }
        }
        try require((1...3_600).contains(epoch), "epoch", "from 1 to 3600 s", epoch)
        try require(
            (10...3_600).contains(temperatureWindow), "temperatureWindow", "from 10 to 3600 s", temperatureWindow)
        try require(fastestCooling > 0, "fastestCooling", "above 0 °C/min", fastestCooling)
        try require(stillness > 0, "stillness", "above 0 g", stillness)
        try require(stepHeight > 0, "stepHeight", "above 0 g", stepHeight)
        try require((0...12).contains(minimumNight), "minimumNight", "from 0 to 12 h", minimumNight)
        try require((-12...14).contains(utcOffset ?? 0), "utcOffset", "from -12 to 14 h", utcOffset ?? 0)
    }
}

/// A parameter or an input of motion analysis that has no meaning.
public struct MotionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    public var description: String

    /// An error described in a sentence.
    public init(_ description: String) {
        self.description = description
    }
}
