public import Cardiac
public import Signals

/// How signal quality is judged.
public struct QualityParameters: Hashable, Codable, Sendable {
    /// Length of a window in seconds, 1 to 3600; a multiple of `step`.
    public var window: Seconds = 10
    /// Seconds from one window's start to the next one's; 0.1 or more, and not more than `window`.
    public var step: Seconds = 1

    /// Windows of 10 s, one every second.
    public init() {}

    /// Throws the first parameter that has no meaning.
    /// - Throws: `InvalidParameter`.
    public func check() throws(InvalidParameter) {
        guard (1...3_600).contains(window) else {
            throw InvalidParameter(name: "quality.window", found: "\(window)", expected: "from 1 to 3600 s")
        }
        guard (0.1...window).contains(step) else {
            throw InvalidParameter(
                name: "quality.step", found: "\(step)", expected: "from 0.1 s to quality.window, \(window) s")
        }
        guard abs(window / step - (window / step).rounded()) < 1e-6 else {
            throw InvalidParameter(
                name: "quality.window", found: "\(window)", expected: "a multiple of quality.step, \(step) s")
        }
    }

    /// The number of steps in a window; at least 1.
    var stepsPerWindow: Int {
        guard window.isFinite, window > 0 else { return 1 }
        return Int(Swift.min(Swift.max((window / usedStep).rounded(), 1), 100_000))
    }

    /// `step`, or 1 s where that has no meaning.
    var usedStep: Seconds { step.isFinite && step >= 0.1 && step <= 3_600 ? step : 1 }

    /// How many windows on the grid a window stands for: 1, and more for a long gap that is told as one, so that it weighs
    /// the same whether a file leaves samples out or marks them as missing.
    public func places(of window: QualityWindow) -> Double {
        let length = Swift.min(window.duration, self.window)
        return step > 0 ? 1 + ((window.duration - length) / step).rounded() : 1
    }
}
