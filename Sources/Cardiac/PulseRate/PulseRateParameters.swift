public import Signals

/// The parameters of the heart rate by pulse wave and acceleration.
public struct PulseRateParameters: Hashable, Codable, Sendable {
    /// The minimum confidence of a window with acceleration, 0…1; below it there is no rate.
    public var minimumConfidence: Double
    /// The minimum confidence of a window without acceleration, 0…1.
    public var minimumConfidenceAlone: Double
    /// The root mean square of the acceleration without gravity, in g, from which on a window counts as moving.
    public var movement: Double

    /// The length of a window in seconds.
    public static let window: Seconds = 8
    /// From the start of a window to the start of the next in seconds.
    public static let step: Seconds = 2
    /// The rates that are looked for, per minute.
    public static let rates = 30.0...220.0

    /// The defaults, or the values given instead.
    public init(minimumConfidence: Double = 0.4, minimumConfidenceAlone: Double = 0.8, movement: Double = 0.05) {
        self.minimumConfidence = minimumConfidence
        self.minimumConfidenceAlone = minimumConfidenceAlone
        self.movement = movement
    }

    /// Checks the ranges of the parameters.
    /// - Throws: `InvalidParameter` for the first that is out of range.
    public func validate() throws(InvalidParameter) {
        let shares = [
            ("minimumConfidence", minimumConfidence), ("minimumConfidenceAlone", minimumConfidenceAlone),
        ]
        for (name, value) in shares where !(0...1).contains(value) {
            throw InvalidParameter(name: "pulseRate.\(name)", found: "\(value)", expected: "0 to 1")
        }
        guard movement > 0, movement <= 10 else {
            throw InvalidParameter(name: "pulseRate.movement", found: "\(movement)", expected: "above 0, at most 10 g")
        }
    }
}
