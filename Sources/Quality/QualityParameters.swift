public import Cardiac
public import Signals

/// How signal quality is judged.
public struct QualityParameters: Hashable, Codable, Sendable {
    /// Length of a window in seconds, 1 to 3600; a multiple of `step`.
    public var window: Seconds = 10
    /// Seconds from one window's start to the next one's; 0.1 or more, and not more than `window`.
    public var step: Seconds = 1

    /// Reasons that keep no beats from heart-rate variability, such as `saturated` where an amplifier cuts the tops of R
    /// waves off and somebody saw that it moves none. A window that is below 0.5 for these alone is told so all the same,
    /// but its intervals count. Default: none. Not `gap`: what is missing stays missing.
    public var tolerated: [QualityReason] = []

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
        guard !tolerated.contains(.gap) else {
            throw InvalidParameter(
                name: "quality.tolerated", found: "gap", expected: "other reasons: what is missing stays missing")
        }
        guard abs(window / step - (window / step).rounded()) < 1e-6 else {
            throw InvalidParameter(
                name: "quality.window", found: "\(window)", expected: "a multiple of quality.step, \(step) s")
        }
    }

    /// Whether a window may be used for beats: it is good, or what speaks against it is tolerated.
    public func allowsBeats(in window: QualityWindow) -> Bool {
        if window.isGood { return true }
        guard !tolerated.isEmpty, window.coverage >= 0.5 else { return false }
        let reasons = window.reasons.filter { $0 != .gap }
        return !reasons.isEmpty && reasons.allSatisfy(tolerated.contains)
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
