package import Signals

/// Watches a stream without a sample rate, which windows of quality do not judge, for standing still.
package struct FlatlineWatch: Sendable {
    /// Seconds without a change after which a signal counts as flat, and with one after which it does not.
    package static let length: Seconds = 3
    /// Seconds without a value after which it is watched anew.
    private static let longestPause: Seconds = 1

    private var value: Double?
    private var heard: Seconds?
    private var begun: Seconds = 0
    private var changed: Seconds?

    /// Has seen nothing yet.
    package init() {}

    /// Takes values of one channel that came at `moment`.
    /// - Returns: whether the signal stands still; nil while that is not known.
    package mutating func take(_ values: [Double], at moment: Seconds) -> Bool? {
        if heard.map({ moment - $0 > Self.longestPause }) ?? true { (value, begun, changed) = (nil, moment, nil) }
        heard = moment
        for new in values where new.isFinite {
            if let value, value != new { changed = moment }
            value = new
        }
        guard moment - begun >= Self.length else { return nil }
        return moment - (changed ?? begun) >= Self.length
    }
}
